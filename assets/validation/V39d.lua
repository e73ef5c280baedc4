local weft = require "weft"
local common = require "common"

local function case(xoff, xon, us)
  local flows = {}
  for i = 1, 16 do
    for k = 1, 15 do
      flows[#flows + 1] = { src = "g" .. i, dst = "g" .. (i + k - 1) % 16 + 1, bytes = common.endless }
    end
  end
  local function alone(m) -- the first 10 us in which only g1's own sends arrive
    for i = 3, #m do
      if common.total(m[i - 1], m[i]) <= 98.2 then return i end
    end
    error("others still send")
  end
  return (weft.case {
    name = "XOFF " .. xoff,
    scenario = weft.scenario {
      fabric = weft.leaf_spine {
        leaves = 4, spines = 4, hosts = 4, rate = "100Gbps", delay = "25ns",
      },
      workload = weft.flows(flows),
      set = common.set { xoff = xoff, xon = xon, timeout_exponent = 20 },
      faults = { { at = "1ms", "slow g1 0" } },
    },
    at = common.every(10, 990, 1500),
    measures = {
      weft.measure {
        name = "only its own sends are left after", unit = "us", expected = us, tolerance = 50,
        of = function(m) return m[alone(m)].now - m[2].now end,
      },
      weft.measure {
        name = "these, over 100 us", unit = "Gb/s", expected = 98, tolerance = 1,
        of = function(m) local i = alone(m) return common.total(m[i], m[i + 10]) end,
      },
      weft.measure {
        name = "paused", unit = "hosts", expected = 15,
        of = function(m)
          local moment, count = m[alone(m) + 10], 0
          for g = 1, 16 do
            if moment.port("g" .. g .. ":1").paused then count = count + 1 end
          end
          return count
        end,
      },
    },
  })
end

return weft.validation {
  id = "V39d", source = "independent experiment; GUO16",
  setup = "pause storm: 4 leaves, 4 hosts each, 4 spines, all to all, one host takes nothing more",
  cases = { case("100000B", "97000B", 200), case("30000B", "27000B", 100) },
}
