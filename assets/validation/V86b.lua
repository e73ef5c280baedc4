local weft = require "weft"
local ring = require "ring"

local bytes = 16 * 1048576
local to_leader = ring.stream(3 * bytes // 1024) -- three members to their leader, and back
local leaders = 2 * ring.message(bytes // 2)

return weft.validation {
  id = "V86b", source = "closed form: the sum of its phases",
  setup = "hierarchical all-reduce, two groups of 4, 16 MiB, 100 Gb/s, MTU 1024",
  cases = {
    weft.case {
      scenario = ring.scenario(8, "100Gbps", "16MiB", { group = 4 }, nil, "hierarchical"),
      measures = { ring.time("all-reduce", 2 * to_leader + leaders, "1%") },
    },
  },
}
