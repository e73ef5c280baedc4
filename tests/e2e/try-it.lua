-- A lesson for the tests of the program: every kind of item once, small enough to be quick.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "try-it", title = "Try it", year = 2014, minutes = 5,
  scenes = {
    small = weft.scenario {
      fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training { collective = weft.ring_allreduce { bytes = "256KiB" }, compute = "20us", steps = 6 },
    },
  },
  weft.scene "small",
  weft.say [[Eight GPUs pass pieces round a ring. First card.]],
  weft.play { time = "30us", gear = "round" },

  weft.say [[Second card: destroy a packet.]],
  weft.drop { flow = "g3>g4", which = "middle", ask = true },
  weft.predict {
    ask = "What will it cost?",
    choices = { { "nothing", reply = "It cost something." }, "a few us", "thousands of us" },
    because = "The step took {steps[1].duration}.",
    truth = function() return 2 end,
  },
  weft.play { to = "barrier", gear = "step" },

  weft.say [[Third card: the last packet of g3.]],
  weft.drop { flow = "g3>g4", which = "last" },
  weft.play { to = "barrier", gear = "step" },

  weft.say [[Fourth card: a switch.]],
  weft.switch { knob = "flow_control", values = { "pfc", "none" }, no_effect = "no queue ever grows here." },
  weft.play { to = "barrier", gear = "step" },
}
