local weft = require "weft"
local ring = require "ring"

local function case(n, expected)
  return (weft.case {
    name = n .. " GPUs", scenario = ring.scenario(n, "100Gbps", "64MiB"),
    measures = {
      ring.time("all-reduce", expected, "0.02%"),
      weft.measure {
        name = "bus bandwidth", unit = "Gb/s", expected = 92.5, tolerance = .1,
        of = function(m) return ring.busbw(n, 64 * 1048576, m.last.collective) end,
      },
    },
  })
end

return weft.validation {
  id = "V81", source = "closed form, independent experiment",
  setup = "ring all-reduce of 64 MiB, 100 Gb/s, MTU 1024, one ACK a message",
  cases = { case(2, 5799.90), case(4, 8701.76), case(8, 10156.51), case(16, 10891.52) },
}
