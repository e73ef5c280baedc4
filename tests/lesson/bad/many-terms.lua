local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  terms = { "barrier", "PFC", "XOFF", "XON", "NAK" }, --> at most 4 here, not 5
  scenes = common.scenes,
  weft.scene "main",
}
