local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

local function case(rate)
  local measures = {}
  for i = 1, 2 do
    measures[i] = weft.measure {
      name = "flow " .. i .. ", of its fair share", unit = "share", expected = 1, tolerance = .15,
      of = function(m) return common.goodput(m[1], m[2], i) / (dcqcn.ceiling(rate) / 2) end,
    }
  end
  return (weft.case {
    name = rate, scenario = dcqcn.scenario(2, rate, "20ms"), at = { "70ms", "70500us" },
    measures = measures,
  })
end

return weft.validation {
  id = "V44", source = "independent experiment",
  setup = "a second flow joins after 20 ms; 50 ms later, over 0.5 ms",
  cases = { case("40Gbps"), case("100Gbps") },
}
