local weft = require "weft"
local common = require "common"
local rates = require "rates"

return weft.validation {
  id = "V32", source = "closed form, independent experiment; DCQCN15",
  setup = "parking lot: H1 to H3 on S1, a trunk, H4 and R on S2, 40 Gb/s, all send to R",
  cases = {
    rates.case(nil, rates.parking_lot, common.to("r", common.endless, "h1 h2 h3 h4"),
      { { 1, "h1", 6.55 }, { 2, "h2", 6.55 }, { 3, "h3", 6.55 }, { 4, "h4", 19.64 } }),
  },
}
