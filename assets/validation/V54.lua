local weft = require "weft"
local loss = require "loss"

local function case(p, expected)
  return (weft.case {
    name = "p = " .. p,
    scenario = loss.scenario("100Gbps", "1us", "loss " .. p, { timeout_exponent = 8 }),
    at = { "0us", "3s" },
    measures = {
      weft.measure {
        name = "share of the ceiling", unit = "share", expected = expected, tolerance = "3%",
        of = function(m) return loss.share(m[1], m[2], "100Gbps") end,
      },
    },
  })
end

return weft.validation {
  id = "V54", full = true,
  source = "closed form, independent experiment: 1/[(1+bp)/(1-p) + p^2 T_o/T_s]",
  setup = "go-back-N, each packet lost with p, 100 Gb/s, cables of 200 m, timeout 1.05 ms; 3 s, as 300 ms "
    .. "hold too few timeouts",
  cases = {
    case("0.0001", .9950), case("0.001", .9426), case("0.004", .7213), case("0.01", .3731),
  },
}
