-- Metatables are not asked: what is not in the table itself is not there.
local weft = require "weft"
local common = require "common"
local liar = setmetatable({}, {
  __index = function() error("I was asked") end,
  __len = function() return 1 << 62 end,
  __pairs = function() error("I was asked") end,
})
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5, scenes = common.scenes,
  weft.scene "main",
  weft.set(liar), --> weft.set is empty
  liar, --> a lesson's item is a weft.say, weft.play, ..., not a table
}
