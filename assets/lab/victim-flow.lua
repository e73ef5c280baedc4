local weft = require "weft"

return weft.scenario {
  name = "A victim shares nothing but a trunk",
  year = 2016,
  about = [[
    **g4 sends to an idle host, and is slow all the same**: it shares a trunk with three that send to g8
    [DCQCN15]. {pfc.xoff_frames} PAUSE frames. `m`: goodput g4>g5. Switch 1: do ECN and DCQCN set it free?
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 1, hosts = 4, rate = "40Gbps", delay = "500ns" },
  workload = weft.flows {
    { src = "g1", dst = "g8", bytes = "16MB" },
    { src = "g2", dst = "g8", bytes = "16MB" },
    { src = "g6", dst = "g8", bytes = "16MB" },
    { src = "g4", dst = "g5", bytes = "16MB" },
  },
  set = { mtu = "1024B", cc = "dcqcn", kmin = "40KB", kmax = "160KB" },
  offers = {
    weft.switch { knob = "ecn", values = { "off", "on" } },
    weft.switch { knob = "flow_control", values = { "pfc", "none" } },
  },
  true_size = "links, packets",
}
