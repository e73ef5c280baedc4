local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = common.scenes,
  weft.scene "main",
  "just a text", --> a lesson's item is a weft.say, weft.play, ..., not a string
  weft.pair { rate = "1Gbps", delay = "1us" }, --> not weft.pair
  { say = "x" }, --> a lesson's item is a weft.say, weft.play, ..., not a table
}
