local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.play { to = "barier" }, --> play.to: no "barier"; did you mean "barrier"?
  weft.play { to = "barrier", gear = "fifth" }, --> play.gear: no "fifth"
  weft.scene "mian", --> there is no scene "mian"; did you mean "main"?
}
