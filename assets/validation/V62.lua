local weft = require "weft"
local tcp = require "tcp"

return weft.validation {
  id = "V62", source = "FAST08, SIG09, independent experiment",
  setup = "TCP incast, blocks with a barrier: 1 Gb/s, 64 KB of queue, 256 KB from each server",
  cases = {
    tcp.incast_case(16, 40, "200ms", { most = 15 }),
    tcp.incast_case(24, 40, "200ms", { most = 15 }),
    tcp.incast_case(32, 40, "200ms", { most = 15 }),
    tcp.incast_case(16, 100, "1ms", { least = 75 }),
    tcp.incast_case(4, 100, "200us", { least = 70 }),
    tcp.incast_case(8, 100, "200us", { least = 70 }),
    tcp.incast_case(12, 100, "200us", { least = 70 }),
    tcp.incast_case(16, 100, "200us", { least = 70 }),
  },
}
