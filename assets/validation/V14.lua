local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V14", source = "closed form",
  setup = "deficit round robin, weights 3 to 1, both classes backlogged for 10 ms",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(3, "100Gbps"),
        workload = weft.flows {
          { src = "g1", dst = "g3", bytes = common.endless },
          { src = "g2", dst = "g3", bytes = common.endless, prio = 4 },
        },
        set = common.set {},
        classes = { [3] = { weight = 3 }, [4] = { weight = 1, lossless = true } },
      },
      at = { "1ms", "11ms" },
      measures = {
        weft.measure {
          name = "share of the heavier class", unit = "%", expected = 75, tolerance = .5,
          of = function(m)
            local heavy = common.goodput(m[1], m[2], 1)
            return 100 * heavy / (heavy + common.goodput(m[1], m[2], 2))
          end,
        },
        common.none "dropped",
      },
    },
  },
}
