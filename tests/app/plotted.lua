-- A plot, and behind it a card that asks.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "plotted", year = 2015, title = "Plotted", minutes = 5, level = 1,
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 3, rate = "100Gbps", delay = "500ns" },
      workload = weft.incast { to = "g3", from = 2, bytes = "256KiB" },
    },
  },
  weft.scene "main",
  weft.say "Two send to one.",
  weft.plot { "queue sw:3" },
  weft.play { time = "10us", gear = "step" },
  weft.say "Two are too many.",
  weft.predict {
    ask = "Which of them is slowed?",
    choices = {
      { "both", reply = "Yes." },
      { "the second", belief = "first come, first served", reply = "They are alike." },
    },
    because = "They are alike.",
    truth = function() return 1 end,
  },
  weft.play { to = "end", gear = "step" },
}
