local weft = require "weft"
local common = require "common"
local tcp = require "tcp"

local function case(loss, mbps)
  return (weft.case {
    name = "p = " .. loss,
    scenario = tcp.flow(common.endless, "40Gbps", "249.84us", { rto_min = "5ms" },
      { { "loss " .. loss } }),
    at = { "6s", "66s" },
    measures = {
      weft.measure {
        name = "goodput", unit = "Gb/s", expected = mbps / 1000, tolerance = "12%",
        of = function(m) return common.goodput(m[1], m[2], 1) end,
      },
    },
  })
end

return weft.validation {
  id = "V61", full = true,
  source = "Mathis: MSS/RTT sqrt(1.5/p), independent experiment",
  setup = "TCP, each packet lost with p, round trip 1 ms, RTOmin 5 ms",
  cases = { case("0.001", 452), case("0.0001", 1430) },
}
