local weft = require "weft"

return weft.scenario {
  name = "A parameter server",
  year = 2014,
  about = [[
    **One server adds up everybody's gradients** [Li14]. Its cable carries them all: a step's exchange takes
    {steps[1].exposed_comm}. Switch 1 shares the work among more servers, switch 2 takes the server away.
  ]],
  fabric = weft.star { hosts = 9, rate = "10Gbps", delay = "500ns" },
  workload = weft.training {
    collective = weft.collective { kind = "parameter_server", bytes = "256KiB" },
    compute = "500us",
    steps = 3,
  },
  offers = {
    weft.switch { knob = "servers", values = { 1, 2, 4 } },
    weft.switch { knob = "collective", values = { "parameter_server", "ring" }, label = "sum" },
  },
  true_size = "links, packets",
  shrunk = "gradient, compute, one worker a server",
}
