local weft = require "weft"
local common = require "common"

local function long_flow(rate, mtu, expected)
  return (weft.case {
    name = rate .. ", MTU " .. mtu,
    scenario = weft.scenario {
      fabric = common.star(2, rate), workload = common.one_flow(common.endless),
      set = common.set { mtu = mtu },
    },
    at = { "1ms", "21ms" },
    measures = {
      weft.measure {
        name = "goodput", unit = "Gb/s", expected = expected, tolerance = "0.01%",
        of = function(m) return common.goodput(m[1], m[2], 1) end,
      },
    },
  })
end

return weft.validation {
  id = "V07", source = "closed form: P/(P+82) of the line",
  setup = "goodput of one long flow through a switch",
  cases = { long_flow("100Gbps", "1024B", 92.586), long_flow("400Gbps", "4096B", 392.15) },
}
