local weft = require "weft"
local item = weft.sing "la" --> attempt to call a nil value (field 'sing')
return item
