local weft = require "weft"
local incast = require "lossy-incast"

-- Without a cap every sender sends all it has at the line's rate, and 1 - 1/N of it is lost: a pass. The
-- published rule sends what is missing again once in each recovery, so each further pass waits for the timer,
-- while the line is idle, until what is left of all fits into the port.
local passes = "each pass of resends loses 1 - 1/N again, and what is lost twice waits for the timer (4.2: once in "
  .. "each recovery): N = 4 takes ln(115/4096)/ln(3/4) = 12 passes of 57 us and a round trip, half the ideal time. "
  .. "1.01 needs a sender that hears of lost resends without a timer"

local function case(n)
  return (weft.case {
    name = n .. " senders",
    scenarios = {
      incast.scenario(n, {}),
      incast.scenario(n, { flow_control = "none" }),
      incast.scenario(n, { flow_control = "none", transport = "selective", window = 50 }),
      incast.scenario(n, { flow_control = "none", transport = "selective" }),
    },
    measures = {
      weft.measure {
        name = "PFC, of the ideal", unit = "times", most = 1.005,
        of = function(m) return incast.times(m[1].last, n) end,
      },
      weft.measure {
        name = "go-back-N, of the ideal", unit = "times", least = 10,
        of = function(m) return incast.times(m[2].last, n) end,
      },
      weft.measure {
        name = "selective with a cap, of the ideal", unit = "times", most = 1.02,
        of = function(m) return incast.times(m[3].last, n) end,
      },
      weft.measure {
        name = "and retransmissions", unit = "%", most = 12,
        of = function(m) return 100 * m[3].last.retransmitted / m[3].last.sent end,
      },
      weft.measure {
        name = "selective without a cap, of the ideal", unit = "times", most = 1.02,
        of = function(m) return incast.times(m[4].last, n) end, disputed = passes,
      },
      weft.measure {
        name = "but it sends more often than with one", unit = "times", least = 2.4,
        of = function(m) return m[4].last.sent / m[3].last.sent end,
      },
    },
  })
end

return weft.validation {
  id = "V57", full = true, source = "independent experiment; IRN18",
  setup = "lossy incast: N to 1, 100 Gb/s, ports of 500 KB; PFC, go-back-N, selective repeat",
  cases = { case(4), case(8), case(16), case(32) },
}
