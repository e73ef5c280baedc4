-- The smallest lesson that has everything: the command line is tested on it.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "tiny", year = 2014, title = "Tiny", minutes = 1,
  scenes = { small = weft.scenario {
    fabric = weft.star { hosts = 3, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "10us", steps = 2,
    },
    set = { pfc = true, timeout_exponent = 12 },
  } },
  weft.scene "small",
  weft.say [[ **Two.** Step 1 takes {steps[1].duration}. ]],
  weft.play { to = "barrier", gear = "round" },
  weft.predict {
    ask = "What does it cost?",
    choices = { { "nothing", belief = "losses are free", reply = "It is not free." }, "much" },
    because = "It cost {steps[2].duration}.", truth = function() return 2 end,
  },
  weft.drop { flow = "g1>g2", which = "last" },
  weft.switch { knob = "pfc", values = { "on", "off" }, no_effect = "nothing is shared" },
  weft.play { to = "end" },
  weft.claim("it is longer", function(r) return r.steps[2].duration > r.steps[1].duration end),
}
