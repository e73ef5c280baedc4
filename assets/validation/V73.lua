local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

local function case(net)
  local at = {}
  for i = 1, 1000 do at[i] = 1000000 + 997 * i .. "ns" end
  local function worst(of, choose)
    return function(m)
      local all
      for i = 1, #m do
        for _, name in ipairs { "g1:1", "sw:1", "sw:2", "g2:1" } do
          local x = of(m[i].port(name))
          all = choose(all or x, x)
        end
      end
      return all
    end
  end
  return (weft.case {
    name = ib.name(net), scenario = ib.cable(net), at = at,
    measures = {
      weft.measure {
        name = "fullest buffer, credits under way included", unit = "%", most = 100,
        of = worst(function(p) return 100 * (p.credits_held + p.credits) / p.credits_fit end, math.max),
      },
      weft.measure {
        name = "fewest credits", unit = "credits", least = 0,
        of = worst(function(p) return p.credits end, math.min),
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V73", source = "closed form",
  setup = "credits promise: nothing lost, no buffer overrun, at 1000 moments",
  cases = {
    case { rate = 100, metres = 1000, buffer = "131072B", latency = "0ns" },
    case { rate = 400, metres = 200, buffer = "16384B", latency = "0ns" },
  },
}
