local weft = require "weft"
local ib = require "infiniband"

return weft.validation {
  id = "V72", source = "closed form: K frames in a round trip",
  setup = "credits: 400 Gb/s, MTU 4096, buffers of 16 KiB",
  cases = ib.cables(400, "16384B", "0ns",
    { { 5, 399.6 }, { 50, 148.7 }, { 100, 84.9 }, { 200, 45.7 } }),
}
