local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = { --> small letters, digits, _ and - only -->file common.lua:13: star.hosts must be a whole number from 2 to 1024
    main = weft.scenario { fabric = common.broken, workload = common.training },
    ["no\27[2Jname"] = weft.scenario { fabric = common.fabric, workload = common.training },
  },
  weft.scene "main",
}
