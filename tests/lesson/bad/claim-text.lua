local weft = require "weft"
local item = weft.claim("it is true") --> weft.claim wants a function, not a nil
return item
