local weft = require "weft"

return weft.scenario {
  name = "Two cards in one computer",
  year = 2012,
  about = [[
    **AlexNet's computer** [AlexNet12]. Two cards divide one network and read each other's memory over PCIe.
    A step takes {steps[1].duration}, its exchange {steps[1].exposed_comm}. Switch 1: what if all gradients
    crossed it? Switch 2 gives a step its real time.
  ]],
  fabric = weft.box { gpus = 2, pcie = 2 },
  workload = weft.training {
    collective = weft.collective { kind = "all_to_all", bytes = "31MB" },
    compute = "5ms",
    steps = 3,
  },
  offers = {
    weft.switch { knob = "bytes", values = { "auto", "240MB" }, label = "bytes a step" },
    weft.switch { knob = "compute", values = { "auto", "560ms" } },
  },
  true_size = "PCIe, bytes of the layers that talk",
  shrunk = "compute 1/100",
}
