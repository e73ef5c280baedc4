-- Rows P5 and P5solo: two leaves with eight hosts each, one spine, one cable from each leaf to it. Four
-- neighbours of g16 and two hosts of the other leaf send to it; the victim goes to g15.

local weft = require "weft"

local victim = {}

victim.flow = { src = "g3", dst = "g15", bytes = "8MiB" }

-- Locals 1 to 4, remote senders 5 and 6, the victim.
victim.flows = {}
for i, src in ipairs { 9, 10, 11, 12, 1, 2 } do
  victim.flows[i] = { src = "g" .. src, dst = "g16", bytes = "8MiB" }
end
victim.flows[7] = victim.flow

function victim.scenario(set, flows)
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 1, hosts = 8, rate = "100Gbps", delay = "1us" },
    workload = weft.flows(flows or victim.flows), set = set,
  })
end

return victim
