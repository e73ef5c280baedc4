local weft = require "weft"
local work = weft.training {
  collective = weft.ring_allreduce { bytes = "1KB" }, compute = "1us", steps = 1,
}
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.pair { rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1KB" } },
    },
    job = weft.scenario { fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" }, workload = work },
  },
  weft.scene "main",
  weft.say "**One.**",
  -- what follows an unknown scene is not held against the scene before
  weft.scene "jobb", --> there is no scene "jobb"; did you mean "job"?
  weft.say "**Two.**",
  weft.focus { node = "g4" },
  weft.fault "slow_gpu g2 3",
  weft.drop { flow = "g3>g4", which = "last" },
  weft.plot { "queue sw:2" },
  weft.play { to = "ennd" }, --> play.to: no "ennd"; did you mean "end"?
  weft.scene "main",
  weft.say "**Three.**",
  weft.drop { flow = "g3>g4", which = "last" }, --> there is no flow g3>g4 in this scene
}
