local weft = require "weft"
local common = require "common"

local cases = {}
for k, us in ipairs { 8.28, 16.60, 24.92, 33.24 } do
  local rates = {}
  for i = 1, k + 1 do rates[i] = "100Gbps" end
  cases[k] = weft.case {
    name = k .. " switches",
    scenario = weft.scenario {
      fabric = common.chain(rates), workload = common.one_flow(common.endless),
      set = common.set { timeout_exponent = 20 }, faults = { { "hold g2 on" } },
    },
    at = { "paused g1:1" },
    measures = {
      weft.measure {
        name = "the host is paused at", unit = "us", expected = us, tolerance = k * 1106 * 80 / 1e6,
        of = function(m) return m.last.now end,
      },
    },
  }
end

return weft.validation {
  id = "V39e", source = "closed form, independent experiment: one slot a hop",
  setup = "pauses travel: a host, k switches, a receiver that is stuck, 100 Gb/s, XOFF 100 KB",
  cases = cases,
}
