local weft = require "weft"
local common = require "common"

local function duty(n)
  return (weft.case {
    name = n .. " senders",
    scenario = weft.scenario {
      fabric = common.star(n + 1, "100Gbps"),
      workload = weft.incast { to = "g" .. n + 1, from = n, bytes = "64MiB" },
      set = common.set {},
    },
    at = { "2ms", "12ms" },
    measures = {
      weft.measure {
        name = "share of the time in pause", unit = "share",
        least = 1 - 1 / n, most = 1 - 1 / n + .04,
        of = function(m) return (m[2].paused - m[1].paused) / (m[2].now - m[1].now) / n end,
      },
    },
  })
end

return weft.validation {
  id = "V26", source = "closed form, independent experiment: 1 - 1/N",
  setup = "N to 1, steady: how long each sender is paused",
  cases = { duty(2), duty(4), duty(8) },
}
