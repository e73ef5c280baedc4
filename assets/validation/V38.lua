local weft = require "weft"
local common = require "common"
local circle = require "circle"

local cases = {
  (weft.case {
    name = "four flows, load .48", scenario = circle.scenario(circle.all, .48),
    at = common.every(50, 50, 10000),
    measures = { common.never_locked(), common.none("xoff_frames", "frames") },
  }),
}
for without = 1, 4 do
  local three = {}
  for i = 1, 4 do
    if i ~= without then three[#three + 1] = i end
  end
  cases[#cases + 1] = weft.case {
    name = "without flow " .. without, scenario = circle.scenario(three, 1),
    at = common.every(50, 50, 10000),
    measures = {
      common.never_locked(),
      weft.measure {
        name = "in all", unit = "Gb/s", expected = 58, tolerance = 1.2,
        of = function(m) return common.total(m[100], m[200]) end,
      },
      weft.measure {
        name = "pauses", unit = "frames", least = 1, of = function(m) return m.last.xoff_frames end,
      },
    },
  }
end
cases[#cases + 1] = weft.case {
  name = "two opposite flows", scenario = circle.scenario({ 1, 3 }, 1), at = { "1ms", "10ms" },
  measures = {
    weft.measure {
      name = "in all", unit = "Gb/s", expected = 78.6, tolerance = .4,
      of = function(m) return common.total(m[1], m[2]) end,
    },
    common.none("xoff_frames", "frames"),
  },
}
for _, load in ipairs { .6, .8, 1 } do
  cases[#cases + 1] = weft.case {
    name = "four flows, load " .. load, scenario = circle.scenario(circle.all, load),
    at = common.every(10, 10, 10000),
    measures = {
      common.locked(nil, 5000), circle.diagnosed(), circle.size(), common.none "dropped",
    },
  }
end

return weft.validation {
  id = "V38", source = "independent experiment",
  setup = "four switches in a ring, 40 Gb/s, each flow two hops clockwise",
  cases = cases,
}
