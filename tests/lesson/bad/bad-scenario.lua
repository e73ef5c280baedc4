local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = common.training, --> scenario.fabric wants weft.leaf_spine or weft.fat_tree or weft.star or weft.pair or weft.fabric, not a weft.training
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
  },
  weft.scene "a",
}
