-- A task: seven hosts send to one at once, and packets are lost until something is done about it.
local weft = require "weft"

local function whole(r) return r.packets.dropped == 0 and r.outcome == "done" end

return weft.lesson {
  api = 1, id = "tasks", title = "Tasks", year = 2014, minutes = 5,
  terms = { "headroom" },
  builds_on = { "one-lost-packet" },
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 8, rate = "100Gbps", delay = "500ns" },
      workload = weft.incast { to = "g8", from = 7, bytes = "1MiB" },
      set = { flow_control = "none" },
    },
    endless = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "256KiB", gap = "50us" } },
    },
  },

  weft.scene "main",
  weft.say "**First,** from last time.",
  weft.note "Wait for three hands. So far {packets.dropped} were lost.",
  weft.recall {
    from = "one-lost-packet",
    ask = "Which packet is deadly?",
    choices = {
      { "the first", belief = "nothing works without it", reply = "The next gives it away." },
      { "the last", reply = "Yes." },
    },
    right = 2,
    because = "Nothing follows it.",
  },

  weft.say "**Make it whole.** There is headroom.",
  weft.switch { knob = "flow_control", values = { "none", "pfc" } },
  weft.switch { knob = "timeout_exponent", values = { 12, 14 } },
  weft.fix {
    goal = "No packet is lost.",
    check = whole,
    hints = { "Somebody must wait.", "Who could be asked to?" },
    solution = { flow_control = "pfc" },
    reply = "{packets.dropped} were lost.",
    because = "All {packets.delivered} arrived, after {pfc.xoff_frames} PAUSE frames.",
  },
  weft.play { to = "end" },
  weft.claim("the learner's run is another one", function(r) return r.packets.dropped > 0 end),

  weft.scene "endless",
  weft.say "**With an end of its own,** and a fault before.",
  weft.switch { knob = "transport", values = { "go_back_n", "selective" } },
  weft.play { time = "5us" },
  weft.fault "burst 3 g1>g2",
  weft.fix {
    goal = "Only what is lost is sent again.",
    time = "100us",
    check = function(r)
      return r.packets.dropped == 3 and r.packets.retransmitted == 3
    end,
    solution = { transport = "selective" },
  },
  weft.play { time = "100us" },

  weft.say "**A number.**",
  weft.predict {
    ask = "How long would g1 wait for an ACK?",
    answer = "number", unit = "time", tolerance = "5%", sure = true,
    low = "It cannot be that short: {timeout}.",
    high = "Not that long: {timeout}.",
    because = "A power of two of 4.096 microseconds; {packets.dropped} are lost.",
    truth = function(r) return r.timeout end,
  },
  weft.play { time = "100us" },
  weft.claim {
    text = "the incast lost more than this flow",
    scenes = { "main", "endless" },
    check = function(main, endless) return main.packets.dropped > endless.packets.dropped end,
  },

  weft.scene "main",
  weft.say "**What if nobody lost any?**",
  weft.plot { "queue sw:8", "goodput g8" },
  weft.focus { view = "events", node = "g3" },
  weft.compare "set flow_control pfc",
  weft.play { time = "10us" },
  weft.claim("the run is as it was", function(r) return r.pfc.xoff_frames == 0 end),
}
