local weft = require "weft"
local common = require "common"
local permutation = require "permutation"

local alone = permutation.alone("shift", common.sizes.csg)

local overrun = "uet's receiver remembers a bounded window of packets ahead of their turn: here it overran, and "
  .. "9,706 packets were sent twice, which the slowest flows pay for"

-- In the smaller fabric the mean is from 195 to 207: two in this window differ by 12 at most.
local function fct(name, of, figure, why)
  return common.fct(1024, name, of, {
    least = alone, peers = { common.near("uet", figure, 12, why) },
  })
end

return weft.validation {
  id = "P3spray-16", full = true, source = common.source "uet",
  setup = "the fabric of P3s-16, every packet takes its own way and the receiver accepts any order",
  cases = {
    weft.case {
      name = "shift, adaptive",
      scenario = permutation.scenario(16, "shift", permutation.spraying { routing = "adaptive" }),
      measures = {
        fct("min", common.first, 193.1), fct("mean", common.mean, 205.8),
        fct("p50", permutation.median, 202.6), fct("p99", permutation.p99, 253.8, overrun),
        fct("max", common.last, 283.1, overrun),
        common.pauses { least = 1, peers = { common.near("uet", 3849, "25%", overrun) } },
        common.no_drops(),
      },
    },
  },
}
