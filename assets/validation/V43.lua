local weft = require "weft"

local slot_us = 1106 * 200 / 1e6

return weft.validation {
  id = "V43", source = "closed form: one every 50 us to 50 us and a slot",
  setup = "notification point: every packet of a flow at 40 Gb/s comes marked, 100 ms",
  cases = {
    weft.case {
      probe = "warnings",
      measures = {
        weft.measure { -- the ends of the window cut one
          name = "in 100 ms", unit = "CNPs", least = 1e5 / (50 + slot_us) - 1, most = 1e5 / 50 + 1,
          of = function(m) return m.cnps end,
        },
      },
    },
  },
}
