local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", scenes = common.scenes,
  title = 12, --> lesson.title wants a text, not a number
  year = "2014", --> lesson.year wants a whole number, not a string
  minutes = 5.5, --> lesson.minutes must be a whole number from 1 to 60
  weft.scene "main",
  weft.predict { ask = "?", choices = { "a", "b" }, because = "b",
    truth = 2, --> predict.truth wants function(r) return ... end, not a number
  },
  weft.drop { flow = "g1>g2", which = "last",
    ask = "yes", --> drop.ask wants true or false, not a string
  },
}
