local weft = require "weft"

return weft.scenario {
  name = "TCP incast",
  year = 2009,
  about = [[
    **Sixteen servers answer at once.** Some lose the tail of a block, and only a timer notices: {timeouts}
    timeouts so far, each {timeout} at least. Switch 1: what would a finer timer do? The gear `timeout`
    skips the silence.
  ]],
  fabric = weft.star { hosts = 17, rate = "1Gbps", delay = "25us" },
  workload = weft.incast { to = "g17", from = 16, bytes = "256KB", blocks = 4 },
  set = { transport = "tcp", flow_control = "none", queue_cap = "64KB" },
  offers = {
    weft.switch { knob = "rto_min", values = { "200ms", "1ms", "200us" }, label = "RTOmin" },
    weft.switch { knob = "tlp", values = { "off", "on" }, label = "TLP" },
  },
  true_size = "links, packets, timers, queue",
}
