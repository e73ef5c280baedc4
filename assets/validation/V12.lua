local weft = require "weft"
local common = require "common"

local function bursts(n, frames, peak)
  return (weft.case {
    name = n .. " bursts of " .. frames .. " frames",
    scenario = weft.scenario {
      fabric = common.star(n + 1, "100Gbps"),
      workload = weft.incast { to = "g" .. n + 1, from = n, bytes = frames * 1024 .. "B" },
      set = common.set { flow_control = "none", timeout_exponent = 20 },
    },
    at = { "50us" },
    measures = {
      weft.measure {
        name = "peak queue", unit = "frames", expected = peak, tolerance = 1,
        of = function(m) return m.last.port("sw:" .. n + 1).max.bytes / 1086 end,
      },
    },
  })
end

return weft.validation {
  id = "V12", source = "closed form, independent experiment: (N-1)k + 1",
  setup = "N synchronous bursts of k frames into one port without a limit",
  cases = { bursts(8, 10, 71), bursts(4, 32, 97), bursts(16, 8, 121) },
}
