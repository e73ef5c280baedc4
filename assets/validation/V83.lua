local weft = require "weft"
local ring = require "ring"

local cases = {}
for n = 2, 9 do
  local bytes = 5 * 1048576 + 77 * n
  cases[#cases + 1] = weft.case {
    name = n .. " GPUs",
    scenario = ring.scenario(n, "100Gbps", bytes .. "B", { mtu = "4096B", ack_every = 16 }),
    measures = {
      weft.measure {
        name = "against the lower bound", unit = "times", least = 1,
        of = function(m)
          return m.last.collective.ps / (2 * (n - 1) / n * bytes * 8000 / 100)
        end,
      },
      weft.measure {
        name = "bus bandwidth", unit = "Gb/s", most = 100 * 4096 / 4178,
        of = function(m) return ring.busbw(n, bytes, m.last.collective) end,
      },
    },
  }
end

return weft.validation {
  id = "V83", source = "closed form: 2(N-1)/N S/B, and the goodput of the line",
  setup = "ring all-reduce: nobody is faster than the bound, 100 Gb/s, MTU 4096",
  cases = cases,
}
