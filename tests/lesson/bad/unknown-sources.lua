local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  sources = { "NCCL", "Nobody99" }, --> lesson.sources[2]: the bibliography has no "Nobody99"
  terms = { "barrier", "flux capacitor" }, --> lesson.terms[2]: the glossary has no "flux capacitor"; explain it here: ["flux capacitor"] = "..."
  scenes = common.scenes,
  weft.scene "main",
}
