local weft = require "weft"
local ring = require "ring"

local function scenario(command)
  return ring.scenario(8, "400Gbps", "64MiB", { mtu = "4096B", ack_every = 16 },
    command and { { command } } or nil)
end

local timeout_us = 4.096 * 4096

local function later(run)
  return function(m) return m[run].last.collective - m[1].last.collective end
end

-- Halving and doubling: g1 exchanges with g5 first, half of 2 MiB, and last, the sum of that half. The
-- message on the way back gives away what was lost on the way there; nothing gives away its own last one.
local packets = 2 * 1048576 // 2 // 4096 -- of one message

local function halving(command)
  return ring.scenario(8, "400Gbps", "2MiB", { mtu = "4096B", ack_every = 16 },
    command and { { command } } or nil, "halving_doubling")
end

return weft.validation {
  id = "V63", source = "closed form, independent experiment",
  setup = "one lost packet in a ring of 8 GPUs, and in halving and doubling, 400 Gb/s, timeout 16.8 ms",
  cases = {
    weft.case {
      scenarios = {
        scenario(), scenario "drop g3>g4 middle", scenario "drop g3>g4 last",
        scenario "drop g3>g4 middle attempts 2",
      },
      measures = {
        weft.measure {
          name = "one in the middle, later by", unit = "us", least = 1e-6, most = 5, of = later(2),
        },
        weft.measure {
          name = "the last one, later by", unit = "us", expected = timeout_us, tolerance = "1%",
          of = later(3),
        },
        weft.measure {
          name = "one and its resend, later by", unit = "us", expected = timeout_us,
          tolerance = "1%", of = later(4),
        },
      },
    },
    weft.case {
      name = "halving and doubling",
      scenarios = {
        halving(), halving("drop g1>g5 packet " .. packets), halving "drop g1>g5 last",
      },
      measures = {
        weft.measure { -- g5 has to do again what came after it, and no more
          name = "the last one on the way there, of the whole", unit = "times", least = 1, most = 2,
          of = function(m) return m[2].last.collective / m[1].last.collective end,
        },
        weft.measure {
          name = "the last one on the way back, later by", unit = "us", expected = timeout_us,
          tolerance = "1%", of = later(3),
        },
      },
    },
  },
}
