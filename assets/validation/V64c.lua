local weft = require "weft"
local common = require "common"

-- One flow of 16 bursts of ten packets, one every 60 us, over one of 8 spines; how many it has used.
local bursts, spines = 16, 8

local function used(m)
  local n = 0
  for port = 2, spines + 1 do n = n + (m.last.port("leaf1:" .. port).busy.ps > 0 and 1 or 0) end
  return n
end

-- n draws among m: how many are drawn at all, its mean and variance.
local function occupancy(m, n)
  local once, twice = (1 - 1 / m) ^ n, (1 - 2 / m) ^ n
  return m * (1 - once), m * (m - 1) * twice + m * once - m * m * once * once
end

local mean, variance = occupancy(spines, bursts)
local seeds = 40

local function case(gap, expected, tolerance)
  return (weft.case {
    name = "threshold " .. gap, seeds = seeds,
    scenario = weft.scenario {
      fabric = weft.leaf_spine {
        leaves = 2, spines = spines, hosts = 1, rate = "100Gbps", delay = "25ns",
      },
      workload = weft.flows {
        { src = "g1", dst = "g2", bytes = "10240B", gap = "60us", messages = bursts },
      },
      set = common.set { routing = "flowlet", flowlet_gap = gap },
    },
    measures = {
      weft.measure {
        name = "spines used, mean of 40 hashes", unit = "times", expected = expected,
        tolerance = tolerance, of = used,
      },
      common.none("naks", "packets"),
    },
  })
end

-- Between two bursts a switch sees 60 us less nine slots of 88.48 ns: 59203.68 ns.
return weft.validation {
  id = "V64c", source = "closed form",
  setup = "flowlets: bursts with silences of 59.2 us between them, thresholds shorter and longer",
  cases = {
    case("50us", mean, 3 * (variance / seeds) ^ 0.5), -- three deviations of such a mean
    case("59203679ps", mean, 3 * (variance / seeds) ^ 0.5),
    case("59203680ps", 1),
    case("1ms", 1),
  },
}
