local weft = require "weft"
local common = require "common"
local ring = require "ring"

-- One flow of 50 full packets through a switch, 100 Gb/s, in ps: a slot, the last bit of a packet
-- over both cables, and of its ACK back.
local packets, slot = 50, 1106 * 80
local there, back = 2 * (1094 * 80 + 25000), 2 * (74 * 80 + 25000)
local clean = (packets - 1) * slot + there + back
local timeout = 4096000 * 2 ^ 8

local function flow(...)
  return (weft.scenario {
    fabric = common.star(2, "100Gbps"), workload = common.one_flow(packets * 1024 .. "B"),
    set = common.set { timeout_exponent = 8 }, faults = { ... },
  })
end

-- Shortly before the receiver sends its last ACK.
local last_ack = { at = (packets - 1.5) * slot + there .. "ps", "drop_ack 1 g1>g2" }

local function acked(name, run, expected, tolerance)
  return (weft.measure {
    name = name .. ": last ACK", unit = "ps", expected = expected, tolerance = tolerance,
    of = function(m) return m[run].last.flow(1).acked_at end,
  })
end

local function exchange(...)
  return ring.scenario(8, "400Gbps", "64MiB", { mtu = "4096B", ack_every = 16 }, { ... })
end

local function later(name, run)
  return (weft.measure {
    name = name .. ", later by", unit = "us", expected = 4.096 * 4096, tolerance = "1%",
    of = function(m)
      return m[run].last.step(1) - m[1].last.step(1)
    end,
  })
end

return weft.validation {
  id = "V63b", source = "closed form",
  setup = "lost ACKs, lost resends and bursts: one flow at 100 Gb/s, and a ring of 8 GPUs at 400 Gb/s",
  cases = {
    weft.case {
      name = "one flow",
      scenarios = {
        flow(), flow { "drop_ack 49 g1>g2" }, flow(last_ack), flow { "drop_ack 50 g1>g2" },
        flow { "burst 1 g1>g2:20" }, flow { "burst 9 g1>g2:20" },
      },
      measures = {
        acked("nothing lost", 1, clean),
        acked("all ACKs lost but the last", 2, clean),
        -- the timer runs from the ACK before on; then the packet, its second ACK
        acked("the last ACK lost", 3, clean - slot + timeout + there + back),
        acked("all ACKs lost", 4, timeout + there + back),
        weft.measure {
          name = "nine in a row instead of one, later by", unit = "ps", expected = 8 * slot,
          of = function(m) return m[6].last.flow(1).acked_at - m[5].last.flow(1).acked_at end,
        },
      },
    },
    weft.case {
      name = "a ring",
      scenarios = {
        exchange(), exchange({ "drop g3>g4 middle" }, { "drop g3>g4 resend" }),
        exchange({ at = "2.4ms", "drop_ack 1000 g3>g4" }, { at = "10ms", "drop_ack 0" }),
      },
      measures = {
        later("one in the middle and its resend lost", 2),
        later("the last ACKs lost", 3),
      },
    },
  },
}
