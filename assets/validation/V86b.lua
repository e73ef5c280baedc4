local weft = require "weft"
local ring = require "ring"

local bytes, pieces = 16 * 1048576, 64
local leaders = 2 * ring.message(bytes // 2)
local to_leader = ring.stream(3 * bytes // 1024) -- three members to their leader, and back

-- One member to the next, piece by piece, over three hops.
local chain = bytes // 1024 * ring.slot + 2 * ring.message(bytes // pieces) + ring.message(1024)

local function case(name, set, phases)
  set.group = 4
  return (weft.case {
    name = name, scenario = ring.scenario(8, "100Gbps", "16MiB", set, nil, "hierarchical"),
    measures = { ring.time("all-reduce", phases, "1%") },
  })
end

return weft.validation {
  id = "V86b", source = "closed form: the sum of its phases",
  setup = "hierarchical all-reduce, two groups of 4, 16 MiB, 100 Gb/s, MTU 1024",
  cases = {
    case("all at once", {}, 2 * to_leader + leaders),
    case("in a chain", { inside = "chain", pieces = pieces }, 2 * chain + leaders),
  },
}
