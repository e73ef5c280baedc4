local weft = require "weft"
local common = require "common"

local function slow(share, expected)
  return (weft.case {
    name = "takes " .. share .. " of the line",
    scenario = weft.scenario {
      fabric = common.star(2, "100Gbps"), workload = common.one_flow(common.endless),
      set = common.set {}, faults = { { "slow g2 " .. share } },
    },
    at = { "2ms", "42ms", "82ms" },
    measures = {
      weft.measure {
        name = "gross rate of the sender", unit = "Gb/s", expected = expected, tolerance = "0.1%",
        of = function(m) return common.gross(m[1], m[2], 1) end,
      },
      weft.measure { -- of the switch's port and of the sender's: both are paused
        name = "pause duty", unit = "share", expected = 1 - share, tolerance = .04,
        of = function(m) return (m[3].paused - m[2].paused) / (m[3].now - m[2].now) / 2 end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V27", source = "closed form, independent experiment",
  setup = "a receiver that takes in only a share of 100 Gb/s",
  cases = { slow(.5, 49.096), slow(.25, 24.548) },
}
