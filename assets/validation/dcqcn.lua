-- Rows V40 to V46: N hosts send to one through one switch under DCQCN, without PFC.

local weft = require "weft"
local common = require "common"

local dcqcn = {}

-- `second`: when all but the first begin.
function dcqcn.scenario(n, rate, second)
  local flows = {}
  for i = 1, n do
    flows[i] = {
      src = "g" .. i, dst = "g" .. n + 1, bytes = common.endless,
      start = i > 1 and second or "0us",
    }
  end
  return (weft.scenario {
    fabric = common.star(n + 1, rate, "1us"), workload = weft.flows(flows),
    set = common.set { -- ACKs travel the idle way back and change nothing
      flow_control = "none", ack_every = 16, ecn = true, cc = "dcqcn", kmin = "5KB", kmax = "200KB",
      pmax = "1%", dcqcn_bytes = "10MB", timeout_exponent = 20,
    },
  })
end

function dcqcn.port(n) return "sw:" .. n + 1 end

function dcqcn.name(n, rate) return rate .. ", " .. n .. " senders" end

-- The payload rate of a 1024-byte packet on a line of so many Gb/s.
function dcqcn.ceiling(rate)
  return tonumber(rate:match("%d+")) * 1024 / 1106
end

return dcqcn
