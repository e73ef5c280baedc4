local weft = require "weft"
local common = require "common"
return weft.lesson { --> weft.lesson needs `title`
  api = 1, id = "x", year = 2014, minutes = 5, scenes = common.scenes,
  weft.scene "main",
  weft.predict { ask = "?", choices = { "a", "b" }, because = "b" }, --> weft.predict needs `truth`
  weft.switch { --> weft.switch needs `values`
    knob = "pfc",
  },
}
