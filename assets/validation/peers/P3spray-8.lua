local weft = require "weft"
local common = require "common"
local permutation = require "permutation"

local near, only, sizes = common.near, common.only, common.sizes

local turns = "uet's switches take their uplinks in turn, and flows that begin together then meet at the same "
  .. "ones; ours draw one for each packet"
local pointer = "uet's switches have one turn for all that comes, so that flows that begin together meet; here each "
  .. "flow has its own, and they hardly meet at all"
local trims = "uec trims packets instead of pausing, with a congestion control of its own"
local dying = "a switch there picks the better of two random uplinks and the last good one; how far packets overtake "
  .. "each other differs, that go-back-N cannot live with it does not"

local overrun = "uet's receiver remembers a bounded window of packets ahead of their turn: here it overran, and "
  .. "740 packets were sent twice"

local function case(name, kind, set, measures)
  return (weft.case { name = name, scenario = permutation.scenario(8, kind, set), measures = measures })
end

local function fct(name, of, least, most, peers)
  return common.fct(128, name, of, { least = least, most = most, peers = peers })
end

local alone = permutation.alone("shift", sizes.csg)

-- Adaptive at the shift: mean 195 to 207, max below 225: two in a window differ by its width at most.
-- Queues count in steps of 5 % of the buffer; they never grow so long here, nor in uet, so equals are
-- drawn from at random.
local adaptive = permutation.spraying { routing = "adaptive" }

return weft.validation {
  id = "P3spray-8", source = common.source "uet uec cw",
  setup = "the fabric of P3s-8 and P3r-8, every packet takes its own way and the receiver accepts any order",
  cases = {
    case("shift, adaptive", "shift", adaptive, {
      fct("min", common.first, alone, nil, { near("uet", 193.2, 12), only("uec", 193.9, trims) }),
      fct("mean", common.mean, 195, 207, { near("uet", 200.9, 12), only("uec", 201.3, trims) }),
      fct("p99", permutation.p99, alone, 225, { near("uet", 210.1, 12) }),
      fct("max", common.last, alone, 225, { near("uet", 211.1, 12), only("uec", 208.0, trims) }),
      common.pauses { expected = 390, tolerance = "25%", peers = { near("uet", 390, "25%") } },
      common.no_drops(),
    }),
    case("random, adaptive", "random", adaptive, {
      fct("min", common.first, permutation.alone("random", sizes.csg), nil, { near("uet", 176.3, 12) }),
      fct("mean", common.mean, 195, 207, { near("uet", 201.1, 12) }),
      common.pauses { expected = 302, tolerance = "25%", peers = { near("uet", 302, "25%") } },
      fct("max", common.last, alone, 300, { near("uet", 247.2, 12, overrun) }),
      common.no_drops(),
    }),
    -- uplinks in turn: mean 205 to 225, max below 300
    case("shift, in turn", "shift", permutation.spraying { routing = "in_turn" }, {
      fct("mean", common.mean, alone, 225, { only("uet", 215.4, pointer) }),
      fct("max", common.last, alone, 300, { only("uet", 273.9, pointer) }),
      common.no_drops(),
    }),
    case("random, in turn", "random", permutation.spraying { routing = "in_turn" }, {
      fct("mean", common.mean, alone, 225, { only("uet", 209.7, pointer) }),
      fct("max", common.last, alone, 300, { only("uet", 292.9, pointer) }),
      common.no_drops(),
    }),
    -- the same at random
    case("shift, at random", "shift", permutation.spraying {}, {
      fct("mean", common.mean, alone, 225, { only("uet", 215.4, turns) }),
      fct("max", common.last, alone, 300, { only("uet", 273.9, turns) }),
      common.no_drops(),
    }),
    weft.case {
      name = "shift, go-back-N, against ECMP",
      scenarios = {
        permutation.scenario(8, "shift", common.uet { routing = "spray", timeout_exponent = 10 }),
        permutation.scenario(8, "shift", common.uet { routing = "ecmp" }),
      },
      measures = {
        weft.measure {
          name = "mean FCT, times that of ECMP", unit = "times", least = 1.5,
          peers = { only("cw", 637.0 / 398.9, dying) },
          of = function(m)
            return common.mean(common.fcts(m[1].last, 128)) / common.mean(common.fcts(m[2].last, 128))
          end,
        },
      },
    },
  },
}
