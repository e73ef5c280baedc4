local weft = require "weft"

return weft.scenario {
  name = "Ring all-reduce on two leaves",
  year = 2016,
  about = [[
    **Eight GPUs pass pieces round a ring** [Baidu17]. A step takes {steps[1].duration}. Switch 1 mixes
    their order, so that every piece crosses a spine. Destroy a packet: `c`, `x`. Most cost nothing; the
    last of a message a whole timer.
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
  workload = weft.training {
    collective = weft.ring_allreduce { bytes = "1MiB" },
    compute = "100us",
    steps = 20,
  },
  offers = {
    weft.switch { knob = "rank_order", values = { "rack", "mixed" }, label = "order" },
    weft.switch { knob = "flow_control", values = { "pfc", "none" }, label = "pause",
      no_effect = "in this order no cable is shared and no queue grows: mix it first" },
    weft.switch { knob = "timeout_exponent", values = { 12, 8, 20 }, label = "timer",
      no_effect = "no packet is lost: destroy one first" },
  },
  true_size = "links, packets, timers",
  shrunk = "gradient 1/100, compute",
}
