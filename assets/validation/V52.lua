local weft = require "weft"
local loss = require "loss"

return weft.validation {
  id = "V52", source = "closed form, independent experiment; GUO16",
  setup = "go-back-0, a message of 4 MiB, every 256th packet lost, 40 Gb/s",
  cases = {
    weft.case {
      scenario = loss.scenario("40Gbps", "100ns", "drop_nth 256", { transport = "go_back_0" },
        "4MiB"),
      at = { "10ms", "110ms" },
      measures = {
        weft.measure {
          name = "packets of a completed message", unit = "packets", expected = 0,
          of = function(m) return m.last.flow(1).acked end,
        },
        weft.measure {
          name = "link busy", unit = "%", expected = 100,
          of = function(m)
            return 100 * (m[2].port("g1:1").busy - m[1].port("g1:1").busy) / (m[2].now - m[1].now)
          end,
        },
      },
    },
  },
}
