local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

local function victim(n)
  local cables = "s1-s2 r-s2 vr-s2 v-s1"
  local flows = { { src = "v", dst = "vr", bytes = common.endless } }
  for i = 1, n do
    cables = cables .. " h" .. i .. "-s1"
    flows[i + 1] = { src = "h" .. i, dst = "r", bytes = common.endless }
  end
  return (weft.case {
    name = "V34 with " .. n .. " senders",
    scenario = weft.scenario {
      fabric = common.net("40Gbps", cables, { ["s1-s2"] = { rate = "400Gbps" } }),
      workload = weft.flows(flows), set = ib.set { mtu = "1024B" },
    },
    at = { "5ms", "25ms" },
    measures = {
      weft.measure {
        name = "gross rate of the victim", unit = "Gb/s", expected = 40 / n * 1050 / 1054,
        tolerance = "3%",
        of = function(m) return common.goodput(m[1], m[2], 1) * 1050 / 1024 end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V74", source = "closed form",
  setup = "V23 and V34 on credits",
  cases = {
    weft.case {
      name = "V23 with 8 senders",
      scenario = weft.scenario {
        fabric = common.star(9, "100Gbps"),
        workload = weft.incast { to = "g9", from = 8, bytes = "1MiB" },
        set = ib.set { mtu = "1024B", cred_min = "256ns" },
      },
      measures = {
        weft.measure {
          name = "last payload byte", unit = "ps", expected = 690883760, tolerance = "1%",
          of = function(m) return common.last_byte(m.last, 8) end,
        },
        common.none "dropped",
      },
    },
    victim(2), victim(4), victim(8),
  },
}
