-- Loads and runs, and is full of what `weft check` complains about. Each "--> text" is one complaint or
-- failure, in its line.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "another-name", title = "Lint", year = 2026, minutes = 1,
  builds_on = { "lint-of-all", "another-name" }, --> lesson.builds_on: --> lesson.builds_on:
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
  weft.fix { goal = "a", check = function() return true end, solution = { xoff = "200KB" } }, --> fix: the goal is reached before anything is done
  weft.fix { goal = "b", check = function() return false end, solution = { xoff = "200KB" } }, --> fix: the solution does not reach the goal
  weft.fix { goal = "c", check = function() return 1 end, solution = { xoff = "200KB" } }, --> fix: not checked --> fix: not checked
  weft.play { to = "barrier" },
  weft.play { to = "barrier" },

  weft.say "A packet that is long past.",
  weft.drop { flow = "g1>g2", which = "last", step = 1 }, --> step 1 is over
}
