local weft = require "weft"
local common = require "common"

-- 16 sources behind access lines ten times faster send packets at random.
local function poisson(rho, wait)
  local cables, more, flows = "sw-g0", { ["sw-g0"] = { delay = "0ns" } }, {}
  local classes = {}
  for i = 1, 16 do
    local cable = "g" .. i .. "-sw"
    cables = cables .. " " .. cable
    more[cable] = { rate = "1000Gbps", delay = "0ns" }
    flows[i] = { src = "g" .. i, dst = "g0", bytes = "1024B", load = rho / 16 / 10, poisson = true }
  end
  for prio = 0, 7 do classes[prio] = { weight = 0 } end
  return (weft.case {
    name = "load " .. rho,
    scenario = weft.scenario {
      fabric = common.net("100Gbps", cables, more), workload = weft.flows(flows),
      set = common.set { flow_control = "none" }, classes = classes,
    },
    seeds = 10, at = { "200ms" },
    measures = {
      weft.measure {
        name = "mean wait", unit = "ns", expected = wait, tolerance = "2%",
        -- Little's law: bytes that wait / bytes that pass in a time
        of = function(m)
          local passed = m.last.delivered * 1086 / m.last.now.ns
          return m.last.port("sw:1").mean_bytes / passed
        end,
      },
    },
  })
end

return weft.validation {
  id = "V10", full = true,
  source = "closed form (Pollaczek and Khinchine), independent experiment",
  setup = "M/D/1: 16 Poisson sources, bottleneck 100 Gb/s, 200 ms, mean of 10 seeds",
  cases = { poisson(.5, 44.2), poisson(.7, 103.2), poisson(.9, 398.2), poisson(.95, 840.6) },
}
