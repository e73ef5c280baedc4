local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.compare "set flow_contrl none", --> did you mean
  weft.focus {}, --> weft.focus wants `view = "events"`
  weft.focus { view = "event" }, --> did you mean "events"?
  weft.focus { node = "leaf9" }, --> there is no node leaf9 in this fabric
  weft.compare "make it faster", --> make
}
