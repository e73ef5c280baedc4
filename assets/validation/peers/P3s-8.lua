local common = require "common"
local dcqcn = require "dcqcn"
local permutation = require "permutation"

local sizes = common.sizes

return permutation.row {
  id = "P3s-8", ports = 8, kind = "shift", seeds = 15,
  bounds = { mean = { 350, 520 }, p99 = { 650, 930 } },
  cases = {
    {
      name = "csg's sizes and thresholds", set = permutation.csg(), size = sizes.csg, peers = {
        { "csg", min = 186.6, mean = 373.0, p50 = 362.4, p99 = 762.8, max = 765.2, pauses = 3003 },
        { "uet", min = 186.6, mean = 373.2, p50 = 362.7, p99 = 763.8, max = 766.5, pauses = 3014 },
      },
    },
    {
      name = "hpcc's sizes and thresholds", set = permutation.hpcc(), size = sizes.hpcc, clusters = true,
      peers = {
        { "hpcc", min = 183.8, mean = 411.8, p50 = 391.4, p99 = 695.9, max = 696.2, pauses = 67 },
        { "cw", min = 184.1, mean = 398.9, p50 = 356.3, p99 = 695.7, max = 699.8 },
      },
    },
    { -- slower than without, and hardly a pause
      name = "hpcc's, DCQCN fast", set = permutation.hpcc(dcqcn.set "fast"), size = sizes.hpcc,
      bounds = { mean = { 411.8 }, p99 = { 695.9 } }, peers = {
        { "hpcc", min = 183.8, mean = 597.5, p50 = 633.5, p99 = 1130.5, max = 1156.0, pauses = 0 },
      },
    },
  },
}
