local weft = require "weft"
local common = require "common"
return weft.lesson { --> a lesson's first item is weft.scene
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
}
