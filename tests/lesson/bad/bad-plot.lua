local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.plot {}, --> weft.plot wants 1 to 6 names
  weft.plot { 3 }, --> weft.plot wants names, as "queue leaf1:3", not a number
  weft.plot { "queue leaf1:3", wat = 1 }, --> weft.plot has no field `wat`
}
