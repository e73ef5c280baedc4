local weft = require "weft"
local loss = require "loss"

return weft.validation {
  id = "V55", source = "closed form, independent experiment",
  setup = "V54's form with teaching values: 40 Gb/s, 20 m, timeout 16.8 ms, p = 1/256, 1 s",
  cases = {
    weft.case {
      scenario = loss.scenario("40Gbps", "100ns", "loss 1/256"), at = { "0us", "1s" },
      measures = {
        weft.measure {
          name = "share of the ceiling", unit = "share", expected = .46, tolerance = "25%",
          of = function(m) return loss.share(m[1], m[2], "40Gbps") end,
        },
      },
    },
  },
}
