local weft = require "weft"

return weft.scenario {
  name = "ECMP: eight flows, eight cables",
  year = 2024,
  about = [[
    **A hash sends each flow its way, for good** [Meta24a]. Eight flows, eight spines, and hardly ever one
    each: some cables carry two or three, others none. Switch 1: more queue pairs. `m`: load of a leaf's
    ports.
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "400Gbps", delay = "500ns" },
  workload = weft.permutation { shift = 8, bytes = "4MiB" },
  set = { routing = "ecmp" },
  offers = {
    weft.switch { knob = "queue_pairs", values = { 1, 4, 16 } },
    weft.switch { knob = "routing", values = { "ecmp", "dmodk" } },
  },
  true_size = "links, packets",
}
