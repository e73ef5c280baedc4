local weft = require "weft"

return weft.scenario {
  name = "No PFC: spray, lose, send again what is missing",
  year = 2025,
  about = [[
    **In the spirit of Ultra Ethernet** [UEC10]: full queues drop, every packet goes its own way, only what
    is missing is sent again. {packets.dropped} lost, {packets.retransmitted} sent again. Switch 1: what
    would PFC change? Switch 2: and go-back-N?
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 4, hosts = 8, rate = "400Gbps", delay = "500ns" },
  workload = weft.incast { to = "g16", from = 8, bytes = "2MiB" },
  set = {
    flow_control = "none", routing = "spray", transport = "selective", window = 64,
    queue_cap = "1MB", reorder_window = "20us",
  },
  offers = {
    weft.switch { knob = "flow_control", values = { "none", "pfc" }, label = "pause" },
    weft.switch { knob = "transport", values = { "selective", "go_back_n" }, label = "sender" },
  },
  true_size = "links, packets, timers",
}
