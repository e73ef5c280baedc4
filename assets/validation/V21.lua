local weft = require "weft"
local headroom = require "headroom"

return weft.validation {
  id = "V21", source = "closed form, independent experiment",
  setup = "V20 for other rates, cables, frames and response times",
  cases = {
    headroom.case({ rate = 100, delay = "500ns", mtu = 4096 }, 4),
    headroom.case({ rate = 400, delay = "500ns", mtu = 4096 }, 12),
    headroom.case({ rate = 400, delay = "500ns", mtu = 4096, response = "1us" }, 24),
    headroom.case({ rate = 40, delay = "1500ns", mtu = 1500 }, 10),
    headroom.case({ rate = 100, delay = "25ns", mtu = 1024 }, 1),
    headroom.case({ rate = 10, delay = "50ns", mtu = 1024, response = "3us" }, 4),
  },
}
