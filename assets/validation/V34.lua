local weft = require "weft"
local common = require "common"
local rates = require "rates"

local function victim(n, expected, set)
  local cables = "s1-s2 r-s2 vr-s2 v-s1"
  local flows = { { src = "v", dst = "vr", bytes = common.endless } }
  for i = 1, n do
    cables = cables .. " h" .. i .. "-s1"
    flows[i + 1] = { src = "h" .. i, dst = "r", bytes = common.endless }
  end
  return rates.case(n .. " senders" .. (set and ", an endless buffer and no PFC" or ""),
    common.net("40Gbps", cables, { ["s1-s2"] = { rate = "400Gbps" } }), weft.flows(flows),
    { { 1, "the victim", expected } }, set)
end

return weft.validation {
  id = "V34", source = "closed form, independent experiment: 40/n; without PFC 40",
  setup = "victim: n senders and V on S1, trunk 400 Gb/s, hosts 40 Gb/s; they send to R, V to VR",
  cases = {
    victim(2, 19.64), victim(4, 9.82), victim(8, 4.91), victim(2, 39.28, { flow_control = "none" }),
    victim(8, 39.28, { flow_control = "none" }),
  },
}
