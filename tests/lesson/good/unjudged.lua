-- Questions that nobody can judge: an endless truth, one that looks at nothing, one that is no choice. `weft
-- check` refuses it; a learner who meets it all the same is never told to be right.
local weft = require "weft"

local function ask(name, truth)
  return weft.predict {
    name = name, sure = false, ask = "What?", choices = { "a", "b" }, because = "So it is.", truth = truth,
  }
end

return weft.lesson {
  api = 1, id = "unjudged", title = "Unjudged", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "20us", steps = 20,
      },
    },
  },
  weft.scene "main",
  weft.say [[ **Endless.** ]],
  ask("endless", function(r) while r.this.duration > "1us" do end return 1 end),
  weft.play { to = "barrier" },
  weft.branch {
    on = "endless",
    right = { weft.say [[ **Right?** Never. ]] },
    wrong = { weft.say [[ **Not right.** As far as anybody knows. ]] },
  },
  weft.say [[ **Nothing.** ]],
  ask("nothing", function(r) return r.this.nothing end),
  weft.play { to = "barrier" },
  weft.say [[ **Nonsense.** ]],
  ask("nonsense", function(r) return r.this.duration > "1us" and 7 or 1 end),
  weft.play { to = "barrier" },
  weft.say [[ **Too late.** ]],
  ask("late", function(r) return r.steps[9].duration > "1us" and 1 or 2 end),
  weft.play { to = "barrier" },
}
