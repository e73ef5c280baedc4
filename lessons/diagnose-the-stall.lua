-- Diagnose the stall: six broken clusters, one cause each.
--
-- What it shows: where to look, and in which order. Each case is a question (which cause?) and a task (mend
-- it); the simulator judges both.

local weft = require "weft"

local leaf_spine = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" }

-- The job: eight GPUs, a ring in mixed order, two flows a cable.
local function job(set, faults, fabric)
  local all = { rank_order = "mixed", retry_limit = 1000 }
  for knob, value in pairs(set) do all[knob] = value end
  return (weft.scenario {
    fabric = fabric or leaf_spine,
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "8MiB" }, compute = "100us", steps = 5,
    },
    set = all, faults = faults,
    true_size = "link, packet, timers", shrunk = "GPUs, gradient, compute",
  })
end

local four_spines = weft.leaf_spine { leaves = 2, spines = 4, hosts = 4, rate = "100Gbps", delay = "500ns" }
local square = weft.ring { switches = 4, hosts = 1, clockwise = true, rate = "100Gbps", delay = "25ns" }

-- A step of the try, against the healthy one.
local function near_healthy(most)
  return function(r)
    if #r.steps < 2 then return false end -- a try is cut where it cannot be near any more
    return r.steps[1].duration < most * r.scenes.healthy.steps[1].duration, r.steps[1].duration
  end
end

-- The least and the most busy of leaf1's cables to four spines.
local function leaf1_uplinks(r)
  local least, most = 1, 0
  for port = 5, 8 do
    local load = r.port("leaf1:" .. port).load
    least, most = math.min(least, load), math.max(most, load)
  end
  return least, most
end

return weft.lesson {
  api = 1,
  id = "diagnose-the-stall",
  title = "Diagnose the stall",
  year = 2026,
  minutes = 10,
  level = 3,
  builds_on = { "teaching-ethernet-to-wait", "microsoft-deadlock", "few-flows-big-flows" },
  sources = { "Guo16", "Meta24a", "Llama3" },

  scenes = {
    healthy = job {},
    one = job { headroom = "16KB" },
    two = job { transport = "tcp" },
    three = job { ecn = true, cc = "dcqcn", kmin = "3KB", kmax = "12KB" },
    four = job({}, { { "slow_gpu g6 30" } }),
    five = job({ routing = "ecmp" }, nil, four_spines),
    six = job({ timeout_exponent = 20 }, nil, square),
  },

  -- 1, 2: from before
  weft.scene "healthy",
  weft.say "**From before.** {key:skip} skips.",
  weft.note [[
    In a class: teams of two, one looks, one writes. No team may answer before it has named the instrument it
    looked at. Ask aloud: who is guilty, if all are late? Likely answer: the last one. Short of time: cases 1,
    4 and 6.
  ]],
  weft.recall {
    from = "microsoft-deadlock",
    ask = "A deadlock. Which counter says so?",
    choices = {
      { "lost packets",
        belief = "a broken network loses packets",
        reply = "It lost none." },
      { "failed links",
        belief = "what stands still is broken",
        reply = "All of them were up." },
      { "neither",
        reply = "Yes." },
    },
    right = 3,
    because = "It takes pauses that do not end, and a look at who waits for whom.",
  },

  weft.say "**And from Meta.**",
  weft.recall {
    from = "few-flows-big-flows",
    ask = "What shows that hashes collide?",
    choices = {
      { "cables of unlike load",
        reply = "Yes." },
      { "lost packets",
        belief = "collisions lose packets",
        reply = "PFC kept them all." },
      { "one slow GPU",
        belief = "a slow step has a slow GPU",
        reply = "All GPUs were fine." },
    },
    right = 1,
    because = "Some full, some idle: look at the cables, not at the sum.",
  },

  -- 3: healthy
  weft.say [[
    **This is health:** a step of {steps[1].duration}, {steps[1].duration and pfc.xoff_frames or "..."} pauses,
    {packets.dropped} lost. Six sick clusters follow, one cause each, most met in the field [Guo16] [Meta24a]. Look
    around before you answer: Tab turns the views, m the plots, y says why.
  ]],
  weft.play { to = "barrier", gear = "step" },
  weft.claim("the healthy job pauses, and loses nothing", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames > 100 and r.timeouts == 0
  end),

  -- case 1
  weft.scene "one",
  weft.say "**Case 1.** A step takes {steps[1].duration}; in health, {scenes.healthy.steps[1].duration}.",
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.predict {
    ask = "What is wrong?",
    choices = {
      { "its class is not lossless",
        belief = "who loses packets has no PFC",
        reply = "PFC paused it often." },
      { "too little headroom",
        reply = "Yes." },
      { "a GPU is slow",
        belief = "a slow step has a slow GPU",
        reply = "All compute alike." },
      { "a deadlock",
        belief = "what is very slow stands still",
        reply = "It moves." },
    },
    because = "{packets.dropped} lost, {pfc.xoff_frames} pauses: waits, and still overflows.",
    truth = function(r)
      if r.packets.dropped > 0 and r.pfc.xoff_frames > 0 then return 2 end
    end,
  },
  -- V20: one byte less than the headroom that is needed, and packets of a lossless class are lost
  weft.claim("too little headroom: pauses, losses and timeouts", function(r)
    return r.packets.dropped > 1000 and r.pfc.xoff_frames > 100 and r.timeouts > 0
      and r.steps[1].duration > 5 * r.scenes.healthy.steps[1].duration
  end),

  weft.say "**Mend it.**",
  weft.switch { knob = "headroom", values = { "16KB", "auto" }, label = "headroom" },
  weft.switch { knob = "xoff", values = { "100KB", "200KB" }, label = "XOFF" },
  weft.fix {
    goal = "Make it as fast as the healthy one.",
    check = near_healthy(1.05),
    solution = { headroom = "auto" },
    time = "9ms",
    hints = { "What is on its way after PAUSE?" },
    because = "{steps[1].duration}. From rate, cable and frame: compute it, do not guess.",
    reply = "{packets.dropped} lost in so short a try.",
  },

  -- case 2
  weft.scene "two",
  weft.say "**Case 2.** TCP this time, and PFC is on. A step takes {steps[1].duration}.",
  weft.play { to = "barrier", gear = "step", rate = "1ms" },
  weft.predict {
    ask = "What is wrong?",
    choices = {
      { "too little headroom",
        belief = "losses with PFC on mean headroom",
        reply = "Nobody was paused." },
      { "hashes collide",
        belief = "a shared cable is the problem",
        reply = "The healthy one shares, too." },
      { "PFC guards another class",
        reply = "Yes." },
      { "a cable is broken",
        belief = "who loses packets has a bad cable",
        reply = "They died in full queues." },
    },
    because = "{packets.dropped} lost, {pfc.xoff_frames} pauses: nobody asked its neighbour to wait.",
    truth = function(r)
      if r.packets.dropped > 0 and r.pfc.xoff_frames == 0 then return 3 end
    end,
  },
  -- V62c: with PFC nothing of this TCP would be lost
  weft.claim("in the wrong class: losses, and not one pause", function(r)
    return r.packets.dropped > 500 and r.pfc.xoff_frames == 0
      and r.steps[1].duration > 1.3 * r.scenes.healthy.steps[1].duration
  end),

  weft.say "**Mend it.**",
  weft.switch { knob = "tcp_class", values = { "lossy", "lossless" }, label = "class" },
  weft.switch { knob = "rto_min", values = { "200ms", "1ms" }, label = "RTO" },
  weft.fix {
    goal = "Lose no packet.",
    check = function(r) return #r.steps > 1 and r.packets.dropped == 0, r.packets.dropped end,
    solution = { tcp_class = "lossless" },
    time = "10ms",
    hints = { "Whom does PFC protect?" },
    because = "{steps[1].duration}, {packets.dropped} lost, {pfc.xoff_frames} pauses.",
    reply = "{packets.dropped} lost in so short a try.",
  },

  -- case 3
  weft.scene "three",
  weft.say "**Case 3.** DCQCN is on. A step: {steps[1].duration}.",
  weft.play { to = "barrier", gear = "step", rate = "15ms" },
  weft.predict {
    ask = "What is wrong?",
    choices = {
      { "PFC pauses too much",
        belief = "slow and lossless means paused",
        reply = "It never had to." },
      { "ECN marks too early",
        reply = "Yes." },
      { "a GPU is slow",
        belief = "a slow step has a slow GPU",
        reply = "All compute alike." },
      { "too little headroom",
        belief = "every stall is a buffer",
        reply = "Nothing is lost." },
    },
    because = "{ecn.cnps} warnings, {pfc.xoff_frames} pauses, {packets.dropped} lost: senders creep.",
    truth = function(r)
      if r.ecn.cnps > 500 and r.pfc.xoff_frames == 0 then return 2 end
    end,
  },
  weft.plot { "rate g1>g5", "queue leaf1:5" },
  -- V40: DCQCN fills the line where its thresholds fit
  weft.claim("thresholds too low: no loss, no pause, and a step ten times as long", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames == 0 and r.ecn.cnps > 500
      and r.steps[1].duration > 10 * r.scenes.healthy.steps[1].duration
  end),

  weft.say "**Mend it.**",
  weft.switch { knob = "kmax", values = { "12KB", "400KB" }, label = "Kmax" },
  weft.switch { knob = "cnp_interval", values = { "50us", "4us" }, label = "CNP" },
  weft.fix {
    goal = "Come within three healthy steps.",
    check = near_healthy(3),
    solution = { kmax = "400KB" },
    time = "9ms",
    hints = { "How long may a queue be?" },
    because = "{steps[1].duration}. Marks should come before PAUSE, not before work.",
    reply = "{ecn.cnps} warnings.",
  },

  -- case 4
  weft.scene "four",
  weft.say "**Case 4.** Step 1 took {steps[1].duration}, step 2 takes {steps[2].duration}.",
  weft.focus { view = "main" },
  weft.play { to = "barrier", gear = "step" },
  weft.play { to = "barrier", gear = "step" },
  weft.predict {
    ask = "Who is guilty?",
    choices = {
      { "who came last",
        belief = "who is last is guilty",
        reply = "The last may only have waited longest." },
      { "g6: it computes longest",
        reply = "Yes." },
      { "the network: it pauses",
        belief = "every stall is the network's",
        reply = "Pauses are as in health." },
    },
    because = "g6 computes {steps[2].compute}, and all wait for its pieces. Last was {steps[2].slowest}.",
    truth = function(r)
      if r.steps[2].compute > "1ms" then return 2 end
    end,
  },
  -- V87: the barrier is the maximum over ranks
  weft.note "Stop here: who was last is not who was late. Ask how they know.",
  weft.claim("one slow GPU makes the step longer by what it computes longer, and pauses and losses say nothing",
    function(r)
      local more, late = r.steps[2].duration - r.steps[1].duration, r.steps[2].compute - r.steps[1].compute
      return more > 0.8 * late and more < 1.1 * late and r.packets.dropped == 0, more, late
    end),

  weft.say [[
    **No switch mends that.** Somebody swaps the GPU; then a step takes {steps[4].duration}. In 54 days of Llama 3,
    memory and GPUs broke more often than switches and cables [Llama3].
  ]],
  weft.fault "slow_gpu g6 1",
  weft.play { to = "barrier", gear = "step" },
  weft.play { to = "barrier", gear = "step" },

  -- case 5
  weft.scene "five",
  weft.say "**Case 5.** Twice the spines, and no faster: {steps[1].duration}.",
  weft.play { to = "barrier", gear = "step" },
  weft.predict {
    ask = "What is wrong?",
    choices = {
      { "hashes collide",
        reply = "Yes." },
      { "PFC guards another class",
        belief = "congestion means a wrong class",
        reply = "It paused this one." },
      { "a GPU is slow",
        belief = "a slow step has a slow GPU",
        reply = "All compute alike." },
    },
    because = "leaf1's cables: {100 * port(\"leaf1:5\").load // 1}, {100 * port(\"leaf1:6\").load // 1}, "
      .. "{100 * port(\"leaf1:7\").load // 1}, {100 * port(\"leaf1:8\").load // 1} % busy.",
    truth = function(r)
      local least, most = leaf1_uplinks(r)
      if most > 1.5 * least and r.packets.dropped == 0 then return 1 end
    end,
  },
  -- V64: flows that are hashed share cables which a plan would not let them share
  weft.claim("hashed: one of four cables busy half as much again as another, or more, and nothing lost", function(r)
    local least, most = leaf1_uplinks(r)
    return most > 1.5 * least and most > 0.5 and r.packets.dropped == 0, least, most
  end),

  weft.say "**Mend it.** dmodk: planned paths.",
  weft.switch { knob = "routing", values = { "ecmp", "dmodk", "spray" }, label = "paths" },
  weft.switch { knob = "xoff", values = { "100KB", "400KB" }, label = "XOFF" },
  weft.fix {
    goal = "Be faster than the healthy one.",
    check = near_healthy(0.7),
    solution = { routing = "dmodk" },
    time = "9ms",
    hints = { "Which one is full?" },
    because = "{steps[1].duration}: one flow a cable.",
    reply = "{steps[1].duration}.",
  },

  -- case 6
  weft.scene "six",
  weft.say "**Case 6.** A ring of switches. No step ends.",
  weft.play { time = "5ms", gear = "step", rate = "500us" },
  weft.predict {
    ask = "It stands still. Why?",
    choices = {
      { "a GPU is dead",
        belief = "silence means a dead GPU",
        reply = "All have work to send." },
      { "a lost tail, a long timer",
        belief = "a stall is a timer",
        reply = "Nothing is lost." },
      { "pauses in a circle",
        reply = "Yes." },
    },
    because = "{cycle} ports wait in a circle, {packets.dropped} lost. {key:why} draws it.",
    truth = function(r)
      if r.stall == "deadlock" then return 3 end
    end,
  },
  -- V38: each flow two hops clockwise on a ring of four
  weft.claim("a ring of ranks on a ring of switches locks", function(r)
    return r.stall == "deadlock" and r.cycle == 4 and r.packets.dropped == 0
  end),

  weft.say "**Mend it,** losing nothing.",
  weft.switch { knob = "rank_order", values = { "mixed", "rack" }, label = "ranks" },
  weft.switch { knob = "flow_control", values = { "pfc", "none" }, label = "stop" },
  weft.fix {
    goal = "Let it end.",
    check = function(r) return r.outcome == "done" and r.packets.dropped == 0, r.packets.dropped end,
    solution = { rank_order = "rack" },
    time = "20ms",
    hints = { "Who needs two cables?" },
    because = "Neighbours as cabled: one cable a flow, no circle.",
    reply = "{stall == \"deadlock\" and \"Locked again\" or \"It moves\"}, {packets.dropped} lost.",
  },

  -- the end
  weft.say "**Aloud, in two sentences:** a step is late. What do you look at?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "The last one at the barrier",
        belief = "who is last is guilty",
        reply = "In case 4 the last was innocent." },
      { "Losses, pauses, then who",
        reply = "So would we." },
      { "First a restart",
        belief = "what runs again is mended",
        reply = "Case 6 would lock again." },
    },
    because = "Lost? Paused? Then who computes, and which cable is busy.",
    truth = function() return 2 end,
  },
}
