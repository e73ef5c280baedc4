local weft = require "weft"
local common = require "common"
local function check(r) return r.packets.dropped == 0 end
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.fix { check = check, solution = { pfc = true } }, --> weft.fix needs `goal`
  weft.fix { goal = "g", solution = { pfc = true } }, --> weft.fix needs `check`
  weft.fix { goal = "g", check = check }, --> weft.fix needs `solution`
  weft.fix { goal = "g", check = check, solution = {} }, --> fix.solution is empty
  weft.fix { goal = "g", check = check, solution = { pcf = true } }, --> did you mean
  weft.fix { goal = "g", check = true, solution = { pfc = true } }, --> fix.check wants function(r) return ... end, not a boolean
  weft.fix { goal = "g", check = check, solution = { pfc = true }, because = "b {" }, --> a { in prose has no }
  weft.fix { goal = "g", check = check, solution = { pfc = true },
    hints = { 1 }, --> fix.hints: a hint is a text
  },
  weft.fix { goal = "g", check = check, solution = { pfc = true }, hint = { "a" } }, --> weft.fix has no field `hint`; did you mean `hints`?
}
