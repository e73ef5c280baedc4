local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V01", source = "closed form, independent experiment",
  setup = "host, switch, host: 100 Gb/s, pipeline 500 ns, MTU 1024, a SEND of 1 MiB",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(2, "100Gbps"),
        workload = common.one_flow "1MiB",
        set = common.set { switch_latency = "500ns" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 91240080,
          of = function(m) return m.last.flow(1).delivered_at end,
        },
        weft.measure {
          name = "final ACK at the sender", unit = "ps", expected = 91801920,
          of = function(m) return m.last.flow(1).acked_at end,
        },
      },
    },
  },
}
