-- What the broken lessons share: everything that is not broken in them.
local weft = require "weft"

local common = {}

common.fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 2, rate = "100Gbps", delay = "500ns" }
common.training = weft.training {
  collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "5us", steps = 4,
}
common.scenes = { main = weft.scenario { fabric = common.fabric, workload = common.training } }

-- Broken after all, for module.lua: the message must name this file.
common.broken = weft.star { hosts = 1, rate = "100Gbps", delay = "500ns" }

function common.truth() return 1 end

return common
