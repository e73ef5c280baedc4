local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V05", source = "closed form, independent experiment",
  setup = "V01 with a WRITE: 16 bytes of RETH on the first packet",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(2, "100Gbps"),
        workload = common.one_flow "1MiB",
        set = common.set { switch_latency = "500ns", verb = "write" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 91242640,
          of = function(m) return m.last.flow(1).delivered_at end,
        },
        weft.measure {
          name = "final ACK at the sender", unit = "ps", expected = 91804480,
          of = function(m) return m.last.flow(1).acked_at end,
        },
      },
    },
  },
}
