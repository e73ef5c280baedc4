local weft = require "weft"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {}, --> scenes is empty
  weft.scene "main", --> there is no scene "main"
}
