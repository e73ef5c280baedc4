-- Rows V50 to V58: what a loss costs.

local weft = require "weft"
local common = require "common"

local loss = {}

-- One flow through one switch, and a command that loses some of its packets.
function loss.scenario(rate, delay, command, set, bytes)
  local all = { timeout_exponent = 12, rto_low = "320us", retry_limit = 1000 }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return (weft.scenario {
    fabric = common.star(2, rate, delay), workload = common.one_flow(bytes or common.endless),
    set = common.set(all), faults = { { command } },
  })
end

-- Goodput as a share of what the line could carry.
function loss.share(a, b, rate)
  return common.goodput(a, b, 1) / (tonumber(rate:match("%d+")) * 1024 / 1106)
end

return loss
