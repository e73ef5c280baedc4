local weft = require "weft"
local ib = require "infiniband"

return weft.validation {
  id = "V70", source = "closed form: K frames in a round trip",
  setup = "credits: host, switch, host, 100 Gb/s, MTU 4096, buffers of 128 KiB",
  cases = ib.cables(100, "131072B", "0ns",
    { { 5, 99.90 }, { 957, 99.90 }, { 1000, 95.89 }, { 5000, 20.18 } }),
}
