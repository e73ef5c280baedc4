local weft = require "weft"
local common = require "common"

local function scenario(set)
  set.mtu, set.retry_limit = "4096B", 1000
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 4, spines = 8, hosts = 8, rate = "400Gbps", delay = "25ns" },
    workload = weft.permutation { shift = 8, bytes = "4MiB" }, set = common.set(set),
  })
end

local alone = 1023 * 4178 * 20 + 4 * (4166 * 20 + 25000)

-- How much longer the slowest of the 32 took than it would alone.
local function slowdown(m) return common.last_byte(m.last, 32).ps / alone end

local function case(name, seeds, set, measure)
  measure.name, measure.unit, measure.of = "worst slowdown", "times", slowdown
  return (weft.case {
    name = name, seeds = seeds, scenario = scenario(set), measures = { weft.measure(measure) },
  })
end

return weft.validation {
  id = "V64", full = true, source = "independent experiment",
  setup = "4 leaves, 8 hosts each, 8 spines, 400 Gb/s: every host sends 4 MiB to the one 8 further on",
  cases = {
    case("ECMP, mean of 40 seeds", 40, { routing = "ecmp" }, { expected = 3.4, tolerance = "15%" }),
    case("spraying, reordering accepted, mean of 40 seeds", 40,
      { routing = "spray", transport = "selective", reorder_window = "1ms" },
      { expected = 1.07, tolerance = "3%" }),
    case("spraying over go-back-N", 1, { routing = "spray" }, { least = 10 }),
    case("spraying over selective repeat that asks at once", 1,
      { routing = "spray", transport = "selective" }, { least = 1.5, most = 2.5 }),
  },
}
