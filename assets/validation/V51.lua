local weft = require "weft"
local common = require "common"
local loss = require "loss"

return weft.validation {
  id = "V51", source = "closed form, independent experiment: (255 - b)/256",
  setup = "go-back-N, every 256th packet lost, 100 Gb/s, cables of 1 km",
  cases = {
    weft.case {
      scenario = loss.scenario("100Gbps", "5us", "drop_nth 256"), at = { "2ms", "42ms" },
      measures = {
        weft.measure {
          name = "share of the ceiling", unit = "share", expected = 26 / 256, tolerance = "0.5%",
          of = function(m) return loss.share(m[1], m[2], "100Gbps") end,
        },
        weft.measure {
          name = "goodput", unit = "Gb/s", expected = 9.40, tolerance = "0.5%",
          of = function(m) return common.goodput(m[1], m[2], 1) end,
        },
      },
    },
  },
}
