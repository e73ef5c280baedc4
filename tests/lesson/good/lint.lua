-- Loads and runs, and is full of what `weft check` complains about. Each "--> text" is one complaint or
-- failure, in its line.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "another-name", title = "Lint", year = 2026, minutes = 1,
  builds_on = { "lint-of-all", "another-name", "tasks" }, --> lesson.builds_on: --> lesson.builds_on:
  terms = { "headroom" }, --> no card says the new term "headroom" --> "headroom" is not new: tasks has it
  sources = { "NCCL" },
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "5us", steps = 50,
      },
    },
  },
  weft.scene "main", --> the id "another-name" and the name of the file differ
  weft.say "It took 5 us [NCCL], as we know [Guo16].", --> "5 us" is typed by hand --> [Guo16] is not among
  weft.play { to = "barrier" },
  weft.claim("this is false", function(r) return r.timeouts == 1, r.timeouts, "of", r.timeout end), --> not ok: this is false: it was 0, of, 16.8 ms
  weft.claim("this cannot be judged", function(r) return r.steps[9].duration > "1us" end), --> not checked
  weft.claim("this is no answer", function() return 1 end), --> a claim must return true or false
  weft.claim("this never ends", function() while true do end end), --> this runs too long

  weft.say "one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six", --> this card has 46 words
  weft.switch { knob = "xoff", values = { "100KB", "200KB" } }, --> moving xoff changes nothing on this card
  weft.play { to = "barrier" },

  weft.say "**For {work.gpus} GPUs:** a switch that does something.", --> plain words only
  weft.switch { knob = "compute", values = { "5us", "10us" }, no_effect = "it does nothing" }, --> is not among the switch's values --> does change something
  weft.play { to = "barrier" },
  weft.play { to = "barrier" },

  weft.say "{steps[40].duration}", --> a measured value is not known at the end
  weft.predict { ask = "Why {timeouts}?", choices = { "a", "b" }, because = "c", truth = function() return 1 end }, --> is shown as it is --> the wrong answer "b" needs a belief
  weft.play { to = "barrier" },

  weft.say "{steps[1].nothing}", --> a report has no `nothing` here
  weft.predict { ask = "Why?", choices = { "a", "b" }, because = "c", truth = function() return 3 end }, --> truth must return the number of a choice
  weft.play { to = "barrier" },

  weft.say "Tasks that are none.",
  weft.note "It took 5 us.", --> "5 us" is typed by hand
  weft.recall { from = "no-such", ask = "?", choices = { "a", { "b", belief = "b", reply = "b" } }, right = 1, because = "c" }, --> recall.from:
  weft.switch { knob = "xoff", values = { "100KB", "200KB" }, no_effect = "no queue grows" },
  weft.fix { goal = "a in 5 us [Goyal17]", check = function() return true end, solution = { xoff = "200KB" } }, --> fix: the goal is reached before anything is done --> [Goyal17] is not among
  weft.fix { goal = "b", check = function(r) return false, r.timeouts end, solution = { xoff = "200KB" } }, --> fix: the solution does not reach the goal: weft run --set tries others; it was 0
  weft.fix { goal = "c", check = function() return 1 end, solution = { xoff = "200KB" } }, --> fix: not checked --> fix: not checked
  weft.play { to = "barrier" },
  weft.play { to = "barrier" },

  weft.say "Switches that begin the run again, and what-ifs.",
  weft.switch { knob = "tcp_class", values = { "lossy", "lossless" } }, --> moving tcp_class changes nothing on this card
  weft.switch { knob = "mtu", values = { "4KiB", "1KiB" }, no_effect = "it does nothing" }, --> moving mtu does change something
  weft.switch { knob = "wire_ack", values = { "auto", "66B" }, no_effect = "66 bytes it is" },
  weft.compare "set rto_min 1s", --> nothing differs in this what-if
  weft.compare "set mtu 1KiB",
  weft.play { to = "barrier" },

  weft.say "More switches than there are digits.",
  weft.switch { knob = "mss", values = { "1460B", "1KB" }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "rto_min", values = { "200ms", "1s" }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "rto_initial", values = { "1s", "3s" }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "tcp_retries", values = { 15, 5 }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "tlp", values = { "on", "off" }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "delayed_ack", values = { "0ps", "40ms" }, no_effect = "nobody speaks TCP" },
  weft.switch { knob = "kmin", values = { "100KB", "50KB" }, no_effect = "nobody marks" },
  weft.switch { knob = "kmax", values = { "400KB", "500KB" }, no_effect = "nobody marks" },
  weft.switch { knob = "pmax", values = { "20%", "10%" }, no_effect = "nobody marks" },
  weft.switch { knob = "flood_lossless", values = { "on", "off" }, no_effect = "nobody floods" }, --> no key is left: a card has at most 9 switches
  weft.play { to = "barrier" },

  weft.say "Answers.",
  weft.predict { ask = "How many?", answer = "number", unit = "count", because = "c", truth = function(r) return r.timeouts end }, --> too small needs a reply of its own: low --> too large needs a reply of its own: high
  weft.predict { ask = "How many?", choices = { "a", { "a", belief = "b", reply = "d" } }, because = "c", truth = function() return 1 end }, --> two answers are the same: "a"
  weft.play { to = "barrier" },

  weft.say "Plots of what is not, and of what never moves.",
  weft.plot { "window g1>g2", "pause g1" }, --> there is no window while transport is not tcp --> this plot does not move: pause g1:1
  weft.play { to = "barrier" },

  weft.say "Two switches that do something together, and one that does not.",
  weft.set { kmin = "0B" },
  weft.switch { knob = "ecn", values = { "off", "on" } },
  weft.switch { knob = "kmax", values = { "400KB", "0B" } },
  weft.switch { knob = "tlp", values = { "off", "on" } }, --> moving tlp changes nothing on this card
  weft.fix { goal = "e", check = function(r) return r.ecn.marked > 0 end, solution = { ecn = true, kmax = "0B" } },
  weft.play { to = "barrier" },

  weft.say "A packet that is long past.",
  weft.drop { flow = "g1>g2", which = "last", step = 1 }, --> step 1 is over
}
