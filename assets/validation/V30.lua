local weft = require "weft"
local common = require "common"

return weft.validation {
  id = "V30", source = "closed form",
  setup = "a neighbour sends XOFF once at 100 Gb/s, with 0xFFFF quanta, and never again",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(2, "100Gbps"), workload = common.one_flow "64MiB",
        set = common.set {}, faults = { { at = "10us", "pause g2" } },
      },
      at = { "paused sw:2", "resumed sw:2" },
      measures = {
        weft.measure {
          name = "pause", unit = "us", expected = 65535 * 5.12 / 1e3, tolerance = 1106 * 80 / 1e6,
          of = function(m) return m[2].now - m[1].now end,
        },
      },
    },
  },
}
