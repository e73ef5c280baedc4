local weft = require "weft"
local ring = require "ring"

local function scenario(ack_every)
  return ring.scenario(8, "100Gbps", "64MiB", { ack_every = ack_every })
end

local function times(name, run, expected)
  return (weft.measure {
    name = name, unit = "times", expected = expected, tolerance = "0.3%",
    of = function(m) return m[run].last.collective / m[1].last.collective end,
  })
end

return weft.validation {
  id = "V82", source = "closed form, independent experiment",
  setup = "V81 with 8 GPUs: what ACKs cost, against one ACK a message",
  cases = {
    weft.case {
      scenarios = { scenario(0), scenario(1), scenario(16) },
      measures = {
        times("an ACK for every packet", 2, 1.0776), times("an ACK for every 16", 3, 1.0049),
      },
    },
  },
}
