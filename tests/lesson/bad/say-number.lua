local weft = require "weft"
local item = weft.say(42) --> weft.say wants a text, not a number: write weft.say "..." or weft.say [[ ... ]]
return item
