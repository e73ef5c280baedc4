-- Rows V63 and V80 to V89: one collective over the hosts round a switch of 500 ns.

local weft = require "weft"
local common = require "common"

local ring = {}

function ring.scenario(n, rate, bytes, set, faults)
  local all = { switch_latency = "500ns", ack_every = 0 }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return (weft.scenario {
    fabric = common.star(n, rate),
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = bytes }, compute = "0us", steps = 1,
    },
    set = common.set(all), faults = faults,
  })
end

-- Bus bandwidth of a ring as nccl-tests define it, Gb/s.
function ring.busbw(n, bytes, time)
  return bytes * 8000 / time.ps * 2 * (n - 1) / n
end

function ring.time(name, expected, tolerance)
  return (weft.measure {
    name = name, unit = "us", expected = expected, tolerance = tolerance,
    of = function(m) return m.last.collective end,
  })
end

return ring
