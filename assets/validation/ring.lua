-- Rows V63 and V80 to V89: one collective over the hosts round a switch of 500 ns.

local weft = require "weft"
local common = require "common"

local ring = {}

-- `kind`: of the collective; nil: ring.
function ring.scenario(n, rate, bytes, set, faults, kind)
  local all = { switch_latency = "500ns", ack_every = 0 }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return (weft.scenario {
    fabric = common.star(n, rate),
    workload = weft.training {
      collective = weft.collective { kind = kind or "ring", bytes = bytes },
      compute = "0us", steps = 1,
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

-- At 100 Gb/s, MTU 1024, in us: a slot, and one message over two cables and the switch, alone. Its
-- last frame is stored and forwarded; if it is short it waits there for the one before it.
ring.slot = 1106 * 80 / 1e6

function ring.message(bytes)
  local packets = (bytes + 1023) // 1024
  local last = 62 + (bytes - (packets - 1) * 1024 + 3) // 4 * 4
  local sent = (packets - 1) * ring.slot
  local at_switch = sent + ((last + 8) * 80 + 525000) / 1e6
  local free = packets > 1 and sent + (1094 * 80 + 525000) / 1e6 or 0
  return math.max(at_switch, free) + ((last + 8) * 80 + 25000) / 1e6
end

-- From a first frame on the way to the last of `packets` one behind the other, us.
function ring.stream(packets)
  return (2 * (1094 * 80 + 25000) + 500000) / 1e6 + (packets - 1) * ring.slot
end

return ring
