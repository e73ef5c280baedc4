local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, title = "X", year = 2014, minutes = 5,
  id = "../x", --> lesson.id: "../x" may hold small letters, digits and - only
  scenes = common.scenes,
  weft.scene "main",
}
