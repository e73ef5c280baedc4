local weft = require "weft"
local common = require "common"

local routes = {}
for at, to, via in ([[
  s1>d1:s2 s2>d1:s3 s3>d1:s4  s3>b1:s4 s4>b1:s1 s1>b1:s2
  s4>a1:s3 s3>a1:s2 s2>c1:s1 s1>c1:s4]]):gmatch("(%w+)>(%w+):(%w+)") do
  routes[#routes + 1] = { at = at, to = to, via = via }
end

local function scenario(third)
  local flows = {
    { src = "a1", dst = "d1", bytes = common.endless },
    { src = "c1", dst = "b1", bytes = common.endless },
    third and { src = "b2", dst = "c2", bytes = common.endless } or nil,
  }
  local cables, more = "s1-s2 s2-s3 s3-s4 s4-s1 a1-s1 b1-s2 b2-s2 c1-s3 c2-s3 d1-s4", {}
  for cable in cables:gmatch("%S+") do more[cable] = { delay = "1us" } end
  return (weft.scenario {
    fabric = common.net("40Gbps", cables, more), workload = weft.flows(flows),
    set = common.set { timeout_exponent = 20 }, routes = routes,
  })
end

local function rate(flow)
  return (weft.measure {
    name = "flow " .. flow, unit = "Gb/s", expected = 19.6, tolerance = .4,
    of = function(m) return common.gross(m[5000], m.last, flow) end,
  })
end

return weft.validation {
  id = "V39", source = "HOT16, independent experiment",
  setup = "ring A B C D, 40 Gb/s, 200 m: f1 A to D by B and C, f2 C to B by D and A",
  cases = {
    weft.case {
      name = "a circle that lives", scenario = scenario(false), at = common.every(20, 20, 120000),
      measures = {
        common.never_locked(), rate(1), rate(2),
        weft.measure {
          name = "pauses in 20 ms", unit = "frames", least = 100,
          of = function(m) return m.last.xoff_frames - m[5000].xoff_frames end,
        },
      },
    },
    weft.case {
      name = "with f3 from B to C", scenario = scenario(true), at = common.every(10, 10, 5000),
      measures = { common.locked(nil, 5000) },
    },
  },
}
