local weft = require "weft"

-- Three sigma of 100,000 tries, and half of the last digit that the table gives.
local function apart(pair, expected)
  return (weft.measure {
    name = "no two of " .. pair .. " on one link", unit = "share", expected = expected,
    tolerance = 3 * math.sqrt(expected * (1 - expected) / 1e5) + 5e-5,
    of = function(m) return m["apart " .. pair] end,
  })
end

return weft.validation {
  id = "V67", source = "closed form: n!/n^n, (1 - 1/M)^N",
  setup = "flows hashed on as many links: how often they never meet, how many links stay idle",
  cases = {
    weft.case {
      probe = "hash_luck",
      measures = {
        apart("4/4", .0938), apart("8/8", .0024),
        weft.measure {
          name = "idle links of 8/8", unit = "share", expected = .344, tolerance = .003,
          of = function(m) return m["idle 8/8"] end,
        },
      },
    },
  },
}
