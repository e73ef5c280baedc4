local weft = require "weft"

return weft.scenario {
  name = "Adaptive routing",
  year = 2020,
  about = [[
    **Each packet goes where the queue is shortest.** One flow, g8>g16, insists on spine1; the others give
    way: {pfc.xoff_frames} PAUSE frames. Switch 1: packets that go anywhere, or by hash. `m`: queue leaf1:9
    is spine1's.
  ]],
  fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "400Gbps", delay = "500ns" },
  workload = weft.permutation { shift = 8, bytes = "16MiB" },
  pins = { { flow = "g8>g16", via = "spine1" } },
  set = {
    routing = "adaptive", transport = "selective", reorder_window = "100us", xoff = "400KB",
    buffer = "2MiB",
  },
  offers = {
    weft.switch { knob = "routing", values = { "adaptive", "spray", "ecmp" } },
    weft.switch { knob = "xoff", values = { "400KB", "100KB" } },
  },
  true_size = "links, packets",
}
