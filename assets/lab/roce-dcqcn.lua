local weft = require "weft"

return weft.scenario {
  name = "RoCEv2 with DCQCN",
  year = 2015,
  about = [[
    **Switches mark, receivers warn, senders slow down** [DCQCN15]. Eight send to one: {ecn.marked} packets
    marked, {pfc.xoff_frames} PAUSE frames. Switch 1 takes the warnings away. `m`: each sender's rate, and
    the queue.
  ]],
  fabric = weft.star { hosts = 9, rate = "40Gbps", delay = "1us" },
  workload = weft.incast { to = "g9", from = 8, bytes = "4MB" },
  set = { mtu = "1024B", ecn = true, cc = "dcqcn", kmin = "5KB", kmax = "200KB", pmax = "1%" },
  offers = {
    weft.switch { knob = "cc", values = { "dcqcn", "none" }, label = "control" },
    weft.switch { knob = "kmin", values = { "5KB", "50KB", "150KB" } },
    weft.switch { knob = "flow_control", values = { "pfc", "none" }, label = "pause" },
  },
  true_size = "links, packets, timers of DCQCN",
}
