-- new-lesson: a lesson to start from. Change one thing, then run
--
--     weft check new-lesson.lua      is everything in it true?
--     weft new-lesson.lua            see it
--
-- `weft api` lists every word used here, with its fields, units and ranges.

local weft = require "weft"

-- What the step cost that this card plays, more than step 1, which nobody had touched.
local function extra(r) return r.this.duration - r.steps[1].duration end

return weft.lesson {
  api = 1,
  id = "new-lesson", -- as the file is called
  title = "New lesson",
  year = 2014, -- when the world learned this: lessons stand in that order
  minutes = 5,
  level = 1, -- 1 first steps, 2 mechanisms, 3 research
  sources = { "NCCL" }, -- keys of assets/bibliography; prose cites them: [NCCL]
  terms = { "barrier", "ACK timeout" }, -- words of assets/glossary.txt that are new here, four at most

  -- What runs. A lesson may have several scenes; each starts at 0.
  scenes = {
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "256KiB" },
        compute = "20us",
        steps = 20,
      },
      set = { timeout_exponent = 10 }, -- switches: see `weft knobs`
      true_size = "link, packet, timers", -- the scale line: what is as large as in reality
      shrunk = "gradient, compute",
    },
  },

  -- Card 1. A card begins at each say (or scene). It has at most 45 words, with a question fewer: it
  -- must have room on a screen of 80x24, and of 40x12. No number about the run is typed: {...} is
  -- measured, in the learner's own run, whatever its switches are.
  weft.scene "main",
  weft.say [[
    **Four GPUs sum their gradients.** Each sends {work.packets_per_gpu} packets a step. Nobody starts
    the next step before all have arrived at the *barrier*: last came {steps[1].slowest}, after
    {steps[1].duration}.
  ]],
  weft.play { to = "barrier", gear = "round" },

  -- A claim is a sentence that `weft check` puts to the test. `r` is the report of the run. What stands
  -- behind the verdict is printed when it is false.
  weft.claim("without a loss the exchange is shorter than 100 us", function(r)
    return r.packets.dropped == 0 and r.steps[1].exposed_comm < "100us", r.steps[1].exposed_comm
  end),

  -- Card 2: predict, observe, explain. The learner answers before it happens; each wrong answer names
  -- the belief behind it; the simulator knows the truth.
  weft.say [[
    **Now one packet is lost:** the last that g1 sends in this step, one of {work.packets}.
  ]],
  weft.predict {
    ask = "What does the step cost now?",
    choices = {
      { "as much as before",
        belief = "a network repairs a loss at once",
        reply = "It does, if a later packet gives the loss away." },
      { "a little more: it is sent again",
        belief = "a loss costs what it takes to send again",
        reply = "Sending again is cheap, finding out is not." },
      { "a whole ACK timeout more",
        reply = "Yes." },
    },
    because = [[
      Nothing followed, so g2 saw no gap. g1 waited for its timer, {timeout}, and all others for g1:
      {this.duration}.
    ]],
    truth = function(r) -- the number of the right choice
      if extra(r) < "100ns" then return 1 end
      return extra(r) < 0.5 * r.timeout and 2 or 3
    end,
  },
  weft.drop { flow = "g1>g2", which = "last" },
  weft.play { to = "drop", gear = "step" },
  weft.play { to = "barrier", gear = "round" },
  weft.claim("the last packet of a step costs one ACK timeout", function(r)
    return r.packets.dropped == 1 and r.timeouts == 1
      and extra(r) > 0.99 * r.timeout and extra(r) < 1.01 * r.timeout
  end),

  -- Card 3: a switch for the learner. `weft check` makes sure that it changes something here.
  weft.say [[
    **The same loss again.** Key 1 doubles the timer, several times: what does the step cost then?
    NCCL lets you choose it as well [NCCL].
  ]],
  weft.switch { knob = "timeout_exponent", values = { 10, 12, 14 }, label = "timeout exponent" },
  weft.drop { flow = "g1>g2", which = "last" },
  weft.play { to = "barrier", gear = "round" },
  weft.claim("and again it costs one timeout", function(r)
    return extra(r) > 0.99 * r.timeout and extra(r) < 1.01 * r.timeout
  end),
}
