local weft = require "weft"
local headroom = require "headroom"

return weft.validation {
  id = "V20", source = "closed form, independent experiment",
  setup = "headroom: a sender at line rate into a blocked port, XOFF at 20 frames",
  cases = { headroom.case({ rate = 100, delay = "500ns", mtu = 1024 }, 12) },
}
