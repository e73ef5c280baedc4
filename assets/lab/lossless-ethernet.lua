local weft = require "weft"

return weft.scenario {
  name = "Lossless Ethernet: PFC",
  year = 2011,
  about = [[
    **A switch asks its neighbour to stop.** What is still on its way lands in the headroom:
    {pfc.xoff_frames} PAUSE frames, {packets.dropped} packets lost. Switch 2: how little headroom will do?
    Switch 3: and a longer cable?
  ]],
  fabric = weft.star { hosts = 5, rate = "100Gbps", delay = "500ns" },
  workload = weft.incast { to = "g5", from = 4, bytes = "1MiB" },
  set = { mtu = "1024B", xoff = "21720B", pfc_response = "0ns" },
  offers = {
    weft.switch { knob = "flow_control", values = { "pfc", "none" }, label = "pause" },
    weft.switch { knob = "headroom", values = { "auto", "13032B", "6516B", "0B" } },
    weft.switch { knob = "delay", values = { "auto", "1.5us", "5us" }, label = "cable" },
  },
  true_size = "links, packets, cable",
  shrunk = "XOFF",
}
