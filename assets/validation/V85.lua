local weft = require "weft"
local ring = require "ring"

local packets = 16 * 1024 -- of one worker's gradients, 16 MiB

local function servers(hosts, count)
  return ring.scenario(hosts, "100Gbps", "16MiB", { servers = count }, nil, "parameter_server")
end

local function times(name, run, than, bounds)
  bounds.name, bounds.unit = name, "times"
  bounds.of = function(m) return m[run].last.collective / m[than].last.collective end
  return (weft.measure(bounds))
end

return weft.validation {
  id = "V85", source = "closed form",
  setup = "a parameter server, 8 workers, 16 MiB each, 100 Gb/s, MTU 1024, against a ring",
  cases = {
    weft.case {
      scenarios = { servers(9, 1), ring.scenario(8, "100Gbps", "16MiB"), servers(12, 4) },
      measures = {
        weft.measure { -- V23's form with N S: it has all when it begins to answer
          name = "push", unit = "us", expected = ring.stream(8 * packets), tolerance = "1%",
          of = function(m) return m[1].last.flow("g9>g1").start end,
        },
        weft.measure { -- in, then out over the server's own line
          name = "push and pull", unit = "us", expected = 2 * ring.stream(8 * packets),
          tolerance = "1%", of = function(m) return m[1].last.collective end,
        },
        times("longer than the ring", 1, 2, { least = 4 }),
        times("longer than with four servers", 1, 3, { expected = 4, tolerance = "5%" }),
      },
    },
  },
}
