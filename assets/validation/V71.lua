local weft = require "weft"
local ib = require "infiniband"

return weft.validation {
  id = "V71", source = "closed form: K frames in a round trip",
  setup = "credits: 400 Gb/s, MTU 4096, buffers of 128 KiB, pipeline 200 ns",
  cases = ib.cables(400, "131072B", "200ns",
    { { 219, 399.6 }, { 500, 190.5 }, { 1000, 98.6 } }),
}
