local weft = require "weft"
local incast = require "lossy-incast"

local function case(n, least, most)
  return (weft.case {
    name = n .. " senders", seeds = 12, -- whether a last packet dies is luck
    scenario = incast.scenario(n, {
      flow_control = "none", ecn = true, cc = "dcqcn", kmin = "5KB", kmax = "200KB", pmax = "1%",
    }),
    measures = {
      weft.measure {
        name = "of the ideal", unit = "times", least = least, most = most,
        of = function(m) return incast.times(m.last, n) end,
      },
    },
  })
end

return weft.validation {
  id = "V58", source = "independent experiment",
  setup = "V57 with DCQCN, go-back-N, no PFC; mean of 12 seeds",
  cases = { case(4, 1.7, 2.1), case(16, 10) },
}
