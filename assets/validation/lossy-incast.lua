-- Rows V57 and V58: N to 1 at 100 Gb/s, cables of 200 m, 4 MiB each, ports that hold 500 KB.

local weft = require "weft"
local common = require "common"

local incast = {}

function incast.scenario(n, set)
  local all = {
    queue_cap = "500KB", timeout_exponent = 12, retry_limit = 1000,
    -- the timeouts of IRN (24 us round trip) scaled to this round trip of 4.3 us
    rto_low = "18us", rto_high = "57us",
  }
  for knob, value in pairs(set) do all[knob] = value end
  return (weft.scenario {
    fabric = common.star(n + 1, "100Gbps", "1us"),
    workload = weft.incast { to = "g" .. n + 1, from = n, bytes = "4MiB" },
    set = common.set(all),
  })
end

-- How many times the time of a line that is never idle.
function incast.times(moment, n)
  local ideal = (n * 4096 - 1) * 1106 * 80 + 2 * (1094 * 80 + 1000000)
  return common.last_byte(moment, n).ps / ideal
end

return incast
