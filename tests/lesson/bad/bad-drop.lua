local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.drop { flow = "g1>g2", which = "lst" }, --> drop.which wants
  weft.drop { flow = "g1>g2", which = 0 }, --> drop.which wants
  weft.fault "burst many", --> write: burst NUMBER
  weft.fault "set pfc off", --> a switch is no fault
  weft.drop { flow = "g1>g2", which = 1, attempts = 0 }, --> drop.attempts must be
  weft.play { to = "barrier", time = "5us" }, --> weft.play wants
  weft.play { gear = "round" }, --> weft.play wants
}
