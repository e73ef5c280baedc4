local weft = require "weft"
local common = require "common"

local function case(name, ttl, gbps, every, limit, measure)
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = common.net("40Gbps", "sa-sb h1-sa h2-sb"),
      workload = weft.flows { { src = "h1", dst = "h2", bytes = "1024B", load = gbps / 40 } },
      set = common.set { ttl = ttl, timeout_exponent = 20 },
      routes = { { at = "sa", to = "h2", via = "sb" }, { at = "sb", to = "h2", via = "sa" } },
    },
    at = common.every(every, every, limit),
    measures = {
      measure,
      weft.measure {
        name = "dropped for another reason than TTL", unit = "packets", expected = 0,
        of = function(m) return m.last.dropped - m.last.dropped_by "ttl" end,
      },
    },
  })
end

return weft.validation {
  id = "V37", source = "HOT16, independent experiment: n B / TTL",
  setup = "a routing loop of two switches, 40 Gb/s, into which a host sends so much",
  cases = {
    case("TTL 16, 5.0 Gb/s", 16, 5.0, 100, 60000, common.never_locked()),
    case("TTL 16, 5.1 Gb/s", 16, 5.1, 100, 60000, common.locked(nil, 60000)),
    case("TTL 64, 1.25 Gb/s", 64, 1.25, 100, 60000, common.never_locked()),
    case("TTL 64, 2 % more", 64, 1.25 * 1.02, 100, 200000, common.locked(nil, 200000)),
  },
}
