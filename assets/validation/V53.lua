local weft = require "weft"
local common = require "common"

local messages = 40

return weft.validation {
  id = "V53", source = "closed form: the tries of 4096 packets, one of which may fail",
  setup = "go-back-0, 40 messages of 4096 packets, each packet lost with p = 2e-4, 40 Gb/s",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = common.star(2, "40Gbps", "100ns"),
        workload = weft.flows { { src = "g1", dst = "g2", bytes = "4MiB", gap = "20ms" } },
        set = common.set { transport = "go_back_0" }, faults = { { "loss 0.0002" } },
      },
      at = { 20 * messages * 1000 - 1 .. "us" },
      measures = {
        weft.measure {
          name = "packets sent for a message", unit = "packets", expected = 6344, tolerance = "20%",
          of = function(m) return m.last.sent / messages end,
        },
        weft.measure {
          name = "packets delivered for a message", unit = "packets", expected = 4096,
          of = function(m) return m.last.flow(1).acked / messages end,
        },
      },
    },
  },
}
