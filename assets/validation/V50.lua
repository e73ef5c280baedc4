local weft = require "weft"
local common = require "common"
local loss = require "loss"

return weft.validation {
  id = "V50", source = "closed form, independent experiment: (255 - b)/256",
  setup = "go-back-N, every 256th packet lost, 40 Gb/s, cables of 20 m",
  cases = {
    weft.case {
      scenario = loss.scenario("40Gbps", "100ns", "drop_nth 256"), at = { "2ms", "42ms" },
      measures = {
        weft.measure {
          name = "share of the ceiling", unit = "share", expected = 251 / 256, tolerance = "0.1%",
          of = function(m) return loss.share(m[1], m[2], "40Gbps") end,
        },
        weft.measure {
          name = "goodput", unit = "Gb/s", expected = 36.31, tolerance = "0.1%",
          of = function(m) return common.goodput(m[1], m[2], 1) end,
        },
      },
    },
  },
}
