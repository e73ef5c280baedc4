local common = require "common"
local permutation = require "permutation"

local draw = "csg made one draw, and it is a lucky one among ours: with room for 15 packets before a PAUSE, one "
  .. "unlucky cable holds up the flows of many others, and the slowest hundredth varies by a fifth from "
  .. "seed to seed; where PAUSE is rare, as with hpcc's thresholds, both agree"

return permutation.row {
  id = "P3r-16", ports = 16, kind = "random", seeds = 7, full = true,
  bounds = { mean = { 410, 540 }, p99 = { 830, 1000 }, max = { 1000, 1200 } },
  cases = {
    {
      name = "csg's sizes and thresholds", set = permutation.csg(), size = common.sizes.csg,
      beyond = { p99 = draw }, peers = {
        { "csg", min = 176.1, mean = 519.6, p50 = 520.1, p99 = 942.2, max = 1105.6, pauses = 43579 },
      },
    },
    {
      name = "hpcc's sizes and thresholds", set = permutation.hpcc(), size = common.sizes.hpcc,
      clusters = true, peers = {
        { "hpcc", min = 174.4, mean = 473.2, p50 = 473.0, p99 = 863.1, max = 1033.4, pauses = 2150 },
      },
    },
  },
}
