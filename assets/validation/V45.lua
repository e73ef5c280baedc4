local weft = require "weft"
local dcqcn = require "dcqcn"

local function case(rate, n, mb)
  return (weft.case {
    name = dcqcn.name(n, rate), scenario = dcqcn.scenario(n, rate), at = { "20ms" },
    measures = {
      weft.measure {
        name = "peak queue", unit = "MB", expected = mb, tolerance = "25%",
        of = function(m) return m.last.port(dcqcn.port(n)).max end,
      },
    },
  })
end

return weft.validation {
  id = "V45", source = "independent experiment; DCQCN15",
  setup = "all begin together at line rate, no PFC: DCQCN alone does not spare the buffer",
  cases = {
    case("40Gbps", 2, .22), case("40Gbps", 4, .52), case("40Gbps", 8, 1.4), case("40Gbps", 16, 3.5),
    case("100Gbps", 2, .25), case("100Gbps", 4, .98), case("100Gbps", 8, 3.1),
    case("100Gbps", 16, 8.0),
  },
}
