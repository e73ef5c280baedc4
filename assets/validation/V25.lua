local weft = require "weft"
local common = require "common"

local function first_xoff(n, expected)
  local slot = 1106 * 80 / 1e6
  return (weft.case {
    name = n .. " senders",
    scenario = weft.scenario {
      fabric = common.star(n + 1, "100Gbps"),
      workload = weft.incast { to = "g" .. n + 1, from = n, bytes = "1MiB" },
      set = common.set {},
    },
    at = { "xoff" },
    measures = {
      weft.measure {
        name = "first XOFF", unit = "us", expected = expected,
        tolerance = math.max(expected * .05, 2 * slot),
        of = function(m) return m.last.now end,
      },
    },
  })
end

return weft.validation {
  id = "V25", source = "closed form, independent experiment: T_r + d + XOFF/(L(1-1/N)) T_s",
  setup = "N to 1 at line rate, 100 Gb/s: 5 % or two slots",
  cases = { first_xoff(2, 16.4), first_xoff(4, 11.0), first_xoff(8, 9.42), first_xoff(16, 8.80) },
}
