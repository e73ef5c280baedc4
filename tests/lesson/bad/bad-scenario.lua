local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = common.training, --> scenario.fabric wants weft.leaf_spine or weft.fat_tree or weft.star or weft.rail or weft.ring or weft.pair or weft.box or weft.fabric, not a weft.training
      workload = weft.training {
        collective = common.fabric, --> training.collective wants weft.ring_allreduce or weft.collective, not a weft.leaf_spine
        compute = "1us", steps = 1,
      },
    },
    b = common.fabric, --> scene b wants weft.scenario{...}
    c = weft.scenario {
      fabric = common.fabric,
      workload = weft.flows {
        { src = "g1", dst = "g2", bytes = "1MiB" },
        { src = "g1", dst = "g7", bytes = "1MiB" }, --> there is no host g7 in this fabric
        { src = "g1", dst = "g2" }, --> weft.flow needs `bytes`
        "g1>g2", --> weft.flows holds tables
      },
    },
    d = weft.scenario { --> pin: g1>g3 does not come by spine9; did you mean spine1?
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host" }, weft.node { name = "g3", kind = "host" },
          weft.node { name = "spine1", kind = "switch" }, weft.node { name = "spine9", kind = "switch" },
        },
        links = {
          weft.link { a = "g1", b = "spine1", rate = "10Gbps", delay = "5ns" },
          weft.link { a = "g3", b = "spine1", rate = "10Gbps", delay = "5ns" },
        },
      },
      workload = weft.flows { { src = "g1", dst = "g3", bytes = "1MiB" } },
      pins = { { flow = "g1>g3", via = "spine9" } },
    },
    e = weft.scenario {
      fabric = common.fabric,
      workload = common.training,
      pins = {
        { flow = "g1>g3", via = "spin1" }, --> there is no node spin1 in this fabric; did you mean spine1?
        { flow = "g1>g3" }, --> weft.pin needs `via`
        "g1>g3", --> pins holds tables
      },
    },
  },
  weft.scene "a",
}
