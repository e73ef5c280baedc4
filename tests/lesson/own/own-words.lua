-- Words of three places: the installed ones, those of the folder's index, those of the lesson.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "own-words", title = "Own words", year = 2014, minutes = 5,
  terms = { "barrier", "retry storm", ["straggler"] = "who comes last, again and again" },
  sources = { "Goyal17", "Smith24", Jones25 = "Jones, A letter, 2025" },
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "20us", steps = 2,
      },
    },
  },
  weft.scene "main",
  weft.say [[
    **Three places.** At the *barrier* [Goyal17] all wait for the *straggler* [Jones25]; a *retry storm*
    [Smith24] is worse.
  ]],
  weft.play { to = "barrier" },
  weft.claim("a step ends", function(r) return r.steps[1].duration > "20us" end),
}
