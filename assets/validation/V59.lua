local weft = require "weft"
local common = require "common"

local function case(exponent, fault, seconds, reason)
  return (weft.case {
    name = "n = " .. exponent .. ", " .. fault, limit = "100s",
    scenario = weft.scenario {
      fabric = common.star(2, "100Gbps"), workload = common.one_flow "1000000B",
      set = common.set { timeout_exponent = exponent }, faults = { { at = "20us", fault } },
    },
    measures = {
      weft.measure {
        name = "gives up after", unit = "s", expected = seconds, tolerance = "1%",
        of = function(m) return m.last.stalled_since - m.last.flow(1).delivered_at end,
      },
      common.holds("and says why: " .. reason, function(m)
        return m.last.outcome == "stalled" and m.last.stall == reason and m.last.flow(1).error
      end),
    },
  })
end

return weft.validation {
  id = "V59", source = "closed form: 8 timeouts of 4.096 us x 2^n",
  setup = "nobody answers any more: seven retries, then the queue pair gives up",
  cases = {
    case(20, "link sw:2 down", 34.4, "retry-limit"), case(14, "link sw:2 down", .54, "retry-limit"),
    case(14, "kill g2", .54, "dead-peer"),
  },
}
