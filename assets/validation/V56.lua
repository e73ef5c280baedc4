local weft = require "weft"
local loss = require "loss"

local function pair(delay, command)
  return {
    loss.scenario("100Gbps", delay, command, { transport = "selective", timeout_exponent = 8 }),
    loss.scenario("100Gbps", delay, command, { transport = "go_back_n", timeout_exponent = 8 }),
  }
end

local function share(run) return loss.share(run[1], run[2], "100Gbps") end

local function random(p)
  -- A loss costs a slot, a resend that is lost, too, a timeout of 320 us. Three deviations of how many
  -- there are in a second, either way.
  local slot, timeout = 1106 * 80 / 1e12, 320e-6
  local low = 1 / (1 / (1 - p) + p * p * timeout / slot) - 3 * p * math.sqrt(slot) * timeout / slot
  local high = 1 - p + 3 * math.sqrt(p * slot)
  return (weft.case {
    name = "p = " .. p, scenarios = pair("1us", "loss " .. p), at = { "0us", "1s" },
    measures = {
      weft.measure {
        name = "share of the ceiling", unit = "share", least = low, most = high,
        of = function(m) return share(m[1]) end,
      },
      weft.measure {
        name = "more than go-back-N", unit = "share", least = 1e-9,
        of = function(m) return share(m[1]) - share(m[2]) end,
      },
    },
  })
end

return weft.validation {
  id = "V56", full = true, source = "closed form, independent experiment",
  setup = "selective repeat, each packet lost with p, 100 Gb/s, cables of 200 m, RTO 320 us",
  cases = {
    random(.0001), random(.001), random(.004), random(.01),
    weft.case {
      name = "V51's cables, every 256th lost", scenarios = pair("5us", "drop_nth 256"),
      at = { "2ms", "42ms" },
      measures = {
        weft.measure {
          name = "against go-back-N", unit = "times", least = 8,
          of = function(m) return share(m[1]) / share(m[2]) end,
        },
      },
    },
  },
}
