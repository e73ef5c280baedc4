local weft = require "weft"
local common = require "common"
local rates = require "rates"

local function victim(extra, expected, disputed)
  return (weft.case {
    name = extra .. " more senders",
    scenario = rates.victim(extra, { xoff = "24KB", xon = "auto", headroom = "30KB" }),
    at = { "2ms", "12ms" }, seeds = 41, over = "median",
    measures = {
      weft.measure {
        name = "gross rate of the victim", unit = "Gb/s", expected = expected, tolerance = "15%",
        of = function(m) return common.gross(m[1], m[2], 1) end, disputed = disputed,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V35", full = true, source = "independent experiment; DCQCN15 figure 4",
  setup = "victim in a fabric of ToRs, leaves and spines, 40 Gb/s; median of 41 ECMP seeds",
  cases = {
    victim(0, 9.8), victim(1, 6.6),
    victim(2, 4.9, "the victim's rate falls in steps; over 300 seeds 44 % are at 4.9 or below, so "
      .. "the median lies on the step above, 6.55, and 41 seeds may find it on either side"),
  },
}
