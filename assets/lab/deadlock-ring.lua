local weft = require "weft"

return weft.scenario {
  name = "A ring of pauses: deadlock",
  year = 2016,
  about = [[
    **Each switch waits for the next one, round and round.** Nothing is broken, {packets.dropped} packets
    are lost, and nothing will ever move: `y`. What clears it? Stop the flows, cut a link, switch PFC off,
    or let a watchdog drop.
  ]],
  fabric = weft.ring { switches = 4, hosts = 2, rate = "40Gbps", delay = "25ns", clockwise = true },
  workload = weft.flows {
    { src = "g1", dst = "g6", bytes = "100MB" },
    { src = "g3", dst = "g8", bytes = "100MB" },
    { src = "g5", dst = "g2", bytes = "100MB" },
    { src = "g7", dst = "g4", bytes = "100MB" },
  },
  set = {
    mtu = "1024B", timeout_exponent = 20, watchdog_detect = "200us", watchdog_poll = "100us",
    watchdog_restore = "200us",
  },
  offers = {
    weft.switch { knob = "watchdog", values = { "off", "drop" } },
    weft.switch { knob = "flow_control", values = { "pfc", "none" } },
  },
  true_size = "links, packets",
  shrunk = "the watchdog's times 1/1000",
}
