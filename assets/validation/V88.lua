local weft = require "weft"
local common = require "common"

local steps = 1000
local share = (1 - 1e-5) ^ (2 * 7 * 1024)
local at = {}
for i = 1, steps do at[i] = "barrier" end

return weft.validation {
  id = "V88", full = true, source = "closed form: (1-p)^(2*7*1024), three sigma",
  setup = "ring of 8 GPUs, 1 MiB, MTU 1024, each packet lost with p = 1e-5, 1000 steps",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(8, "100Gbps"),
        workload = weft.training {
          collective = weft.ring_allreduce { bytes = "1MiB" }, compute = "0us", steps = steps,
        },
        set = common.set { ack_every = 0, timeout_exponent = 8 }, faults = { { "loss 0.00001" } },
      },
      at = at,
      measures = {
        weft.measure {
          name = "steps without loss", unit = "share", expected = share,
          tolerance = 3 * math.sqrt(share * (1 - share) / steps),
          of = function(m)
            local clean, dropped = 0, 0
            for i = 1, steps do
              if m[i].dropped == dropped then clean = clean + 1 end
              dropped = m[i].dropped
            end
            return clean / steps
          end,
        },
        weft.measure {
          name = "packets in a step", unit = "packets", expected = 14336,
          of = function(m) return (m.last.sent - m.last.retransmitted) / steps end,
        },
      },
    },
  },
}
