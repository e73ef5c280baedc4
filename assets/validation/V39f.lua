local weft = require "weft"
local common = require "common"

-- `faults`: which servers are dead and forgotten; `stop`: the senders stop after so many ms.
local function scenario(faults, flood_lossless, stop)
  local function stream(src, dst, load)
    local gap = 88480 / load // 1
    return {
      src = src, dst = dst, bytes = "1024B", load = load,
      messages = stop and math.tointeger(stop * 1000000000 // gap) or nil,
    }
  end
  local flows = {
    stream("g1", "g7", .5), stream("g3", "g5", .5), stream("g8", "g2", .5), stream("g6", "g5", .9),
  }
  stop = nil -- the bystander goes on
  flows[5] = stream("g4", "g6", .2)
  local all = {}
  for _, host in ipairs(faults) do
    all[#all + 1] = { "kill " .. host }
    all[#all + 1] = { "flood " .. host .. " on" }
  end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "25ns" },
    workload = weft.flows(flows),
    set = common.set { xon = "auto", flood_lossless = flood_lossless, timeout_exponent = 20 },
    routes = {
      { at = "leaf1", to = "g7", via = "spine1" }, { at = "leaf1", to = "g5", via = "spine1" },
      { at = "leaf2", to = "g2", via = "spine2" }, { at = "leaf1", to = "g6", via = "spine2" },
    },
    faults = all,
  })
end

local at = common.every(10, 10, 5000)
at[#at + 1] = "8ms"
at[#at + 1] = "12ms"

local function safe(name, faults, flood_lossless)
  return (weft.case {
    name = name, scenario = scenario(faults, flood_lossless), at = common.every(50, 50, 10000),
    measures = { common.never_locked() },
  })
end

return weft.validation {
  id = "V39f", source = "independent experiment, after GUO16's description",
  setup = "packets to dead servers are flooded: 2 leaves, 2 spines, 4 hosts each, 100 Gb/s",
  cases = {
    weft.case {
      name = "both dead; senders stop at 3 ms", scenario = scenario({ "g2", "g7" }, "on", 3), at = at,
      measures = {
        common.locked(nil, 5000),
        weft.measure {
          name = "still locked at 8 ms", unit = "ports", expected = 4,
          of = function(m) return m[501].cycle end,
        },
        common.none "dropped",
        common.holds("the rest is alive", function(m) return m.last.outcome == "running" end),
        weft.measure {
          name = "the bystander", unit = "Gb/s", expected = .2 * 100 * 1086 / 1106, tolerance = .2,
          of = function(m) return common.gross(m[501], m.last, 5) end,
        },
      },
    },
    safe("one dead: g2", { "g2" }, "on"), safe("one dead: g7", { "g7" }, "on"),
    safe("both dead, lossless frames are not flooded", { "g2", "g7" }, "off"),
  },
}
