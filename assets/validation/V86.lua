local weft = require "weft"
local ring = require "ring"

return weft.validation {
  id = "V86", source = "closed form: (N-1)S/(N goodput) and the latency",
  setup = "all-to-all, 8 GPUs, 64 MiB, 100 Gb/s, MTU 1024",
  cases = {
    weft.case {
      scenario = ring.scenario(8, "100Gbps", "64MiB", {}, nil, "all_to_all"),
      measures = {
        ring.time("all-to-all", 7 / 8 * 65536 * ring.slot + ring.message(1024), "2%"),
      },
    },
  },
}
