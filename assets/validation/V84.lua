local weft = require "weft"
local ring = require "ring"

local bytes = 64 * 1048576
local alpha = ring.message(1024) - ring.slot

return weft.validation {
  id = "V84", source = "closed form",
  setup = "halving and doubling, 8 GPUs, 64 MiB, 100 Gb/s, MTU 1024",
  cases = {
    weft.case {
      scenarios = {
        ring.scenario(8, "100Gbps", "64MiB", {}, nil, "halving_doubling"),
        ring.scenario(8, "100Gbps", "64MiB"),
      },
      measures = {
        weft.measure {
          name = "six rounds", unit = "us", tolerance = "0.1%",
          expected = 2 * (ring.message(bytes // 2) + ring.message(bytes // 4)
            + ring.message(bytes // 8)),
          of = function(m) return m[1].last.collective end,
        },
        weft.measure { -- a message costs alpha whatever its size: a ring has 14, this has 6
          name = "over a ring less 8 alpha", unit = "times", expected = 1, tolerance = "1%",
          of = function(m) return m[1].last.collective.us / (m[2].last.collective.us - 8 * alpha) end,
        },
      },
    },
  },
}
