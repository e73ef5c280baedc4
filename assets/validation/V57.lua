local weft = require "weft"
local incast = require "lossy-incast"

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
        name = "selective without a cap sends more often than with one", unit = "times", least = 1,
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
