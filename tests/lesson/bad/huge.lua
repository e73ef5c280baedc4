local weft = require "weft"
local common = require "common"
local many = {}
for i = 1, 100000 do many[i] = "barrier" end
local keys = { api = 1, id = "x", title = "X", year = 2014, minutes = 5, scenes = common.scenes }
for i = 1, 100000 do keys["k" .. i] = i end
keys.terms = many
return weft.lesson(keys) --> no field `k --> no field `k --> no field `k --> no field `k --> no field `k --> no field `k --> no field `k --> no field `k --> at most 4 here, not 100000 --> first item is weft.scene
