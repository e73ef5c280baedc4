local weft = require "weft"
local common = require "common"

local function case(n, alpha, expected)
  local at = {}
  for i = 0, 399 do at[i + 1] = 4000 + 10 * i .. "us" end
  return (weft.case {
    name = n .. " senders, alpha " .. alpha,
    scenario = weft.scenario {
      fabric = common.star(n + 1, "100Gbps"),
      workload = weft.incast { to = "g" .. n + 1, from = n, bytes = "16GiB" },
      set = common.set { -- 4 MB to share; headroom comes on top
        headroom = "20000B", buffer = 4000000 + (n + 1) * 20000 .. "B", alpha = alpha, xon = "auto",
        timeout_exponent = 20,
      },
    },
    at = at,
    measures = {
      weft.measure {
        name = "held from one neighbour", unit = "KB", expected = expected, tolerance = "1%",
        of = function(m)
          local sum = 0
          for i = 1, #m do sum = sum + m[i].port("sw:1").held.kb end
          return sum / #m
        end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V29", source = "closed form, independent experiment: alpha B / (1 + n alpha)",
  setup = "dynamic threshold: n congested neighbours share 4 MB",
  cases = { case(2, "1", 1333), case(4, "1", 800), case(8, "1/8", 250), case(4, "1/16", 200) },
}
