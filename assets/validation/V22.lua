local weft = require "weft"
local headroom = require "headroom"

local phases = 40

-- Least and most headroom needed over all phases of a saturated reverse direction. At each phase
-- best - 1, best and best + 1 frames are tried.
local function case(net, best)
  local scenarios = {}
  local slot = (net.mtu + 82) * 8000 // net.rate
  for phase = 0, phases - 1 do
    for frames = best - 1, best + 1 do
      scenarios[#scenarios + 1] = headroom.scenario(net, frames, 0, slot * phase // phases)
    end
  end
  local function needed(m, choose)
    local all
    for phase = 0, phases - 1 do
      local need = best + 2
      for k = 3, 1, -1 do
        if m[3 * phase + k].last.dropped == 0 then need = best + k - 2 end
      end
      all = choose(all or need, need)
    end
    return all
  end
  return (weft.case {
    name = headroom.name(net), scenarios = scenarios, at = { "300us" },
    measures = {
      weft.measure {
        name = "needed at the best phase", unit = "frames", expected = best,
        of = function(m) return needed(m, math.min) end,
      },
      weft.measure {
        name = "needed at the worst phase", unit = "frames", expected = best + 1,
        of = function(m) return needed(m, math.max) end,
      },
    },
  })
end

return weft.validation {
  id = "V22", source = "closed form, independent experiment",
  setup = "V20 with the reverse direction full of frames, 40 phases",
  cases = {
    case({ rate = 100, delay = "500ns", mtu = 1024 }, 12),
    case({ rate = 400, delay = "500ns", mtu = 4096 }, 12),
    case({ rate = 100, delay = "25ns", mtu = 1024 }, 1),
    case({ rate = 100, delay = "100ns", mtu = 4096, response = "2017ns" }, 7),
  },
}
