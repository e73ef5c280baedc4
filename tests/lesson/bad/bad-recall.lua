local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5, builds_on = { 1 }, --> lesson.builds_on[1] wants the id of a lesson
  scenes = common.scenes,
  weft.scene "main",
  weft.note [[ {packets. ]], --> a { in prose has no }
  weft.recall { ask = "?", because = "b", choices = { "a", "b" }, right = 1 }, --> weft.recall needs `from`
  weft.recall { from = "y", ask = "?", because = "b", choices = { "a", "b" }, right = 3 }, --> recall.right: there are 2 choices
  weft.recall { from = "y", ask = "?", because = "b", choices = { "a" }, right = 1 }, --> recall.choices wants 2 to 4 answers
  weft.recall { from = "Not An Id", ask = "?", because = "b", choices = { "a", "b" }, right = 1 }, --> may hold small letters, digits and - only
  weft.recall { from = "y", ask = "?", because = "b", choices = { "a", "b" }, truth = common.truth, right = 1 }, --> weft.recall has no field `truth`
}
