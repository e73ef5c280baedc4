local weft = require "weft"
local common = require "common"

-- Half of 16 sources in the watched class (3), half in another, each with its load.
local function two_classes(name, load, other_prio, other_load, wait)
  local cables, more, flows = "sw-g0", { ["sw-g0"] = { delay = "0ns" } }, {}
  local classes = {}
  for i = 1, 16 do
    local cable = "g" .. i .. "-sw"
    local watched = i % 2 == 0
    cables = cables .. " " .. cable
    more[cable] = { rate = "1000Gbps", delay = "0ns" }
    flows[i] = {
      src = "g" .. i, dst = "g0", bytes = "1024B", poisson = true,
      prio = watched and 3 or other_prio, load = (watched and load or other_load) / 8 / 10,
    }
  end
  for prio = 0, 7 do classes[prio] = { weight = 0 } end
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = common.net("100Gbps", cables, more), workload = weft.flows(flows),
      set = common.set { flow_control = "none" }, classes = classes,
    },
    seeds = 10, at = { "200ms" },
    measures = {
      weft.measure {
        name = "mean wait", unit = "ns", expected = wait, tolerance = "3%",
        of = function(m)
          return m.last.port("sw:1").mean_bytes / (load * 1086 / 88.480)
        end,
      },
    },
  })
end

return weft.validation {
  id = "V11", full = true, source = "closed form (Cobham)",
  setup = "two strict classes, Poisson, loads .2 (higher) and .6 (lower), 200 ms, mean of 10 seeds",
  cases = { two_classes("higher", .2, 2, .6, 44.2), two_classes("lower", .6, 4, .2, 221.2) },
}
