local weft = require "weft"
local common = require "common"

local function case(name, set, closed, tolerance, peers)
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = common.star(2), set = set,
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "10MiB" } },
    },
    measures = {
      common.fct(1, "FCT", common.last, { expected = closed, tolerance = tolerance, peers = peers }),
    },
  })
end

local sizes = common.sizes
-- ours: a slot of 4158 + 20 B; the last bit of a frame comes 12 B before its slot is over
local ours = 2559 * 4178 * 80e-6 + 2 * (4166 + 74) * 80e-6 + 4

return weft.validation {
  id = "P1", source = common.source "csg uet hpcc",
  setup = "one flow of 10 MiB through one switch, 100 Gb/s",
  cases = {
    case("RoCEv2 on Ethernet", common.ours {}, ours, 0.001),
    case("csg's sizes", common.csg {}, common.alone(sizes.csg, 2560, 2), 0.001,
      { common.near("csg", 856.311, "0.01%"), common.near("uet", 856.311, "0.01%") }),
    case("hpcc's sizes", common.hpcc(4), common.alone(sizes.hpcc, 2560, 2), 0.001,
      { common.near("hpcc", 851.699, "0.2%") }),
    case("hpcc's sizes, 1000 B of payload", common.hpcc(4, { mtu = "1000B" }),
      -- 10,486 packets, the last of 760 B
      10485 * 1048 * 80e-6 + 2 * 808 * 80e-6 + 240 * 80e-6 + 4 + 2 * 60 * 80e-6, 0.001,
      { common.near("hpcc", 874.410, "0.2%", common.whole_ns_1000) }),
  },
}
