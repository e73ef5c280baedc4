local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V24", source = "closed form, independent experiment",
  setup = "8 to 1 incast, 400 Gb/s, MTU 4096, 4 MiB each",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(9, "400Gbps"),
        workload = weft.incast { to = "g9", from = 8, bytes = "4MiB" },
        set = common.set { mtu = "4096B" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 684656600,
          of = function(m) return common.last_byte(m.last, 8) end,
        },
        common.none "dropped",
      },
    },
  },
}
