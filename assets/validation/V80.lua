local weft = require "weft"
local ring = require "ring"

local function case(n, expected)
  return (weft.case {
    name = n .. " GPUs", scenario = ring.scenario(n, "400Gbps", "64MiB", { mtu = "4096B" }),
    measures = { ring.time("all-reduce", expected, "0.02%") },
  })
end

return weft.validation {
  id = "V80", source = "closed form, independent experiment",
  setup = "ring all-reduce of 64 MiB, 400 Gb/s, MTU 4096, one ACK a message",
  cases = {
    case(2, 1370.31), case(4, 2057.37), case(8, 2404.70), case(16, 2585.96), case(64, 2775.08),
  },
}
