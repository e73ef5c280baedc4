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
  -- every second loss in a row costs a timeout of 320 us; 3 % for the luck of a second
  local low = (1 - p) / (1 + p * p * 320e6 / (1106 * 80))
  return (weft.case {
    name = "p = " .. p, scenarios = pair("1us", "loss " .. p), at = { "0us", "1s" },
    measures = {
      weft.measure {
        name = "share of the ceiling", unit = "share", least = low * .97, most = (1 - p) * 1.001,
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
