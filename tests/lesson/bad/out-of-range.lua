local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 2, --> lesson.api must be 1, not 2
  id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.leaf_spine {
        leaves = 0, --> leaf_spine.leaves must be a whole number from 1 to 1024
        spines = 1e9, --> leaf_spine.spines must be a whole number from 1 to 1024
        hosts = 2, rate = "100Gbps", delay = "500ns",
      },
      workload = common.training,
    },
  },
  weft.scene "main",
  weft.set {
    timeout_exponent = 99, --> timeout_exponent
  },
}
