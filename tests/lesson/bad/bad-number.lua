local weft = require "weft"
local common = require "common"
local function yes() return true end
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.predict { ask = "?", because = "b", truth = common.truth, answer = "numbr", unit = "time" }, --> did you mean "number"?
  weft.predict { ask = "?", because = "b", truth = common.truth, answer = "number" }, --> predict.unit: a number needs one
  weft.predict { ask = "?", because = "b", truth = common.truth, answer = "number", unit = "us" }, --> predict.unit: no "us"
  weft.predict { ask = "?", because = "b", truth = common.truth, answer = "number", unit = "time", choices = { "a", "b" } }, --> predict.choices: a number has none
  weft.predict { ask = "?", because = "b", truth = common.truth }, --> weft.predict needs `choices`
  weft.predict { ask = "?", because = "b", truth = common.truth, choices = { "a", "b" }, low = "no" }, --> predict.low goes with answer
  weft.claim { text = "a", check = yes, scenes = { "man" } }, --> there is no scene "man"; did you mean "main"?
  weft.claim { text = "a", check = yes, scenes = {} }, --> claim.scenes wants 1 to 4 names
  weft.claim { check = yes, scenes = { "main" } }, --> weft.claim needs `text`
}
