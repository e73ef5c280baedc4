-- Spread it out: a way for each packet, and what that asks of the receiver.
--
-- What it shows: spraying fills all cables evenly, and go-back-N takes the disorder for loss: ten times
-- slower. A receiver that keeps what comes early, and has patience, gets nearly all of it. Patience has a
-- price when a packet is really lost.

local weft = require "weft"

local small = "GPUs, rate 1/4, gradient, compute"

-- The ring of sixteen from the lesson before: every neighbour in the other rack.
local function train(set)
  local all = { rank_order = "mixed" }
  for knob, value in pairs(set) do all[knob] = value end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "8MiB" }, compute = "20us", steps = 6,
    },
    set = all, true_size = "packet, flows a cable", shrunk = small,
  })
end

-- Eight flows to the other rack, and a ninth that another job has bound to one spine.
local function neighbour(routing)
  local flows = {}
  for i = 1, 8 do flows[i] = { src = "g" .. i, dst = "g" .. i + 9, bytes = "4MiB" } end
  flows[9] = { src = "g9", dst = "g18", bytes = "8MiB" }
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 9, rate = "100Gbps", delay = "500ns" },
    workload = weft.flows(flows), pins = { { flow = "g9>g18", via = "spine1" } },
    set = { routing = routing, transport = "selective", reorder_window = "200us", buffer = "2MB" },
    true_size = "packet, buffer", shrunk = "hosts, rate 1/4, messages",
  })
end

local function tree(workload)
  return (weft.scenario {
    fabric = weft.fat_tree { ports = 4, rate = "100Gbps", delay = "500ns" },
    workload = workload, set = { routing = "ecmp" },
    true_size = "packet, tiers", shrunk = "hosts, rate 1/4, messages",
  })
end

local function times(r, scene) return r.this.duration / r.scenes[scene].steps[1].duration end

return weft.lesson {
  api = 1,
  id = "spread-it-out",
  title = "Spread it out",
  year = 2024,
  minutes = 8,
  level = 2,
  builds_on = { "few-flows-big-flows", "microsoft-livelock" },
  sources = { "SpecX", "NCCL", "Colossus24", "MRC26" },
  terms = { "packet spraying", "selective repeat", "reorder window", "adaptive routing" },

  scenes = {
    even = train {},
    hash = train { routing = "ecmp" },
    sprayed = train { routing = "spray" },
    keeps = train { routing = "spray", transport = "selective" },
    patient = train { routing = "spray", transport = "selective", reorder_window = "100us" },
    random = neighbour "spray",
    adaptive = neighbour "adaptive",
    alone = tree(weft.flows { { src = "g1", dst = "g6", bytes = "1MiB" } }),
    tree = tree(weft.permutation { shift = 5, bytes = "1MiB" }),
  },

  -- 1, 2: from before
  weft.scene "even",
  weft.say "**From before.** {key:skip} skips.",
  weft.note [[
    Ask aloud: why not give every packet a path of its own? Likely answer: nobody thought of it. Short of
    time: cards 4 to 8, 15.
  ]],
  weft.recall {
    from = "few-flows-big-flows",
    ask = "Eight flows, eight cables, one hash:",
    choices = {
      { "one flow on each cable",
        belief = "a good hash spreads evenly",
        reply = "The best hash is chance." },
      { "some idle, some doubled",
        reply = "Yes, nearly always." },
      { "all on one cable",
        belief = "a bad hash is the problem",
        reply = "That would be bad luck indeed." },
    },
    right = 2,
    because = "And the barrier waits for the doubled ones.",
  },

  weft.say "**And from 2016.**",
  weft.recall {
    from = "microsoft-livelock",
    ask = "Go-back-N sees a gap. It repeats",
    choices = {
      { "what is missing",
        belief = "go-back-N repeats only what is lost",
        reply = "That takes a better receiver." },
      { "the whole message",
        belief = "go-back-N is go-back-0",
        reply = "That was the livelock." },
      { "all from the gap on",
        reply = "Yes." },
    },
    right = 3,
    because = "Whether anything is lost, it does not ask.",
  },

  -- 3: the two ends
  weft.say [[
    **Same sixteen GPUs.** On planned paths a step takes {steps[1].duration}. But plans break, and hashes
    collide.
  ]],
  weft.play { to = "barrier", gear = "step" },

  weft.scene "hash",
  weft.say [[
    **Hashed,** some cables are doubled and some idle: {steps[1].duration}, not {scenes.even.steps[1].duration}. So
    why choose a path for a whole flow? Choose one for each packet.
  ]],
  weft.play { to = "barrier", gear = "step" },
  -- V64: ECMP
  weft.claim("hashed paths cost the ring more than half as much again", function(r)
    return times(r, "even") > 1.5, times(r, "even")
  end),

  -- 5: the first NAK
  weft.scene "sprayed",
  weft.say [[
    **A way for each packet,** at random: *packet spraying*. Queues differ by a packet or two, so one overtakes
    another. A receiver asks for what it misses (N): {packets.dropped} lost so far, {naks} NAK.
  ]],
  weft.play { to = "nak", gear = "round" },
  weft.claim("a NAK comes, and nothing is lost", function(r)
    return r.naks >= 1 and r.packets.dropped == 0
  end),

  -- 6: the price
  weft.say "**Go-back-N goes back.** Nothing is lost, all cables are even.",
  weft.predict {
    ask = "What will the step take?",
    choices = {
      { "as planned: it is even",
        belief = "spreading is free",
        reply = "Even, but full of repeats." },
      { "a little more",
        belief = "a NAK costs microseconds",
        reply = "One does. Here are thousands." },
      { "ten times as much",
        reply = "Yes." },
    },
    because = "{this.duration}: {packets.refused} packets refused, {packets.dropped} lost.",
    truth = function(r)
      local ratio = times(r, "even")
      return ratio < 1.1 and 1 or ratio < 4 and 2 or 3
    end,
  },
  weft.note "Stop here: a perfectly balanced network, and the slowest of the day.",
  weft.play { to = "barrier", gear = "step", rate = "2ms" },
  -- V64: spraying over go-back-N is at least ten times slower (on its fabric; here nearly so)
  weft.claim("spraying over go-back-N: more than eight times slower, nothing lost", function(r)
    return times(r, "even") > 8 and r.packets.dropped == 0 and r.packets.refused > 10000, times(r, "even")
  end),

  -- 7: keep what comes early
  weft.scene "keeps",
  weft.say "**A better receiver** keeps what comes early: *selective repeat*.",
  weft.predict {
    ask = "It asks at each gap. What does a step take?",
    choices = {
      { "as planned",
        belief = "keeping packets is enough",
        reply = "It still asks too soon." },
      { "half as much again",
        reply = "Yes." },
      { "ten times as much",
        belief = "disorder always costs the same",
        reply = "Only the missing is repeated." },
    },
    because = "{this.duration}: {packets.retransmitted} sent again, all in vain.",
    truth = function(r)
      local ratio = times(r, "even")
      return ratio < 1.2 and 1 or ratio < 4 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  -- V64: selective repeat that asks at the first gap, 1.5 to 2.5
  weft.claim("selective repeat that asks at once is 1.3 to 2.5 times slower", function(r)
    return times(r, "even") > 1.3 and times(r, "even") < 2.5 and r.packets.dropped == 0, times(r, "even")
  end),

  -- 8: patience
  weft.scene "patient",
  weft.say "**And patience:** a *reorder window* of {set.reorder_window}.",
  weft.switch { knob = "reorder_window", values = { "0ns", "5us", "100us" }, label = "reorder window" },
  weft.predict {
    ask = "What does a step take now?",
    choices = {
      { "longer: it waits",
        belief = "patience costs time",
        reply = "Only when something is lost." },
      { "nearly as planned",
        reply = "Yes." },
      { "as before",
        belief = "disorder always costs the same",
        reply = "It asks for nothing now." },
    },
    because = "{this.duration}, planned {scenes.even.steps[1].duration}: {packets.retransmitted} sent again.",
    truth = function(r)
      local ratio = r.this.duration / r.scenes.keeps.steps[1].duration
      return ratio > 1.05 and 1 or ratio < 0.9 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  -- V64: spraying with reordering accepted, 1.07
  weft.claim("spraying with patience comes within 15 % of the plan, and repeats nothing", function(r)
    return times(r, "even") < 1.15 and r.packets.retransmitted == 0, times(r, "even")
  end),

  -- 9: the price of patience
  weft.say "**Now one packet is really lost,** midway.",
  weft.predict {
    ask = "What does that cost?",
    choices = {
      { "a few microseconds",
        belief = "a NAK comes at once",
        reply = "It would, without patience." },
      { "tens: it waits first",
        reply = "Yes." },
      { "an ACK timeout",
        belief = "every loss waits for a timer",
        reply = "Later packets give it away." },
    },
    because = "{this.duration - steps[1].duration} more. Patience is paid when it is wrong.",
    truth = function(r)
      local more = r.this.duration - r.steps[1].duration
      return more < "30us" and 1 or more < "1ms" and 2 or 3
    end,
  },
  weft.drop { flow = "g3>g11", which = "middle" },
  weft.play { to = "drop", gear = "step" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("a loss costs tens of microseconds, of the order of the window", function(r)
    local more = r.this.duration - r.steps[1].duration
    return r.packets.dropped == 1 and more > "30us" and more < "110us", more
  end),

  -- 10: a neighbour
  weft.scene "random",
  weft.say [[
    **Chance is blind, too.** Another job's flow is bound to spine 1 and fills it. Spraying keeps sending one
    packet in eight there. Eight flows and the neighbour are done after
    {outcome == "done" and finish or "..."}.
  ]],
  weft.play { to = "end", gear = "round", rate = "200us" },

  weft.scene "adaptive",
  weft.say "**Look first:** *adaptive routing* takes the short queue.",
  weft.predict {
    ask = "Who gains?",
    choices = {
      { "nobody: as much to carry",
        belief = "paths do not matter if all are used",
        reply = "Seven were not full." },
      { "the eight, at its cost",
        belief = "what one wins another loses",
        reply = "It gets out of the way." },
      { "both jobs",
        reply = "Yes." },
    },
    because = "{finish}, not {scenes.random.finish}. g1's flow: {flow(\"g1>g10\").fct}.",
    truth = function(r)
      local was = r.scenes.random
      local eight, other = r.flow("g1>g10").fct < was.flow("g1>g10").fct, r.finish < 0.95 * was.finish
      return eight and other and 3 or eight and 2 or 1
    end,
  },
  weft.play { to = "end", gear = "round", rate = "200us" },
  weft.claim("adaptive routing serves both jobs faster than chance", function(r)
    return r.finish < 0.9 * r.scenes.random.finish
      and r.flow("g1>g10").fct < r.scenes.random.flow("g1>g10").fct, r.finish, r.scenes.random.finish
  end),

  -- 12: who does it
  weft.say [[
    **Who does that?** InfiniBand's switches: NCCL has known it since 2020 [NCCL]. Spectrum-X on Ethernet: the
    switch adapts, the NIC reorders [SpecX]. MRC, of 2026, sprays over hundreds of paths [MRC26].
  ]],
  weft.note [[
    Colossus, announced with 100,000 GPUs in 2024, runs on Spectrum-X, says NVIDIA [Colossus24]. How much it gains
    by it is the vendor's figure.
  ]],

  -- 13: another fabric
  weft.scene "alone",
  weft.say [[
    **Another fabric,** a fat tree of three tiers. g1 sends to g6, and nobody else does:
    {outcome == "done" and finish or "..."}.
  ]],
  weft.play { to = "end", gear = "round", rate = "30us" },

  -- 14: transfer
  weft.scene "tree",
  weft.say "**Now all sixteen send,** paths: {set.routing}. {outcome == \"done\" and finish or \"...\"}.",
  weft.play { to = "end", gear = "round", rate = "100us" },
  weft.switch { knob = "routing", values = { "ecmp", "dmodk", "spray" }, label = "paths" },
  weft.switch { knob = "transport", values = { "go_back_n", "selective" }, label = "repeat" },
  weft.switch { knob = "reorder_window", values = { "0ns", "100us" }, label = "wait" },
  weft.fix {
    goal = "Let all be as fast as one alone, within 30 %.",
    check = function(r)
      return r.outcome == "done" and r.finish < 1.3 * r.scenes.alone.finish, r.finish
    end,
    solution = { routing = "spray", transport = "selective", reorder_window = "100us" },
    time = "5ms",
    hints = { "A way for each packet, and who bears it." },
    because = "{finish}. Three changes, none of them alone.",
    reply = "{finish}.",
  },

  -- 15: in two sentences
  weft.say "**Aloud, in two sentences:** why not spray RoCE as it was in 2016?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "Switches could not",
        belief = "spreading needs clever switches",
        reply = "Chance needs no cleverness." },
      { "Receivers took it for loss",
        reply = "So would we." },
      { "It balances badly",
        belief = "chance balances badly",
        reply = "With so many packets, it evens out." },
    },
    because = "Go-back-N punishes disorder as if it were loss. First the receivers had to learn.",
    truth = function() return 2 end,
  },
}
