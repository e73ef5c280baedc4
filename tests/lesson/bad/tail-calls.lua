-- Calls that Lua forgets: what they made is placed where it was asked for.
local weft = require "weft"
local function fabric(n)
  return weft.star {
    hosts = n,
    rate = "100Gbps", delay = "500ns",
  }
end
local function card(text) return weft.say(text) end

return weft.lesson {
  api = 1, id = "tail-calls", title = "Tails", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = fabric(1), --> star.hosts must be a whole number from 2 to 1024, not 1
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "20us",
        stepps = 3, --> weft.training has no field `stepps`; did you mean `steps`?
        steps = 3,
      },
    },
  },
  weft.scene "main",
  card "**A** {card", --> a { in prose has no }
  weft.play { to = "sometime" }, --> play.to: no "sometime"
}
