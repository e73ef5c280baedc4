local weft = require "weft"
local ring = require "ring"

return weft.validation {
  id = "V85", source = "closed form",
  setup = "a parameter server, 8 workers, 16 MiB each, 100 Gb/s, MTU 1024, against a ring",
  cases = {
    weft.case {
      scenarios = {
        ring.scenario(9, "100Gbps", "16MiB", {}, nil, "parameter_server"),
        ring.scenario(8, "100Gbps", "16MiB"),
      },
      measures = {
        weft.measure {
          name = "longer than the ring", unit = "times", least = 4,
          of = function(m) return m[1].last.collective / m[2].last.collective end,
        },
        weft.measure { -- in: V23's form; out: the server's own line
          name = "push and pull", unit = "us", tolerance = "1%",
          expected = 2 * ring.stream(8 * 16 * 1024),
          of = function(m) return m[1].last.collective end,
        },
      },
    },
  },
}
