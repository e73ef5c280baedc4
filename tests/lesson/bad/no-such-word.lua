local weft = require "weft"
local item = weft.scne "main" --> there is no weft.scne; did you mean weft.scene?
return item
