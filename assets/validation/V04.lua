local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V04", source = "closed form, independent experiment",
  setup = "cables of 100, 40, 400 and 100 Gb/s, pipelines 500 ns, MTU 1024, 1 MiB",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.chain { "100Gbps", "40Gbps", "400Gbps", "100Gbps" },
        workload = common.one_flow "1MiB",
        set = common.set { switch_latency = "500ns" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 228303320,
          of = function(m) return m.last.flow(1).delivered_at end,
        },
      },
    },
  },
}
