local weft = require "weft"

return weft.scenario {
  name = "Boxes of GPUs: NVLink inside, a NIC each",
  year = 2020,
  about = [[
    **Two worlds:** {inside.nvlink} over NVLink inside a box, one NIC each to the outside. Gradients are
    summed in the box first. A step's exchange takes {steps[1].exposed_comm}. Switch 1: and one ring through
    all?
  ]],
  fabric = weft.leaf_spine {
    leaves = 2, spines = 2, hosts = 1, rate = "200Gbps", delay = "500ns",
    box = weft.box { gpus = 4, nvlink = 3, pcie = 4, switches = 4, nics = 4 },
  },
  workload = weft.training {
    collective = weft.collective { kind = "hierarchical", bytes = "1MiB" },
    compute = "50us",
    steps = 3,
  },
  offers = {
    weft.switch { knob = "collective", values = { "hierarchical", "ring", "tree" } },
    weft.switch { knob = "inside", values = { "direct", "chain" }, label = "inside a group" },
  },
  true_size = "links, packets",
  shrunk = "four GPUs a box, gradient, compute",
}
