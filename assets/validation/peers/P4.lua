local weft = require "weft"
local common = require "common"

local sizes = common.sizes

local function ring(set)
  local all = { round_trigger = "acked" }
  for knob, value in pairs(set) do all[knob] = value end
  return (weft.scenario {
    fabric = common.star(16), set = all,
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "64MiB" }, compute = "0us", steps = 1,
    },
  })
end

-- One step of 1,024 packets. An ACK comes for each packet, on the cable on which the next neighbour's
-- data goes: it takes its share, except of the packets before which no ACK has come: those that are
-- sent while the first travels two cables.
local function step(size)
  local packet, ack = size.packet * 80e-6, size.ack * 80e-6
  local before = math.floor((2 * packet + 2) / packet)
  return 1024 * (packet + ack) + packet + 4 + (2 - before) * ack
end

local function case(name, set, size, peers)
  return (weft.case {
    name = name, scenario = ring(set),
    measures = {
      weft.measure {
        name = "30 steps", unit = "us", expected = 30 * step(size), tolerance = "0.02%", peers = peers.total,
        of = function(m) return m.last.collective end,
      },
      weft.measure {
        name = "one step", unit = "us", expected = step(size), tolerance = "0.02%", peers = peers.step,
        of = function(m) return m.last.collective.ps / 30e6 end,
      },
      weft.measure {
        name = "bus bandwidth", unit = "Gb/s", expected = 2 * 15 / 16 * 67108864 * 8e-3 / (30 * step(size)),
        tolerance = "0.02%", peers = peers.busbw,
        of = function(m) return 2 * 15 / 16 * 67108864 * 8000 / m.last.collective.ps end,
      },
      common.pauses { expected = 0 }, common.no_drops(),
    },
  })
end

local near = common.near
local both_cut = "hpcc counts in whole nanoseconds and cuts off the rest, of packets and of ACKs: each pair "
  .. "takes 331 + 4 ns instead of 331.52 + 4.8, 0.39 % less"

return weft.validation {
  id = "P4", source = common.source "csg uet hpcc",
  setup = "ring all-reduce of 64 MiB over 16 hosts on one switch; a step begins when the sender of the one "
    .. "before has its last ACK",
  cases = {
    case("csg's sizes", common.csg {}, sizes.csg, {
      total = { near("csg", 10509.96, "0.02%"), near("uet", 10509.96, "0.02%") },
      step = { near("csg", 350.332, "0.02%"), near("uet", 350.332, "0.02%") },
      busbw = { near("csg", 11.97 * 8, "0.1%"), near("uet", 11.97 * 8, "0.1%") },
    }),
    case("hpcc's sizes", common.hpcc(4), sizes.hpcc, {
      total = { near("hpcc", 10420.41, "0.2%", both_cut) },
      step = { near("hpcc", 347.347, "0.2%", both_cut) },
      busbw = { near("hpcc", 12.08 * 8, "0.2%", both_cut) },
    }),
    weft.case { -- they are not free
      name = "csg's sizes, what ACKs cost", scenarios = { ring(common.csg {}), ring(common.csg { ack_every = 0 }) },
      measures = {
        weft.measure {
          name = "longer than with one ACK a message by", unit = "%", least = 1.2, most = 100 * 64 / 4160,
          of = function(m) return 100 * (m[1].last.collective / m[2].last.collective - 1) end,
        },
      },
    },
  },
}
