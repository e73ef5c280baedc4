local weft = require "weft"

return weft.scenario {
  name = "A fat tree of 128 GPUs",
  year = 2018,
  about = [[
    **As many cables up as down, on every tier:** {work.gpus} GPUs, each could send at full rate. A step
    takes {steps[1].duration}. A ring's {work.rounds} rounds take turns; what does a tree make of it, switch
    1?
  ]],
  fabric = weft.fat_tree { ports = 8, rate = "100Gbps", delay = "500ns" },
  workload = weft.training {
    collective = weft.ring_allreduce { bytes = "512KiB" },
    compute = "50us",
    steps = 2,
  },
  offers = {
    weft.switch { knob = "collective", values = { "ring", "tree", "halving_doubling" }, label = "sum" },
    weft.switch { knob = "rank_order", values = { "rack", "mixed" }, label = "order" },
  },
  true_size = "links, packets",
  shrunk = "gradient, compute",
}
