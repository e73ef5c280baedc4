local weft = require "weft"

local measures = {}
for _, row in ipairs {
  { "2/2", 1.50 }, { "4/4", 2.125 }, { "8/8", 2.60 }, { "16/16", 3.08 }, { "32/32", 3.54 },
  { "64/64", 3.96 }, { "8/4", 3.54 }, { "16/8", 4.20 }, { "64/8", 12.2 }, { "256/16", 23.4 },
} do
  measures[#measures + 1] = weft.measure {
    name = "flows/links " .. row[1], unit = "flows", expected = row[2], tolerance = "1.5%",
    of = function(m) return m[row[1]] end,
  }
end

return weft.validation {
  id = "V66", source = "closed form (Monte Carlo)",
  setup = "flows hashed on links: how many are on the busiest, mean of 10,000 hashes",
  cases = { weft.case { probe = "hash_load", measures = measures } },
}
