local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V03", source = "closed form, independent experiment",
  setup = "host, three switches, host: 40 Gb/s, pipelines 500 ns, MTU 1024, 1 MiB",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.chain { "40Gbps", "40Gbps", "40Gbps", "40Gbps" },
        workload = common.one_flow "1MiB",
        set = common.set { switch_latency = "500ns" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 228762800,
          of = function(m) return m.last.flow(1).delivered_at end,
        },
        weft.measure {
          name = "final ACK at the sender", unit = "ps", expected = 230422000,
          of = function(m) return m.last.flow(1).acked_at end,
        },
      },
    },
  },
}
