local weft = require "weft"
local t = nil
return weft.lesson {
  id = t.name, --> attempt to index a nil value (local 't')
}
