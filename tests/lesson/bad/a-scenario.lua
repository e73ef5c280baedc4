-->0 this file must end with return weft.lesson { ... }
local weft = require "weft"
local common = require "common"
return weft.scenario { fabric = common.fabric, workload = common.training }
