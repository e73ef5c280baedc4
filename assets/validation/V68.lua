local weft = require "weft"
local common = require "common"

-- 36 hosts at 40 Gb/s, 6 leaves, 6 spines, cables of 400 m; a port holds two bandwidth-delay
-- products. Messages as in IRN18: half are one packet, 15 % hold 200 KB to 3 MB; 70 % load.
local hosts, length_us, load = 36, 3000, .7
local flows, ideal, state = {}, {}, 7
local function draw()
  state = (state * 1103515245 + 12345) % 2147483648
  return ((state >> 8) + .5) / (1 << 23)
end

local function size()
  local which, low, high = draw(), 32, 1000
  if which > .85 then low, high = 200000, 3000000
  elseif which > .5 then low, high = 1000, 200000 end
  return math.floor(low * (high / low) ^ draw())
end

local mean = 0
for _ = 1, 10000 do mean = mean + size() / 10000 end
for host = 1, hosts do
  local t = 0
  while true do
    t = t - math.log(draw()) * mean * 8 / (load * 40e3) -- us
    if t >= length_us then break end
    local to = (host + math.floor(draw() * (hosts - 1))) % hosts + 1
    local bytes = size()
    flows[#flows + 1] = {
      src = "g" .. host, dst = "g" .. to, bytes = bytes .. "B", start = math.floor(t * 1e6) .. "ps",
    }
    local packets = (bytes + 1023) // 1024
    ideal[#ideal + 1] = ((bytes + packets * 82) * 200 + 8 * 2e6 + 4 * 1106 * 200) -- there and back
  end
end

local function scenario(set)
  set.routing, set.queue_cap, set.retry_limit = "ecmp", "240KB", 1000
  set.xoff, set.xon, set.headroom, set.timeout_exponent = "220KB", "auto", "40KB", 7
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 6, spines = 6, hosts = 6, rate = "40Gbps", delay = "2us" },
    workload = weft.flows(flows), set = common.set(set),
  })
end

local function slowdown(moment)
  local sum = 0
  for i = 1, #flows do
    local flow = moment.flow(i)
    sum = sum + (flow.acked_at - flow.start).ps / ideal[i]
  end
  return sum / #flows
end

return weft.validation {
  id = "V68", full = true, source = "IRN18: direction only",
  setup = "36 hosts at 40 Gb/s, heavy-tailed messages at 70 % load, no congestion control",
  cases = {
    weft.case {
      scenarios = {
        scenario {},
        scenario {
          flow_control = "none", transport = "selective", window = 110, rto_low = "100us",
          rto_high = "320us",
        },
        scenario { flow_control = "none" },
      },
      measures = {
        weft.measure {
          name = "go-back-N with PFC over selective repeat without, mean slowdown", unit = "times",
          least = 1.06, of = function(m) return slowdown(m[1].last) / slowdown(m[2].last) end,
        },
        weft.measure {
          name = "go-back-N without PFC over with, mean slowdown", unit = "times", least = 1,
          of = function(m) return slowdown(m[3].last) / slowdown(m[1].last) end,
        },
      },
    },
  },
}
