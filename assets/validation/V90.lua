local weft = require "weft"
local common = require "common"

-- Training with jitter, with and without something that has nothing to do with it.
local function training(set)
  set.jitter = "50us"
  return (weft.scenario {
    fabric = common.star(4, "100Gbps"),
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "1MiB" }, compute = "100us", steps = 4,
    },
    set = common.set(set),
  })
end

-- Random loss on one flow, with and without random arrivals elsewhere.
local function lossy(other)
  return (weft.scenario {
    fabric = common.star(4, "100Gbps"),
    workload = weft.flows {
      { src = "g1", dst = "g2", bytes = common.endless },
      other and { src = "g3", dst = "g4", bytes = "1024B", load = .5, poisson = true } or nil,
    },
    set = common.set { timeout_exponent = 8 }, faults = { { "loss 0.01" } },
  })
end

local function same(name, of)
  return (weft.measure { name = name, unit = "ps", expected = 0, of = of })
end

local measures = {
  (weft.measure {
    name = "the draws differ from step to step", unit = "ns", least = 1,
    of = function(m)
      local a, b = m[1].last.compute(1), m[1].last.compute(2)
      return a > b and a - b or b - a
    end,
  }),
}
for step = 1, 4 do
  measures[#measures + 1] = same("compute of step " .. step .. ", longer by", function(m)
    return m[2].last.compute(step) - m[1].last.compute(step)
  end)
end

return weft.validation {
  id = "V90", source = "design: every component draws from its own stream",
  setup = "an unrelated feature is switched: the luck of the others stays what it was",
  cases = {
    weft.case {
      name = "jitter, with ECN and another MTU",
      scenarios = {
        training {}, training { ecn = true, kmin = "1KB", kmax = "1KB", mtu = "4096B" },
      },
      measures = measures,
    },
    weft.case {
      name = "loss, with random arrivals of others", scenarios = { lossy(false), lossy(true) },
      at = { "20ms" },
      measures = {
        weft.measure {
          name = "lost", unit = "packets", least = 100,
          of = function(m) return m[1].last.flow(1).dropped end,
        },
        weft.measure {
          name = "lost, more by", unit = "packets", expected = 0,
          of = function(m) return m[2].last.flow(1).dropped - m[1].last.flow(1).dropped end,
        },
      },
    },
  },
}
