local weft = require "weft"
local common = require "common"
local rates = require "rates"

return weft.validation {
  id = "V33", source = "closed form, independent experiment",
  setup = "H1 and H2 come through S1, H3 through S3, H4 is local; 40 Gb/s, all send to R",
  cases = {
    rates.case(nil, common.net("40Gbps", "s1-s2 s3-s2 h1-s1 h2-s1 h3-s3 h4-s2 r-s2"),
      common.to("r", common.endless, "h1 h2 h3 h4"),
      { { 1, "h1", 6.55 }, { 2, "h2", 6.55 }, { 3, "h3", 13.09 }, { 4, "h4", 13.09 } }),
  },
}
