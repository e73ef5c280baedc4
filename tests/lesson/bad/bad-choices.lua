local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.predict { ask = "?", because = "b", truth = common.truth,
    choices = { "only one" }, --> predict.choices wants 2 to 4 answers
  },
  weft.predict { ask = "?", because = "b", truth = common.truth,
    choices = { "one", { beleif = "x" } }, --> weft.choice has no field `beleif`; did you mean `belief`? --> a choice is a text
  },
}
