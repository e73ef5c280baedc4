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

return weft.validation {
  id = "V63", source = "closed form, independent experiment",
  setup = "one lost packet in a ring of 8 GPUs, 400 Gb/s, 64 MiB, timeout 16.8 ms",
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
  },
}
