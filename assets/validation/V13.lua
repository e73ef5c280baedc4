local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V13", source = "closed form, independent experiment",
  setup = "8 bursts of 10 frames into a port that holds 40 frames and drops the rest",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(9, "100Gbps"),
        workload = weft.incast { to = "g9", from = 8, bytes = "10240B" },
        set = common.set {
          flow_control = "none", queue_cap = "43440B", timeout_exponent = 20,
        },
      },
      at = { "50us" },
      measures = {
        weft.measure {
          name = "dropped of 80", unit = "frames", expected = 31, tolerance = 1,
          of = function(m) return m.last.port("sw:9").dropped end,
        },
      },
    },
  },
}
