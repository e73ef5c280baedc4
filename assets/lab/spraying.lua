local weft = require "weft"

return weft.scenario {
  name = "Spraying: every packet its own way",
  year = 2023,
  about = [[
    **All cables are used, and packets arrive in another order** [SpecX]. A receiver that waits for a moment
    bears it: {naks} NAKs. Switch 1: and one that expects them in order?
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "400Gbps", delay = "500ns" },
  workload = weft.permutation { shift = 8, bytes = "4MiB" },
  set = { routing = "spray", transport = "selective", reorder_window = "100us" },
  offers = {
    weft.switch { knob = "transport", values = { "selective", "go_back_n" }, label = "sender" },
    weft.switch { knob = "reorder_window", values = { "100us", "0us" }, label = "waits" },
    weft.switch { knob = "routing", values = { "spray", "ecmp", "adaptive" }, label = "way" },
  },
  true_size = "links, packets",
}
