local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario { --> xon
      fabric = common.fabric, workload = common.training,
      set = { xoff = "10KB", xon = "20KB" },
    },
  },
  weft.scene "main",
}
