local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  weft.say [[ It took {steps[1].duration and}. ]], --> in prose, {steps[1].duration and}
  weft.say [[
    A brace {that never ends. --> a { in prose has no }
  ]],
  weft.say "", --> say.text is empty
  weft.say [[ {{this}} is fine, and {"so } is this"}. ]],
}
