local weft = require "weft"

return weft.scenario {
  name = "Rails: a switch for each GPU number",
  year = 2022,
  about = [[
    **The first GPU of every box hangs on the first switch, the second on the second.** What stays on its
    rail crosses one switch. The hierarchical sum does: a step's exchange takes {steps[1].exposed_comm}.
    Switch 1: a ring?
  ]],
  fabric = weft.rail {
    boxes = 4, spines = 1, rate = "400Gbps", delay = "500ns",
    box = weft.box { gpus = 4, nvlink = 4, pcie = 5 },
  },
  workload = weft.training {
    collective = weft.collective { kind = "hierarchical", bytes = "1MiB" },
    compute = "50us",
    steps = 3,
  },
  offers = {
    weft.switch { knob = "collective", values = { "hierarchical", "ring", "all_to_all" } },
  },
  true_size = "links, packets",
  shrunk = "four GPUs a box, gradient, compute",
}
