local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.drop { flow = "g1>g9", which = "last" }, --> there is no flow g1>g9 in this scene; did you mean
  weft.drop { flow = "nobody", which = 3 }, --> there is no flow nobody in this scene
  weft.drop { flow = "g1>g2", which = "last" },
  weft.fault "burst 3 g1>g9", --> there is no flow "g1>g9" in this fabric
  weft.fault "link leaf9:1 down", --> there is no port "leaf9:1" in this fabric
  weft.fault "burst 3 g1>g2",
}
