-- Forty GPUs: more than a timeline has rows, so each is one among many.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "forty", year = 2015, title = "Forty GPUs", minutes = 5, level = 1,
  scenes = {
    ring = weft.scenario {
      fabric = weft.leaf_spine { leaves = 4, spines = 2, hosts = 10, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "640KiB" }, compute = "20us", steps = 3,
      },
      set = { jitter = "10us" },
    },
  },
  weft.scene "ring",
  weft.say "One of forty is the last.",
  weft.play { to = "barrier", gear = "step" },
  weft.say "A packet is lost twice: only a timer brings it.",
  weft.drop { flow = "g7>g8", which = "middle", attempts = 2 },
  weft.play { to = "nak", gear = "step" },
  weft.play { time = "500us", gear = "step" },
}
