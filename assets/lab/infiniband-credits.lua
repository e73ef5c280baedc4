local weft = require "weft"

return weft.scenario {
  name = "InfiniBand credits",
  year = 2004,
  about = [[
    **Nobody sends without a credit**, so no buffer overflows: {packets.dropped} packets are lost while four
    send to one. The price is buffer against cable length: what if the cable is long? Switch 1, then `m`:
    credits.
  ]],
  fabric = weft.star { hosts = 5, rate = "100Gbps", delay = "100ns" },
  workload = weft.incast { to = "g5", from = 4, bytes = "1MiB" },
  set = { link = "infiniband", flow_control = "credits" },
  offers = {
    weft.switch { knob = "delay", values = { "auto", "5us", "25us" }, label = "cable" },
    weft.switch { knob = "vl_buffer", values = { "128KiB", "32KiB", "8KiB" } },
    weft.switch { knob = "flow_control", values = { "credits", "none" } },
  },
  true_size = "links, packets, buffers",
}
