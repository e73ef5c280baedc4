local common = require "common"
local permutation = require "permutation"

local draw = "where PAUSE is rare the longest FCT is about as many times 170 us as flows share the worst cable: "
  .. "hpcc made one draw, and its worst cable had more of them than most of ours have"

return permutation.row {
  id = "P3s-16", ports = 16, kind = "shift", seeds = 7, full = true,
  bounds = { mean = { 410, 540 }, p99 = { 830, 1000 }, max = { 1000, 1200 } },
  cases = {
    {
      name = "csg's sizes and thresholds", set = permutation.csg(), size = common.sizes.csg, peers = {
        { "csg", min = 185.4, mean = 434.1, p50 = 405.7, p99 = 865.3, max = 1041.3, pauses = 29052 },
      },
    },
    {
      name = "hpcc's sizes and thresholds", set = permutation.hpcc(), size = common.sizes.hpcc,
      clusters = true, beyond = { max = draw }, peers = {
        { "hpcc", min = 183.6, mean = 440.3, p50 = 395.8, p99 = 975.9, max = 1043.4, pauses = 2045 },
      },
    },
  },
}
