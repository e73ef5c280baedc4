local weft = require "weft"
local tcp = require "tcp"

-- 16 x 256 KB take 32.8 ms at 1 Gb/s, and 200 ms more: 140.8 Mb/s
return weft.validation {
  id = "V62b", source = "closed form: 8NS/(8NS/C + RTO)",
  setup = "TCP incast of 16 servers: a block takes its own time and one timeout at least",
  cases = { tcp.incast_case(16, 40, "200ms", { most = 14.08 }) },
}
