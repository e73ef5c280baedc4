-- Rows V32 to V36: what flows get when ports share equally and flows do not.

local weft = require "weft"
local common = require "common"

local rates = {}

rates.parking_lot = common.net("40Gbps", "s1-s2 h1-s1 h2-s1 h3-s1 h4-s2 r-s2")

-- Gross rate of each flow over 20 ms against `expected` (number = { Gb/s, who }); `set`: what is not as
-- usual, or nil.
function rates.case(name, fabric, workload, expected, set)
  local measures = { common.none "dropped" }
  for _, row in ipairs(expected) do
    measures[#measures + 1] = weft.measure {
      name = "gross rate of " .. row[2], unit = "Gb/s", expected = row[3], tolerance = "2%",
      of = function(m) return common.gross(m[1], m[2], row[1]) end,
    }
  end
  return (weft.case {
    name = name,
    scenario = weft.scenario { fabric = fabric, workload = workload, set = common.set(set) },
    at = { "5ms", "25ms" }, measures = measures,
  })
end

-- Four ToRs, four leaves, two spines, all 40 Gb/s. H11 to H14 and 0 to 2 more hosts send to R;
-- the victim VS, under the same ToR as H11 to H14, sends to VR, where nobody else sends.
function rates.victim(extra, set)
  local flows = { { src = "vs", dst = "vr", bytes = common.endless } }
  for i = 1, 4 do flows[#flows + 1] = { src = "h1" .. i, dst = "r", bytes = common.endless } end
  for i = 1, extra do flows[#flows + 1] = { src = "e" .. i, dst = "r", bytes = common.endless } end
  set.routing = "ecmp"
  return (weft.scenario {
    fabric = common.net("40Gbps", [[
      t1-l1 t1-l2 t2-l1 t2-l2 t3-l3 t3-l4 t4-l3 t4-l4
      l1-s1 l1-s2 l2-s1 l2-s2 l3-s1 l3-s2 l4-s1 l4-s2
      h11-t1 h12-t1 h13-t1 h14-t1 vs-t1 vr-t2 e1-t3 e2-t3 r-t4]]),
    workload = weft.flows(flows), set = common.set(set),
  })
end

return rates
