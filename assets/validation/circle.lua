-- Rows V38, V39b and V39c: four switches in a ring, 40 Gb/s. Each flow goes two hops clockwise from
-- a host h to a host r; its ACKs go back the way it came, where nobody else is.

local weft = require "weft"
local common = require "common"

local circle = {}

function circle.scenario(flows, load, set)
  local all = { timeout_exponent = 20 }
  for knob, value in pairs(set or {}) do all[knob] = value end
  local cables, routes, streams = "s1-s2 s2-s3 s3-s4 s4-s1", {}, {}
  for i = 1, 4 do cables = cables .. (" h%d-s%d r%d-s%d"):format(i, i, i, i) end
  for i = 1, 4 do
    local next, far = i % 4 + 1, (i + 1) % 4 + 1
    routes[#routes + 1] = { at = "s" .. i, to = "r" .. far, via = "s" .. next }
    routes[#routes + 1] = { at = "s" .. far, to = "h" .. i, via = "s" .. next }
  end
  for _, i in ipairs(flows) do
    local full = load == 1
    streams[#streams + 1] = {
      src = "h" .. i, dst = "r" .. (i + 1) % 4 + 1, bytes = full and common.endless or "1024B",
      load = not full and load or nil,
    }
  end
  return (weft.scenario {
    fabric = common.net("40Gbps", cables), workload = weft.flows(streams), set = common.set(all),
    routes = routes,
  })
end

circle.all = { 1, 2, 3, 4 }

-- The run has ended by itself and says why.
function circle.diagnosed()
  return common.holds("ended as a deadlock", function(m)
    return m.last.outcome == "stalled" and m.last.stall == "deadlock"
  end)
end

function circle.size()
  return (weft.measure {
    name = "ports in the circle", unit = "ports", expected = 4,
    of = function(m) return m.last.cycle end,
  })
end

return circle
