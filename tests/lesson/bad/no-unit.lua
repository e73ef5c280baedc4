local weft = require "weft"
local common = require "common"
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.star {
        hosts = 4,
        rate = 100, --> star.rate: a bare number has no unit
        delay = "500n", --> star.delay
      },
      workload = weft.training {
        collective = weft.ring_allreduce {
          bytes = 1e6, --> ring_allreduce.bytes: a bare number has no unit
        },
        compute = "5 parsecs", --> training.compute
        steps = 4,
      },
    },
  },
  weft.scene "main",
  weft.play { time = 5 }, --> play.time: a bare number has no unit
  weft.set { xoff = 100 }, --> xoff: a bare number has no unit
}
