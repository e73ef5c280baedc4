local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.set {
    pfc = true,
    xof = "100KB", --> xoff
  },
  weft.switch { knob = "rank_order",
    values = { "rack", "mixd" }, --> rank_order
  },
  weft.switch { knob = "pfc",
    values = { true }, --> switch.values wants 2 to 8 values
  },
}
