local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

-- 400 Gb/s: 256 slots, then what the last frame needs, or its header with cut-through. The one ACK
-- leaves behind the credits for that frame; it is shorter than a header: it is stored. With more of
-- them, credits for their room would stand in the way of the data now and then.
local tau, cables, pipeline = 20, 2 * 25000, 130000
local slot, header, ack, credit = 4126 * tau, 68 * tau, 34 * tau, 8 * tau

local function case(cut_through)
  local data = 256 * slot + (cut_through and header or slot) + cables + pipeline
  return (weft.case {
    name = cut_through and "cut through" or "stored",
    scenario = weft.scenario {
      fabric = common.star(2, "400Gbps"), workload = common.one_flow "1MiB",
      set = ib.set {
        switch_latency = "130ns", mtu = "4096B", cut_through = cut_through, ack_every = 0,
      },
    },
    measures = {
      weft.measure {
        name = "last payload byte", unit = "ps", expected = data,
        of = function(m) return m.last.flow(1).delivered_at end,
      },
      weft.measure {
        name = "final ACK at the sender", unit = "ps",
        expected = data + credit + 2 * ack + cables + pipeline,
        of = function(m) return m.last.flow(1).acked_at end,
      },
    },
  })
end

return weft.validation {
  id = "V77", source = "closed form",
  setup = "V02 and V06 on credits: 1 MiB at 400 Gb/s, MTU 4096, pipeline 130 ns",
  cases = { case(true), case(false) },
}
