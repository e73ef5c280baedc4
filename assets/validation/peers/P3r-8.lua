local common = require "common"
local dcqcn = require "dcqcn"
local permutation = require "permutation"

local sizes = common.sizes

return permutation.row {
  id = "P3r-8", ports = 8, kind = "random", seeds = 15,
  bounds = { mean = { 350, 520 }, p99 = { 650, 930 } },
  cases = {
    {
      name = "csg's sizes and thresholds", set = permutation.csg(), size = sizes.csg, peers = {
        { "csg", min = 178.3, mean = 473.0, p50 = 481.4, p99 = 833.7, max = 844.0, pauses = 5341 },
      },
    },
    {
      name = "hpcc's sizes and thresholds", set = permutation.hpcc(), size = sizes.hpcc, clusters = true,
      peers = {
        { "hpcc", min = 174.6, mean = 411.1, p50 = 361.7, p99 = 694.0, max = 695.7, pauses = 42 },
      },
    },
    { -- slower than without, and hardly a pause
      name = "hpcc's, DCQCN fast", set = permutation.hpcc(dcqcn.set "fast"), size = sizes.hpcc,
      bounds = { mean = { 411.1 }, p99 = { 694.0 } }, peers = {
        { "hpcc", min = 174.6, mean = 643.3, p50 = 652.0, p99 = 1099.0, max = 1246.1, pauses = 9 },
      },
    },
  },
}
