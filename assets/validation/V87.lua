local weft = require "weft"
local common = require "common"

local function scenario(faults)
  return (weft.scenario {
    fabric = common.star(2, "100Gbps"),
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "1MiB" }, compute = "400us", steps = 3,
    },
    set = common.set {}, faults = faults,
  })
end

local function later(name, step, expected)
  return (weft.measure {
    name = name, unit = "us", expected = expected,
    of = function(m) return m[2].last.step(step) - m[1].last.step(step) end,
  })
end

return weft.validation {
  id = "V87", source = "closed form: the barrier waits for the slowest, once",
  setup = "two ranks that compute 100 us longer from the second step on",
  cases = {
    weft.case {
      scenarios = { scenario(), scenario { { "slow_gpu g1 1.25" }, { "slow_gpu g2 1.25" } } },
      measures = {
        later("step 1, longer by", 1, 0), later("step 2, longer by", 2, 100),
        later("step 3, longer by", 3, 100),
      },
    },
  },
}
