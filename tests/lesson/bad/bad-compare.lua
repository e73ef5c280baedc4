local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.compare "set flow_contrl none", --> did you mean
  weft.compare "make it faster", --> make
}
