local weft = require "weft"
local part = weft.choice { "yes" } --> there is no weft.choice: write a plain table, { ... }
return part
