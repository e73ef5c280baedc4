local weft = require "weft"
return weft.lesson {
  api = 1
  id = "x", --> is a comma missing?
}
