local weft = require "weft"

return weft.scenario {
  name = "One broken card pauses everybody",
  year = 2016,
  about = [[
    **g8's NIC is broken and sends PAUSE for ever** [Guo16]. Whoever sends to it is stopped, then those who
    only share a cable with that. Time in pauses: {pfc.paused}. Switch 1: what does a watchdog save, and
    what does it cost?
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 1, hosts = 4, rate = "40Gbps", delay = "500ns" },
  workload = weft.flows {
    { src = "g1", dst = "g8", bytes = "4MB" },
    { src = "g2", dst = "g5", bytes = "4MB" },
    { src = "g3", dst = "g6", bytes = "4MB" },
    { src = "g4", dst = "g1", bytes = "4MB" },
  },
  set = {
    mtu = "1024B", timeout_exponent = 16, watchdog_detect = "200us", watchdog_poll = "100us",
    watchdog_restore = "200us",
  },
  faults = { { at = "200us", "storm g8 on" } },
  offers = {
    weft.switch { knob = "watchdog", values = { "off", "drop" } },
    weft.switch { knob = "flow_control", values = { "pfc", "none" } },
  },
  true_size = "links, packets",
  shrunk = "the watchdog's times 1/1000",
}
