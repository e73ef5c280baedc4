-- Branches: on a choice, on right and wrong, on a number, one inside of another, and two scenes.
local weft = require "weft"

local function ring(bytes)
  return weft.scenario {
    fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = bytes }, compute = "100us", steps = 20,
    },
  }
end

return weft.lesson {
  api = 1, id = "ways", title = "Ways", year = 2014, minutes = 5,
  scenes = { small = ring("64KiB"), large = ring("256KiB") },

  weft.scene "small",
  weft.say [[ **One.** What is longer? ]],
  weft.predict {
    name = "longer", sure = false,
    ask = "Computing or the exchange?",
    choices = {
      { "the exchange", belief = "a network is always slower", reply = "It may be." },
      { "computing", reply = "Yes." },
      { "both are alike", belief = "things are balanced", reply = "They are not." },
    },
    because = "Computing took {steps[1].compute}, the exchange {steps[1].exposed_comm}.",
    truth = function(r) return r.steps[1].compute > r.steps[1].exposed_comm and 2 or 1 end,
  },
  weft.play { to = "barrier" },

  weft.branch {
    on = "longer",
    [3] = {
      weft.say [[ **Alike.** Look at the bars again. ]],
      weft.play { to = "barrier" },
      weft.say [[ **Shorter.** The second step took {steps[2].duration}. ]],
      weft.claim("steps are alike", function(r)
        return r.steps[2].duration == r.steps[1].duration
      end),
    },
    right = {
      weft.say [[ **More of it.** Now four times the gradient. ]],
      weft.scene "large",
      weft.say [[ **Large.** How long is the exchange now? ]],
      weft.predict {
        name = "how-long", sure = false,
        ask = "How long?",
        answer = "number", unit = "time", tolerance = "10%",
        low = "Longer.", high = "Shorter.",
        because = "It took {steps[1].exposed_comm}.",
        truth = function(r) return r.steps[1].exposed_comm end,
      },
      weft.play { to = "barrier" },
      weft.branch {
        on = "how-long",
        low = { weft.say [[ **Too short.** Count the rounds. ]] },
        high = { weft.say [[ **Too long.** Count the bytes. ]] },
      },
      weft.branch {
        on = "longer",
        otherwise = { weft.say [[ **Behind.** Everybody here comes by. ]] },
      },
    },
  },

  weft.scene "small",
  weft.say [[ **Two.** Everybody meets here. ]],
  weft.play { to = "barrier" },
  weft.claim("all ways end alike", function(r) return r.this.step == 1 end),
}
