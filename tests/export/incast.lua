-- Two senders, one receiver: with the settings of tshark.sh it sends every kind of frame there is.
local weft = require "weft"

return weft.scenario {
  fabric = weft.star { hosts = 3, rate = "100Gbps", delay = "500ns" },
  workload = weft.incast { to = "g3", from = 2, bytes = "300KB" },
  set = { mtu = "1024B", xoff = "20KB" },
}
