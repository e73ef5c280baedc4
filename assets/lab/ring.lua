local weft = require "weft"

return weft.scenario {
  name = "Ring all-reduce on two leaves",
  year = 2016,
  about = [[
    **Eight GPUs pass pieces round a ring** [Baidu17]. A step takes {steps[1].duration}. Switch 1 mixes
    their order, so that every piece crosses a spine. Destroy a packet: `c`, `x`. The last of a message
    costs a whole timeout.
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
  workload = weft.training {
    collective = weft.ring_allreduce { bytes = "1MiB" },
    compute = "100us",
    steps = 20,
  },
  offers = {
    weft.switch { knob = "rank_order", values = { "rack", "mixed" } },
    weft.switch { knob = "flow_control", values = { "pfc", "none" } },
    weft.switch { knob = "timeout_exponent", values = { 12, 8, 20 } },
    weft.switch { knob = "collective", values = { "ring", "tree", "halving_doubling" } },
  },
  true_size = "links, packets, timers",
  shrunk = "gradient 1/100, compute",
}
