local weft = require "weft"

return weft.scenario {
  name = "TCP incast",
  year = 2009,
  about = [[
    **Sixteen servers answer at once.** Some lose the tail of a block, and only a timer of at least 200 ms
    notices: {timeouts} timeouts so far. Switch 1: what would a finer timer do? The timeout gear skips the
    silence.
  ]],
  fabric = weft.star { hosts = 17, rate = "1Gbps", delay = "25us" },
  workload = weft.incast { to = "g17", from = 16, bytes = "256KB", blocks = 4 },
  set = { transport = "tcp", flow_control = "none", queue_cap = "64KB" },
  offers = {
    weft.switch { knob = "rto_min", values = { "200ms", "1ms", "200us" }, label = "least timeout" },
    weft.switch { knob = "tlp", values = { "off", "on" }, label = "tail-loss probe" },
    weft.switch { knob = "queue_cap", values = { "64KB", "512KB" } },
  },
  true_size = "links, packets, timers, queue",
}
