local weft = require "weft"
local common = require "common"
return weft.lesson { --> its list has a hole or an odd key
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  [1 << 40] = weft.say "far away",
  [-1] = 1, [0.5] = 2, [true] = 3,
}
