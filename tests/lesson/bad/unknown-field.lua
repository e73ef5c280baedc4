local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5, scenes = common.scenes,
  autor = "me", --> weft.lesson has no field `autor`
  weft.scene "main",
  weft.predict {
    ask = "?", choices = { "a", "b" }, because = "b",
    thruth = common.truth, --> weft.predict has no field `thruth`; did you mean `truth`?
    truth = common.truth,
  },
  weft.play {
    to = "barrier",
    geer = "round", --> weft.play has no field `geer`; did you mean `gear`?
  },
}
