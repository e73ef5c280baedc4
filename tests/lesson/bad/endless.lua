-->any this runs too long (an endless loop?)
local n = 0
while true do
  n = n + 1 end
