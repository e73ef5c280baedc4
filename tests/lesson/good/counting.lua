-- A card whose words count while it plays.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "counting", title = "Counting", year = 2026, minutes = 1,
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.incast { to = "g1", from = 3, bytes = "8MiB" },
    },
  },
  weft.scene "main",
  weft.say "Sent so far: {pfc.xoff_frames} pauses.",
  weft.play { time = "1ms", gear = "round", rate = "100us" },
}
