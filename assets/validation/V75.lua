local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

return weft.validation {
  id = "V75", source = "closed form",
  setup = "two virtual lanes over one trunk, 100 Gb/s, MTU 4096; the receiver of one takes nothing",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.net("100Gbps", "s1-s2 g1-s1 g2-s1 g3-s2 g4-s2"),
        workload = weft.flows {
          { src = "g1", dst = "g3", bytes = common.endless },
          { src = "g2", dst = "g4", bytes = common.endless, prio = 4 },
        },
        set = ib.set { mtu = "4096B" }, faults = { { "slow g3 0" } },
      },
      at = { "1ms", "11ms" },
      measures = {
        weft.measure {
          name = "the other lane", unit = "Gb/s", expected = 99.90, tolerance = "1%",
          of = function(m) return common.goodput(m[1], m[2], 2) * 4122 / 4096 end,
        },
        weft.measure {
          name = "the blocked one", unit = "Gb/s", expected = 0,
          of = function(m) return common.goodput(m[1], m[2], 1) end,
        },
        common.holds("it has no credits", function(m) return m[1].port("s1:1").starved end),
      },
    },
  },
}
