-- Slow down before you stop: ECN, CNP, DCQCN.
--
-- What it shows: a mark on a packet, a warning from its receiver, a sender that cuts its rate: queues stay
-- short, pauses rare, victims free. It does not replace PFC: the first warning comes after the first
-- flood. Tuned too late it never speaks, too early it starves everybody. A training job may do without.

local weft = require "weft"

-- As in rows V36 and V40 to V46 of the validation table: thresholds of [DCQCN15], 40 Gb/s, XOFF 300 KB.
local function set(changes)
  local all = {
    mtu = "1024B", switch_latency = "0ns", ack_every = 16, pfc_response = "0ns", buffer = "unlimited",
    queue_cap = "unlimited", xoff = "300KB", xon = "auto", headroom = "200KB", timeout_exponent = 20,
    ecn = true, cc = "dcqcn", kmin = "5KB", kmax = "200KB", pmax = "1%",
  }
  for knob, value in pairs(changes or {}) do all[knob] = value end
  return all
end

local function cable(a, b) return (weft.link { a = a, b = b, rate = "40Gbps", delay = "25ns" }) end

-- h1 to h4 send to r; v to vr, from 20 ms on. They share a trunk that is ten times as wide.
local function trunk(changes)
  local nodes = {
    weft.node { name = "v", kind = "host", row = 5, column = 1 },
    weft.node { name = "s1", kind = "switch", row = 1, column = 2 },
    weft.node { name = "s2", kind = "switch", row = 1, column = 3 },
    weft.node { name = "r", kind = "host", row = 1, column = 4 },
    weft.node { name = "vr", kind = "host", row = 5, column = 4 },
  }
  local links = {
    weft.link { a = "s1", b = "s2", rate = "400Gbps", delay = "25ns" },
    cable("s2", "r"), cable("s2", "vr"), cable("s1", "v"),
  }
  local flows = { { src = "v", dst = "vr", bytes = "48MiB", start = "20ms" } }
  for i = 1, 4 do
    table.insert(nodes, i, weft.node { name = "h" .. i, kind = "host", row = i, column = 1 })
    links[#links + 1] = cable("s1", "h" .. i)
    flows[#flows + 1] = { src = "h" .. i, dst = "r", bytes = "40MiB" }
  end
  return (weft.scenario {
    fabric = weft.fabric { nodes = nodes, links = links }, workload = weft.flows(flows),
    set = set(changes),
    true_size = "link, packet, thresholds, timers", shrunk = "message, switch latency",
  })
end

-- Sixteen to one, all at line rate, into a queue without end and without PFC.
local function flood(changes)
  return (weft.scenario {
    fabric = weft.star { hosts = 17, rate = "100Gbps", delay = "1us" },
    workload = weft.incast { to = "g17", from = 16, bytes = "4MiB" },
    set = set(changes),
    true_size = "link, cable, packet, thresholds, timers", shrunk = "message, switch latency",
  })
end

-- Eight GPUs, two flows a cable.
local function training(changes)
  local all = { rank_order = "mixed", kmin = "400KB", kmax = "1600KB", xoff = "2MB", pmax = "20%" }
  for knob, value in pairs(changes) do all[knob] = value end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "25MiB" }, compute = "100us", steps = 2,
    },
    set = all,
    true_size = "link, cable, packet, bucket, timers", shrunk = "number of buckets, compute",
  })
end

local line = 40 * 1024 / 1106 -- payload of a 40 Gb/s cable that is never idle

local function freed(r) return r.flow("v>vr").mean_rate.gbps / line end

return weft.lesson {
  api = 1,
  id = "slow-down-before-you-stop",
  title = "Slow down before you stop",
  year = 2015,
  minutes = 8,
  level = 2,
  sources = { "DCQCN15", "TIMELY15", "HPCC19", "Swift20", "Guo16", "Meta24a", "Azure25" },
  terms = { "ECN", "CNP", "DCQCN", "Kmin" },
  builds_on = { "one-lost-packet", "teaching-ethernet-to-wait", "the-price-of-a-pause" },

  scenes = {
    marks = trunk { cc = "none" },
    dcqcn = trunk(),
    flood = flood { flow_control = "none" },
    late = trunk { kmin = "1MB", kmax = "2MB", pmax = "20%" },
    early = trunk { kmin = "1KB", kmax = "2KB", pmax = "100%" },
    pauses = training { xoff = "100KB" },
    rates = training { ecn = true, cc = "dcqcn" },
  },

  -- before
  weft.scene "flood",
  weft.say "**From before.** Four flood one receiver, and PFC pauses them.",
  weft.recall {
    from = "the-price-of-a-pause",
    ask = "Who pays?",
    choices = {
      { "the four",
        belief = "a pause slows only the culprit",
        reply = "They had to wait anyway." },
      { "whoever shares their cable",
        reply = "Yes." },
    },
    right = 2,
    because = "A PAUSE stops a cable, not a flow.",
  },

  weft.say "**The second:** a switch sends PAUSE.",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "What did it count?",
    choices = {
      { "what waits for a cable",
        belief = "PAUSE follows the queue",
        reply = "That will be ECN's meter." },
      { "what came from a neighbour",
        reply = "Yes." },
    },
    right = 2,
    because = "Keep it in mind: today there is a second meter.",
  },

  -- a mark
  weft.scene "marks",
  weft.say [[
    **A mark.** A packet that leaves a queue longer than *Kmin* may get one, above Kmax each does: *ECN*.
    {ecn.marked} marks so far, {pfc.xoff_frames} PAUSE frames; v, since it began, {flow("v>vr").mean_rate}. A
    mark alone slows nobody.
  ]],
  weft.play { time = "24ms", gear = "step" },
  weft.note [[
    Ask: who sees the mark? Likely answer: the sender. It is the receiver; the sender must be told. ECN
    looks at what waits for a cable, PFC at what came from one: draw both on the board.
  ]],
  weft.claim("a mark that nobody acts on changes nothing", function(r) -- V34: v gets a quarter
    return r.ecn.marked > 10000 and r.ecn.cnps == 0 and freed(r) < 0.27 and r.packets.dropped == 0, freed(r)
  end),

  -- a warning
  weft.scene "dcqcn",
  weft.say "**A warning.** r sees the mark and sends h1 a *CNP*. h1 is at line rate.",
  weft.predict {
    ask = "Its rate after the first CNP?",
    answer = "number", unit = "rate", tolerance = "5%",
    low = "The warning does not say how many share.",
    high = "It brakes harder than that.",
    because = "{flow(\"h1>r\").rate}: half. It does not know that there are four.",
    truth = function(r) return r.flow("h1>r").rate end,
  },
  weft.plot { "rate h1>r", "queue s2:2" },
  weft.play { time = "15us", gear = "round", rate = "4us" },
  weft.play { time = "1us", gear = "packet", rate = "150ns" }, -- the first CNPs (C) to h1 to h3 are seen on their way
  weft.play { time = "9us", gear = "round", rate = "4us" },
  weft.claim("the first warning halves the rate", function(r) -- V42
    return r.flow("h1>r").rate.gbps == 20 and r.flow("h4>r").rate.gbps == 20, r.flow("h1>r").rate
  end),

  -- the way back up
  weft.say [[
    **And up again.** No warning: back half the way, again and again, then a little beyond. That is *DCQCN*
    [DCQCN15].
    After {finish} h1 may send {flow("h1>r").rate}, h2 {flow("h2>r").rate}. PAUSE on this card:
    {card.xoff_frames}.
  ]],
  weft.plot { "rate h1>r", "rate h2>r" },
  weft.play { time = "2ms", gear = "step", rate = "500us" },
  weft.play { time = "17ms", gear = "step", rate = "4ms" },
  weft.note [[
    Ask: how does h1 know that there are four? Likely answer: the switch tells it. Nobody does; they find
    out, each alone. Stop at the bottom of the first fall. Short of time: skip to the victim. Not in the
    model: TIMELY and Swift, which watch delays [TIMELY15] [Swift20], and HPCC, told by switches [HPCC19].
  ]],
  weft.claim("the four find their quarter, and the queue stays short", function(r) -- V36, V40
    for i = 1, 4 do
      local gbps = r.flow("h" .. i .. ">r").rate.gbps
      if gbps < 6 or gbps > 14 then return false, gbps end
    end
    return r.port("s2:2").queue < "100KB" and r.packets.dropped == 0, r.port("s2:2").queue
  end),

  -- the victim
  weft.say "**Now v begins.**",
  weft.predict {
    ask = "What does v get, with DCQCN?",
    choices = {
      { "as little",
        belief = "a victim is a victim",
        reply = "Only where cables are paused." },
      { "a fifth",
        belief = "the trunk is what is shared",
        reply = "The trunk is wide enough." },
      { "all of its cable",
        reply = "Yes." },
    },
    because = "{flow(\"v>vr\").mean_rate}, not {scenes.marks.flow(\"v>vr\").mean_rate}.",
    truth = function(r) return freed(r) < 0.4 and 1 or freed(r) < 0.7 and 2 or 3 end,
  },
  weft.play { time = "8ms", gear = "step" },
  weft.claim("the victim is free", function(r) -- V36: at least 18 of 40 Gb/s, in a larger fabric
    return freed(r) > 0.95 and r.card.xoff_frames == 0, freed(r)
  end),

  -- the flood
  weft.scene "flood",
  weft.say "**Then who needs PFC?** Sixteen begin together. PFC is off, the queue has no end.",
  weft.predict {
    ask = "How long does it get?",
    choices = {
      { "about Kmax",
        belief = "ECN keeps a queue at its marks",
        reply = "In time, yes. Not at first." },
      { "half a megabyte",
        belief = "a warning comes within a few packets",
        reply = "It must travel, and be obeyed." },
      { "many megabytes",
        reply = "Yes." },
    },
    because = [[
      {port("sw:17").queue_peak}; a whole switch had nine or twelve in 2016 [Guo16]. RDMA starts at line
      rate.
    ]],
    truth = function(r)
      local peak = r.port("sw:17").queue_peak
      return peak < "300KB" and 1 or peak < "2MB" and 2 or 3
    end,
  },
  weft.note [[
    Ask: what would help? Likely answer: earlier marks. They do not: the first warning takes a round trip,
    and sixteen line rates fill it. TCP starts slowly for this reason.
  ]],
  weft.plot { "queue sw:17", "rate g1>g17" },
  weft.play { time = "10us", gear = "round" },
  weft.play { time = "190us", gear = "step" },
  weft.claim("a flood at line rate makes a queue of eight megabytes", function(r) -- V45
    local peak = r.port("sw:17").queue_peak
    return peak > "7.5MB" and peak < "8.5MB" and r.ecn.cnps > 0, peak
  end),

  -- too late
  weft.scene "late",
  weft.say [[
    **Tuned too late.** XOFF is {set.xoff} held, Kmin now {set.kmin} queued. PFC speaks first, r's queue
    never gets there, and v has {flow("v>vr").mean_rate}.
  ]],
  weft.play { time = "22ms", gear = "step" },
  weft.claim("with Kmin above XOFF pauses come first and the victim suffers", function(r)
    -- V31: with Kmin and Kmax above XOFF the first pauses have no mark before them
    return freed(r) < 0.6 and r.pfc.xoff_frames > 5000, freed(r), r.pfc.xoff_frames
  end),

  weft.say "**Free v.** Move Kmin.",
  weft.switch { knob = "kmin", values = { "1MB", "400KB", "200KB", "50KB" }, label = "Kmin" },
  weft.play { time = "1ms", gear = "step" },
  weft.fix {
    goal = "v gets its whole cable.",
    check = function(r) return freed(r) > 0.9, r.flow("v>vr").mean_rate end,
    solution = { kmin = "200KB" },
    time = "24ms",
    hints = { "Which is reached first, Kmin or XOFF?" },
    because = "Slow down before you stop.",
    reply = "v: {flow(\"v>vr\").mean_rate}.",
  },

  -- too early
  weft.scene "early",
  weft.say "**Early, then!** Kmax: {set.kmax}.",
  weft.predict {
    ask = "How busy is r?",
    choices = {
      { "full, with short queues",
        belief = "the earlier a warning, the better",
        reply = "Too short: it runs dry." },
      { "a little less full",
        belief = "each warning costs a little",
        reply = "Each costs much." },
      { "nearly empty",
        reply = "Yes." },
    },
    because = [[
      {port("s2:2").load * 100} %: all brake, all the time.
    ]],
    truth = function(r)
      local load = r.port("s2:2").load
      return load > 0.9 and 1 or load > 0.5 and 2 or 3
    end,
  },
  weft.plot { "rate h1>r", "queue s2:2" },
  weft.play { time = "22ms", gear = "step" },
  weft.claim("marked too early, all starve", function(r)
    return r.port("s2:2").load < 0.2 and r.flow("v>vr").mean_rate < "10Gbps", r.port("s2:2").load
  end),

  -- transfer
  weft.scene "pauses",
  weft.say [[
    **Other work: a training job** alone on its fabric. With PFC only: {steps[2].exposed_comm} an exchange,
    {pfc.xoff_frames} PAUSE frames by the end.
  ]],
  weft.play { to = "end", gear = "step" },
  weft.claim("with PFC alone nothing is lost", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames > 1000
  end),

  weft.scene "rates",
  weft.say "**The same with DCQCN,** XOFF far away.",
  weft.predict {
    ask = "How is the exchange?",
    choices = {
      { "faster: no pauses",
        belief = "a pause is lost time",
        reply = "Nobody else was there to suffer." },
      { "the same",
        belief = "congestion control is free",
        reply = "Getting up again takes time." },
      { "slower",
        reply = "Yes." },
    },
    because = [[
      {steps[2].exposed_comm}, {pfc.xoff_frames} pauses. Meta turned it off [Meta24a]; Azure's storage keeps it
      [Azure25].
    ]],
    truth = function(r)
      local times = r.steps[2].exposed_comm / r.scenes.pauses.steps[2].exposed_comm
      return times < 0.98 and 1 or times < 1.02 and 2 or 3
    end,
  },
  weft.note [[
    Meta ran on PFC alone at this layer for over a year, and moved control up: a receiver says when a sender
    may begin. Do not say "no congestion control". Ask: what has storage that training lacks? Victims.
  ]],
  weft.play { to = "end", gear = "step" },
  weft.claim("DCQCN spares the pauses and costs this job time", function(r)
    local times = r.steps[2].exposed_comm / r.scenes.pauses.steps[2].exposed_comm
    return r.pfc.xoff_frames < r.scenes.pauses.pfc.xoff_frames / 10 and times > 1.02 and times < 1.4, times
  end),

  -- in one sentence
  weft.say "**Aloud:** does ECN replace PFC?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "yes, if tuned well",
        belief = "ECN replaces PFC",
        reply = "Sixteen filled the queue first." },
      { "no, it makes it rare",
        reply = "So would we." },
      { "no, it only marks",
        belief = "a mark changes nothing",
        reply = "v got its whole cable back." },
    },
    because = "ECN is the brake, PFC the belt.",
    truth = function() return 2 end,
  },
}
