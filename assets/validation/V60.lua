local weft = require "weft"
local tcp = require "tcp"

local function case(bytes, us)
  return (weft.case {
    name = bytes .. " B", scenario = tcp.flow(bytes .. "B", "100Gbps", "50us", {}),
    measures = {
      weft.measure {
        name = "final ACK at the sender", unit = "us", expected = us, tolerance = .001,
        of = function(m) return m.last.flow(1).acked_at end,
      },
    },
  })
end

return weft.validation {
  id = "V60", source = "closed form, independent experiment: rounds of slow start, then the tail",
  setup = "TCP over host, switch, host: 100 Gb/s, cables of 10 km, first window 10, no loss",
  cases = { case(14600, 201.363), case(100740, 605.443), case(1000100, 1408.434) },
}
