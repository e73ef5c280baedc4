local weft = require "weft"

return weft.scenario {
  name = "Go-back-0: busy, and nothing done",
  year = 2015,
  about = [[
    **Every 256th packet dies, and the sender begins its message again** [Guo16]. The line is busy, the
    message is never whole. Switch 1: go back to the gap instead of the beginning. Then `m`: goodput.
  ]],
  fabric = weft.star { hosts = 2, rate = "40Gbps", delay = "100ns" },
  workload = weft.flows { { src = "g1", dst = "g2", bytes = "4MB" } },
  set = { transport = "go_back_0", mtu = "1024B", retry_limit = 1000 },
  faults = { { at = "0us", "drop_nth 256" } },
  offers = {
    weft.switch { knob = "transport", values = { "go_back_0", "go_back_n", "selective" } },
  },
  true_size = "links, packets, loss",
}
