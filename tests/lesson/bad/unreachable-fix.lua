-- What the learner has no switch for cannot be the solution.
local weft = require "weft"
local common = require "common"
local function check(r) return r.packets.dropped == 0 end
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.say "No switch for it.",
  weft.fix { goal = "g", check = check, solution = { xoff = "100KB" } }, --> fix.solution.xoff: this card has no such switch; write weft.switch { knob = "xoff"
  weft.say "One without that value.",
  weft.switch { knob = "xoff", values = { "100KB", "200KB" } },
  weft.fix { goal = "g", check = check, solution = { xoff = "300KB" } }, --> fix.solution.xoff: this card's switch does not offer
}
