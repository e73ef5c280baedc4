local weft = require "weft"
local common = require "common"

local alone = 1023 * 4178 * 20 + 4 * (4166 * 20 + 25000)

local function case(name, seeds, set, measure)
  set.mtu = "4096B"
  measure.name, measure.unit = "worst slowdown", "times"
  measure.of = function(m) return common.last_byte(m.last, 1024).ps / alone end
  return (weft.case {
    name = name, seeds = seeds,
    scenario = weft.scenario {
      fabric = weft.leaf_spine {
        leaves = 32, spines = 32, hosts = 32, rate = "400Gbps", delay = "25ns",
      },
      workload = weft.permutation { shift = 32, bytes = "4MiB" }, set = common.set(set),
    },
    measures = { weft.measure(measure) },
  })
end

return weft.validation {
  id = "V65", full = true, source = "independent experiment; the htsim authors' targets",
  setup = "V64 with 32 leaves, 32 hosts each, 32 spines: 1,024 hosts",
  cases = {
    case("ECMP, mean of 3 seeds", 3, { routing = "ecmp" }, {
      least = 6, most = 8,
      disputed = "of 32 leaves with 32 flows hashed on 32 uplinks each, the busiest uplink carries "
        .. "5.4 flows on average (Monte Carlo): the mean of many seeds must lie little above; 7 is "
        .. "the luck of single seeds",
    }),
    case("spraying, reordering accepted", 1,
      { routing = "spray", transport = "selective", reorder_window = "1ms" }, { most = 1.15 }),
  },
}
