local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V06", source = "closed form",
  setup = "V02 with cut-through",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(2, "400Gbps"),
        workload = common.one_flow "1MiB",
        set = common.set { switch_latency = "500ns", mtu = "4096B", cut_through = true },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 22024440 - 81880,
          of = function(m) return m.last.flow(1).delivered_at end,
        },
        weft.measure {
          name = "final ACK at the sender", unit = "ps", expected = 22577400 - 81920,
          of = function(m) return m.last.flow(1).acked_at end,
        },
      },
    },
  },
}
