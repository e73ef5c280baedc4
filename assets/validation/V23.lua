local weft = require "weft"
local common = require "common"

local function incast(n, expected)
  return (weft.case {
    name = n .. " senders",
    scenario = weft.scenario {
      fabric = common.star(n + 1, "100Gbps"),
      workload = weft.incast { to = "g" .. n + 1, from = n, bytes = "1MiB" },
      set = common.set {},
    },
    measures = {
      weft.measure {
        name = "last payload byte", unit = "ps", expected = expected,
        of = function(m) return common.last_byte(m.last, n) end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V23", source = "closed form, independent experiment: 2(T_r+d) + (N*1024-1) T_s",
  setup = "N to 1 incast, 100 Gb/s, 1 MiB each",
  cases = {
    incast(2, 181343600), incast(4, 362550640), incast(8, 724964720), incast(16, 1449792880),
    incast(32, 2899449200),
  },
}
