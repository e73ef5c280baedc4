local weft = require "weft"
local common = require "common"

-- Two leaves, 8 hosts each, 8 spines, all cables alike: host i of one leaf sends to host i of the
-- other. Buffers have no end, nobody is paused: the busiest uplink works from the first packet to
-- the last, so the flows are done when it is.
local function scenario(pairs)
  local flows = {}
  for i = 1, 8 do flows[i] = { src = "g" .. i, dst = "g" .. i + 8, bytes = "1MiB" } end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "100Gbps", delay = "25ns" },
    workload = weft.flows(flows),
    set = common.set { routing = "ecmp", queue_pairs = pairs, flow_control = "none", ack_every = 0 },
  })
end

local slot = 1106 * 80
local alone = 1023 * slot + 4 * (1094 * 80 + 25000)

-- Time of the busiest uplink, as a multiple of what one flow needs.
local function busiest(m)
  local most = 0
  for port = 9, 16 do most = math.max(most, m.last.port("leaf1:" .. port).busy.ps) end
  return most / (1024 * slot)
end

local function slowdown(m, pairs) return common.last_byte(m.last, 8 * pairs).ps / alone end

-- 8n balls into 8 bins: mean and deviation of the fullest bin, over n. 60,000 to 200,000 draws.
local function case(pairs, mean, deviation)
  local seeds = 40
  return (weft.case {
    name = pairs .. " queue pairs each", seeds = seeds, scenario = scenario(pairs),
    measures = {
      weft.measure { -- three deviations of a mean of so many draws
        name = "busiest uplink, mean of 40 hashes", unit = "times", expected = mean,
        tolerance = 3 * deviation / seeds ^ 0.5, of = busiest,
      },
      weft.measure {
        name = "slowdown over load of the busiest uplink", unit = "times", expected = 1,
        tolerance = "1%", of = function(m) return slowdown(m, pairs) / busiest(m) end,
      },
    },
  })
end

return weft.validation {
  id = "V64b", source = "closed form (Monte Carlo)",
  setup = "8 flows hashed on 8 paths, each over 1, 4 or 16 queue pairs: the busiest link nears the fair share",
  cases = { case(1, 2.5964, 0.687), case(4, 1.7611, 0.298), case(16, 1.3705, 0.138) },
}
