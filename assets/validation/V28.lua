local weft = require "weft"
local common = require "common"

local function scenario(xon)
  return (weft.scenario {
    fabric = common.net("100Gbps", "g1-sw sw-g2", {
      ["g1-sw"] = { delay = "1us" }, ["sw-g2"] = { rate = "50Gbps", delay = "1us" },
    }),
    workload = common.one_flow(common.endless), set = common.set { xon = xon },
  })
end

local function case(xon, expected)
  return (weft.case {
    name = "XON " .. xon, scenario = scenario(xon), at = { "2ms", "42ms" },
    measures = {
      weft.measure {
        name = "gross rate", unit = "Gb/s", expected = expected, tolerance = "0.05%",
        of = function(m) return common.gross(m[1], m[2], 1) end,
      },
    },
  })
end

local function share(xon, expected)
  return (weft.case {
    name = "XON " .. xon, scenario = scenario(xon), at = { "2ms", "42ms" },
    measures = {
      weft.measure {
        name = "of the full rate", unit = "%", expected = expected, tolerance = .5,
        of = function(m) return common.gross(m[1], m[2], 1) / 49.096 * 100 end,
      },
    },
  })
end

return weft.validation {
  id = "V28", source = "closed form, independent experiment",
  setup = "XON too low: 100 Gb/s in, 50 Gb/s out, cables of 200 m",
  cases = { case("13032B", 49.096), case("13031B", 48.90), share("10KB", 98.7), share("0B", 94.6) },
}
