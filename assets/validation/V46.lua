local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

return weft.validation {
  id = "V46", source = "closed form",
  setup = "DCQCN without congestion: a single flow keeps the line",
  cases = {
    weft.case {
      scenario = dcqcn.scenario(1, "100Gbps"), at = { "1ms", "10ms" },
      measures = {
        common.none("marked", "marks"), common.none("cnps", "CNPs"),
        weft.measure {
          name = "goodput", unit = "Gb/s", expected = 92.586, tolerance = "0.01%",
          of = function(m) return common.goodput(m[1], m[2], 1) end,
        },
      },
    },
  },
}
