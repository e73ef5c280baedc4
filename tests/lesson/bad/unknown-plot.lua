local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.plot { "qeue leaf1:3" }, --> there is no plot qeue; did you mean queue?
  weft.plot { "queue leaf1:3", "held leaf9:1" }, --> there is no port leaf9:1; did you mean leaf
  weft.plot { "goodput g1>g9" }, --> there is no flow g1>g9; did you mean
  weft.plot { "queue" }, --> a plot is a word and what it is of
}
