local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  sources = { "NCCL", "Nobody99" }, --> assets/bibliography has no entry "Nobody99"
  terms = { "barrier", "flux capacitor" }, --> assets/glossary.txt has no entry "flux capacitor"
  scenes = common.scenes,
  weft.scene "main",
}
