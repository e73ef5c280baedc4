-- Nesting without end and a table that holds itself: nobody walks into them.
local weft = require "weft"
local t = {}
t.t = t
local deep = {}
for _ = 1, 10000 do deep = { deep } end
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = t, --> scene t wants weft.scenario{...}
  weft.scene "t",
  deep, --> a lesson's item is a weft.say, weft.play, ..., not a table
}
