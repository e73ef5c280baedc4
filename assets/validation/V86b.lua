local weft = require "weft"
local common = require "common"
local ring = require "ring"

local bytes = 16 * 1048576
local to_leader = ring.stream(3 * bytes // 1024) -- three members to their leader, and back
local leaders = 2 * ring.message(bytes // 2)

-- The same in two boxes of 4 GPUs: NVLink inside (500 GB/s, 1088 bytes for 1024), between the leaders
-- PCIe 4, NIC, the fabric at 100 Gb/s, NIC, PCIe. All times in us.
local nvlink, pcie = 1088 * 2e-6, 1120 / 31507692308 * 1e6
local hop = .001 + .2 -- a cable of the box and the node behind it
local inside = (3 * bytes // 1024 + 1) * nvlink + hop + .001
local between = (bytes // 2 // 1024 - 1) * ring.slot + 4 * (pcie + hop) + 2 * (1094 * 80e-6 + .025) + .5
local boxes = weft.scenario {
  fabric = weft.star {
    hosts = 2, rate = "100Gbps", delay = "25ns",
    box = weft.box { gpus = 4, nvlink = "500GB/s", pcie = 4, nics = 1 },
  },
  workload = weft.training {
    collective = weft.collective { kind = "hierarchical", bytes = bytes .. "B" },
    compute = "0us", steps = 1,
  },
  set = common.set { switch_latency = "500ns", ack_every = 0 },
}

return weft.validation {
  id = "V86b", source = "closed form: the sum of its phases",
  setup = "hierarchical all-reduce, two groups of 4, 16 MiB, 100 Gb/s, MTU 1024: round a switch, and in"
    .. " two boxes with NVLink",
  cases = {
    weft.case {
      scenario = ring.scenario(8, "100Gbps", "16MiB", { group = 4 }, nil, "hierarchical"),
      measures = { ring.time("all-reduce", 2 * to_leader + leaders, "1%") },
    },
    weft.case {
      name = "two boxes of 4", scenario = boxes,
      measures = { ring.time("all-reduce", 2 * inside + 2 * between, "1%") },
    },
  },
}
