local weft = require "weft"

return weft.scenario {
  name = "RDMA on Ethernet that drops",
  year = 2010,
  about = [[
    **Full queues drop.** Four senders, one receiver, go-back-N: {packets.dropped} packets lost,
    {packets.retransmitted} sent again, {timeouts} timeouts. Switch 1 gives this network PFC, switch 2 a
    sender that sends only what is missing.
  ]],
  fabric = weft.star { hosts = 5, rate = "40Gbps", delay = "500ns" },
  workload = weft.incast { to = "g5", from = 4, bytes = "1MiB" },
  set = { flow_control = "none", mtu = "1024B", queue_cap = "128KB" },
  offers = {
    weft.switch { knob = "flow_control", values = { "none", "pfc" }, label = "pause" },
    weft.switch { knob = "transport", values = { "go_back_n", "selective" }, label = "sender" },
  },
  true_size = "links, packets, timers",
}
