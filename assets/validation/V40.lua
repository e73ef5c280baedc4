local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

local function case(rate, n, fluid, kb)
  local port = dcqcn.port(n)
  return (weft.case {
    name = dcqcn.name(n, rate), scenario = dcqcn.scenario(n, rate), at = { "200ms", "400ms" },
    measures = {
      weft.measure {
        name = "mean queue", unit = "KB", expected = kb, tolerance = "15%",
        of = function(m) return common.mean_queue(m[1], m[2], port) / 1e3 end,
      },
      weft.measure {
        name = "mean queue against the fluid model", unit = "KB", expected = fluid,
        tolerance = "35%",
        of = function(m) return common.mean_queue(m[1], m[2], port) / 1e3 end,
      },
      weft.measure {
        name = "utilisation", unit = "%", least = 99.5,
        of = function(m)
          local sum = 0
          for i = 1, n do sum = sum + common.goodput(m[1], m[2], i) end
          return 100 * sum / dcqcn.ceiling(rate)
        end,
      },
      weft.measure {
        name = "Jain's index", unit = "share", least = .99,
        of = function(m) return common.jain(m[1], m[2], n) end,
      },
    },
  })
end

return weft.validation {
  id = "V40", full = true, source = "ECND16, independent experiment",
  setup = "DCQCN, N to 1, cables of 200 m, 5 KB, 200 KB, 1 %, endless buffer, 200 to 400 ms",
  cases = {
    case("40Gbps", 2, 21.5, 25.6), case("40Gbps", 4, 45, 56), case("40Gbps", 8, 101, 123),
    case("40Gbps", 10, 133, 152), case("100Gbps", 2, 10.1, 10.6), case("100Gbps", 4, 17.3, 20),
    case("100Gbps", 8, 35, 44), case("100Gbps", 16, 78, 100), case("100Gbps", 20, 101, 126),
  },
}
