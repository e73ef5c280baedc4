local weft = require "weft"

return weft.scenario {
  name = "Four servers on FDR InfiniBand",
  year = 2013,
  about = [[
    **GPU servers joined by InfiniBand** [Coates13]. These cards have no GPUDirect: what leaves a server is
    copied through its memory. A step's exchange takes {steps[1].exposed_comm}. Switch 1: what does the
    copying cost?
  ]],
  fabric = weft.star {
    hosts = 4, rate = "54.5Gbps", delay = "25ns",
    box = weft.box { gpus = 4, pcie = 3, nics = 1, memory = "25GB/s" },
  },
  workload = weft.training {
    collective = weft.ring_allreduce { bytes = "2MiB" },
    compute = "200us",
    steps = 3,
  },
  set = { link = "infiniband", flow_control = "credits", staging = "host" },
  offers = {
    weft.switch { knob = "staging", values = { "host", "direct" } },
    weft.switch { knob = "stage_chunk", values = { "auto", "32KiB" }, label = "pieces" },
  },
  true_size = "links, packets, four of sixteen servers",
  shrunk = "bytes, compute",
}
