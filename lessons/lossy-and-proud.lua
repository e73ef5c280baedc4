-- Lossy and proud: does a training network still need to be lossless?
--
-- What it shows: with a receiver that keeps what comes, and a sender that has no more on its way than fits,
-- a network without PFC is as fast as one with it. And what came with PFC is gone: victims, and deadlocks.

local weft = require "weft"

-- Rows V57 and V34: small packets, ports of 500 KB, and the timeouts of IRN scaled to this round trip.
local function set(more)
  local all = {
    mtu = "1024B", switch_latency = "0ns", ack_every = 1, buffer = "unlimited", queue_cap = "500KB",
    retry_limit = 1000, rto_low = "18us", rto_high = "57us",
  }
  for knob, value in pairs(more) do all[knob] = value end
  return all
end

-- Four send to one.
local function incast(more)
  return (weft.scenario {
    fabric = weft.star { hosts = 5, rate = "100Gbps", delay = "1us" },
    workload = weft.incast { to = "g5", from = 4, bytes = "4MiB" }, set = set(more),
    true_size = "link, packet, queue, timers", shrunk = "senders",
  })
end

-- Three to g5, and g4 to g6, who shares nothing with them but a trunk of ten times the rate.
local function victim(more)
  local flows = { { src = "g4", dst = "g6", bytes = "64MiB" } }
  for i = 1, 3 do flows[i + 1] = { src = "g" .. i, dst = "g5", bytes = "64MiB" } end
  return (weft.scenario {
    fabric = weft.leaf_spine {
      leaves = 2, spines = 1, hosts = 4, rate = "40Gbps", uplink_rate = "400Gbps", delay = "25ns",
    },
    workload = weft.flows(flows), set = set(more),
    true_size = "link, packet, queue", shrunk = "fabric",
  })
end

-- The ring that locked in 2016, all four flows.
local function ring(more)
  local flows = {}
  for i = 1, 4 do
    flows[i] = { src = "g" .. 2 * i - 1, dst = "g" .. 2 * ((i + 1) % 4 + 1), bytes = "64MiB" }
  end
  return (weft.scenario {
    fabric = weft.ring { switches = 4, hosts = 2, clockwise = true, rate = "40Gbps", delay = "25ns" },
    workload = weft.flows(flows), set = set(more),
    true_size = "link, packet, queue", shrunk = "fabric",
  })
end

-- The ring of one-lost-packet in mixed order: two flows a cable.
local function train(more)
  local all = { rank_order = "mixed", retry_limit = 1000 }
  for knob, value in pairs(more) do all[knob] = value end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "8MiB" }, compute = "20us", steps = 4,
    },
    set = all, true_size = "link, packet, timers", shrunk = "gradient, compute",
  })
end

local capped = { flow_control = "none", transport = "selective", window = 50 }

return weft.lesson {
  api = 1,
  id = "lossy-and-proud",
  title = "Lossy and proud",
  year = 2025,
  minutes = 9,
  level = 3,
  builds_on = { "spread-it-out", "microsoft-deadlock" },
  sources = { "Guo16", "IRN18", "SRD20", "Falcon25", "UE25", "UEC10", "EANTC26", "MRC26" },
  terms = { "BDP cap", "packet trimming", "link-level retry" },

  scenes = {
    pfc = incast {},
    old = incast { flow_control = "none" },
    keeps = incast { flow_control = "none", transport = "selective" },
    capped = incast(capped),
    victim = victim {},
    free = victim(capped),
    ring = ring(capped),
    paused = train {},
    tail = train { flow_control = "none", transport = "selective", window = 50 },
    job = train { flow_control = "none" },
  },

  -- 1, 2: from before
  weft.scene "pfc",
  weft.say "**From before.** {key:skip} skips.",
  weft.note [[
    Ask aloud: does RDMA need a lossless network? Likely answer: yes, that is what PFC is for. Write it down;
    ask again at the end. Short of time: cards 3 to 6, 8, 9, 16.
  ]],
  weft.recall {
    from = "spread-it-out",
    ask = "What makes spraying work?",
    choices = {
      { "faster switches",
        belief = "spreading needs clever switches",
        reply = "Chance needs no cleverness." },
      { "a receiver that keeps packets",
        reply = "Yes, one with patience." },
      { "shorter messages",
        belief = "disorder is a matter of length",
        reply = "Two packets can swap." },
    },
    right = 2,
    because = "That receiver can do more. See today.",
  },

  weft.say "**And from 2016.**",
  weft.recall {
    from = "microsoft-deadlock",
    ask = "What locked the ring?",
    choices = {
      { "a lost packet",
        belief = "a broken network loses packets",
        reply = "Nothing was lost." },
      { "too much load",
        belief = "only overload locks",
        reply = "It stayed locked without load." },
      { "the rule never to drop",
        reply = "Yes." },
    },
    right = 3,
    because = "Must it be lossless? They asked that then [Guo16].",
  },

  -- 3: with PFC
  weft.say [[
    **Four send to one,** {outcome == "done" and flow("g1>g5").bytes or "..."} each. With PFC the last byte
    is acknowledged after {outcome == "done" and finish or "..."}: {pfc.xoff_frames} pauses,
    {packets.dropped} lost, the cable never idle: nothing can be faster.
  ]],
  weft.play { to = "end", gear = "round", rate = "500us" },
  -- V57: PFC 1.00 of the ideal, 4 x 4 MiB in packets of 1,106 bytes of wire
  weft.claim("with PFC the incast takes no longer than the cable needs", function(r)
    local ideal = 4 * 4096 * 1106 * 80e-6 -- us
    return r.packets.dropped == 0 and r.finish.us / ideal < 1.005 and r.outcome == "done", r.finish.us / ideal
  end),

  -- 4: go-back-N without
  weft.scene "old",
  weft.say "**PFC off,** and go-back-N, as RoCE has it.",
  weft.predict {
    ask = "How many times longer?",
    choices = {
      { "hardly: it resends",
        belief = "what is lost is simply sent again",
        reply = "Everything behind it, too." },
      { "two to ten times",
        belief = "the time goes into sending twice",
        reply = "It goes into timers." },
      { "more than ten times",
        reply = "Yes." },
    },
    because = "{finish}. {packets.dropped} lost, {timeouts} timers: so RDMA needs lossless. Or does it?",
    truth = function(r)
      local ratio = r.finish / r.scenes.pfc.finish
      return ratio < 2 and 1 or ratio < 10 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "round", rate = "100ms" },
  -- V57: at least ten times
  weft.claim("without PFC, go-back-N takes more than ten times as long", function(r)
    return r.finish > 10 * r.scenes.pfc.finish and r.timeouts > 10, r.finish
  end),

  -- 5: keep what comes
  weft.scene "keeps",
  weft.say "**Selective repeat,** no PFC: only what is missing comes again.",
  weft.predict {
    ask = "How long now?",
    choices = {
      { "ten times, too",
        belief = "loss itself is the problem",
        reply = "It loses, and repairs." },
      { "not twice as long as PFC",
        reply = "Yes." },
      { "as with PFC",
        belief = "repairs are free",
        reply = "It floods the queue it waits for." },
    },
    because = "{finish}. But {packets.sent / packets.delivered} packets are sent for each that counts.",
    truth = function(r)
      local ratio = r.finish / r.scenes.pfc.finish
      return ratio > 10 and 1 or ratio > 1.05 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "round", rate = "1ms" },
  -- V57: selective repeat without a cap sends 2.4 to 16 times
  weft.claim("selective repeat without a cap sends several times what it needs", function(r)
    local times = r.packets.sent / r.packets.delivered
    return times > 2.4 and times < 16 and r.finish < 2 * r.scenes.pfc.finish, times
  end),

  -- 6: the cap
  weft.scene "capped",
  weft.say "**A ceiling:** the *BDP cap*. At most {set.window} packets on their way.",
  weft.switch { knob = "window", values = { 50, 400 }, label = "cap" },
  weft.predict {
    ask = "What becomes of the losses?",
    choices = {
      { "as many as before",
        belief = "losses come from the incast, not from senders",
        reply = "Four caps fit into the queue." },
      { "none here: it fits",
        reply = "Yes." },
      { "fewer, but slower",
        belief = "a cap costs throughput",
        reply = "It covers the round trip." },
    },
    because = "{packets.dropped} lost, {finish}, PFC {scenes.pfc.finish}. And nobody was paused.",
    truth = function(r)
      if r.packets.dropped == 0 and r.finish < 1.02 * r.scenes.pfc.finish then return 2 end
      return r.packets.dropped > 10000 and 1 or 3
    end,
  },
  weft.note "Stop here. PFC is off, and the numbers are the same. What did it do for us?",
  weft.play { to = "end", gear = "round", rate = "500us" },
  -- V57: selective repeat with a cap, 1.00 to 1.02 of PFC, at most 12 % retransmissions
  weft.claim("selective repeat with a cap is as fast as PFC", function(r)
    return r.finish < 1.02 * r.scenes.pfc.finish and r.packets.retransmitted < 0.12 * r.packets.sent
      and r.pfc.xoff_frames == 0, r.finish
  end),

  -- 7
  weft.say [[
    **That is IRN,** of 2018: selective repeat, a cap, no PFC. In its authors' simulations it beats RoCE with PFC
    by 6 to 83 per cent; the NIC grows by 3 to 10 [IRN18].
  ]],

  -- 8: the victim
  weft.scene "victim",
  weft.say [[
    **A victim of PFC.** Three flood g5. g4 sends to g6 and shares only the trunk, ten times as fast. PFC pauses the
    trunk: g4 gets {flow("g4>g6").mean_rate} of 40.
  ]],
  weft.play { time = "2ms", gear = "round", rate = "500us" },
  -- V34: with n senders the victim gets 40/n Gb/s of slots: 13.3, 12.3 of payload
  weft.claim("with PFC the victim gets a third of its line", function(r)
    local rate = r.flow("g4>g6").mean_rate
    return rate > "12Gbps" and rate < "12.8Gbps" and r.packets.dropped == 0, rate
  end),

  -- 9
  weft.scene "free",
  weft.say "**No PFC,** selective repeat, a cap.",
  weft.predict {
    ask = "What does g4 get now?",
    choices = {
      { "as much as before",
        belief = "a full queue slows its neighbours",
        reply = "Only if somebody is paused." },
      { "about half its line",
        belief = "the trunk is shared fairly",
        reply = "The trunk is not full." },
      { "all its line",
        reply = "Yes." },
    },
    because = "{flow(\"g4>g6\").mean_rate}, and the three still {flow(\"g1>g5\").mean_rate} each.",
    truth = function(r)
      local share = r.flow("g4>g6").mean_rate.gbps / 37
      return share < 0.4 and 1 or share < 0.9 and 2 or 3
    end,
  },
  weft.play { time = "2ms", gear = "round", rate = "500us" },
  weft.claim("without PFC the victim is free, and the others are no slower", function(r)
    return r.flow("g4>g6").mean_rate > "36Gbps" and r.flow("g1>g5").mean_rate > "12Gbps",
      r.flow("g4>g6").mean_rate
  end),

  -- 10: the ring
  weft.scene "ring",
  weft.say [[
    **And the ring that locked?** It runs: {card.goodput}, {cycle} ports wait in a circle. Who may drop cannot wait
    for ever.
  ]],
  weft.play { time = "2ms", gear = "round", rate = "500us" },
  weft.claim("without PFC the ring of 2016 runs", function(r)
    return r.cycle == 0 and r.stall == "none" and r.card.goodput > "60Gbps", r.card.goodput
  end),

  -- 11: the timer
  weft.scene "paused",
  weft.say [[
    **Last fear: the last packet.** Only a timer saves it. Pauses delay ACKs, so with PFC that timer is long: here
    {timeout}. A step takes {steps[1].duration}.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "500us" },

  weft.scene "tail",
  weft.say "**No PFC,** no long wait for an ACK. g3's last packet dies.",
  weft.predict {
    ask = "What does that cost?",
    choices = {
      { "the old timeout",
        belief = "a lost tail always costs the timeout of lesson one",
        reply = "Without PFC the timer is short." },
      { "less than a millisecond",
        reply = "Yes." },
      { "nothing",
        belief = "selective repeat sees every loss",
        reply = "Nothing follows, as ever." },
    },
    because = "{steps[2].duration - steps[1].duration} more. The timer: {set.rto_high} here.",
    truth = function(r)
      local more = r.steps[2].duration - r.steps[1].duration
      return more > "5ms" and 1 or more > "30us" and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "500us" },
  weft.drop { flow = "g3>g7", which = "last" },
  weft.play { to = "drop", gear = "step", rate = "500us" },
  weft.play { to = "barrier", gear = "step", rate = "500us" },
  weft.claim("the last packet costs a timeout of 320 us, not one of 16.8 ms", function(r)
    local more = r.steps[2].duration - r.steps[1].duration
    return r.packets.dropped == 1 and r.timeouts >= 1 and more > "300us" and more < "600us", more
  end),

  -- 13: the family
  weft.say [[
    **They all bear loss.** Amazon's SRD: up to 64 paths, no order [SRD20]. Google's Falcon: repair in the NIC
    [Falcon25]. Ultra Ethernet (2025) and MRC (2026): sprayed, in any order [UE25] [MRC26].
  ]],
  weft.play { to = "barrier", gear = "step", rate = "1ms" },

  weft.say [[
    **Two ideas we cannot show.** *Packet trimming*: a full queue keeps the header, so the receiver knows at once.
    *Link-level retry*: a cable repeats what it spoilt. Both are options of Ultra Ethernet [UEC10].
  ]],
  weft.play { to = "barrier", gear = "step", rate = "1ms" },

  weft.note [[
    How far along is it? In 2026 the products of several makers worked together only in part [EANTC26]. SRD
    and MRC are in use, by their makers' account.
  ]],

  -- 15: transfer
  weft.scene "job",
  weft.say "**A ring, no PFC.** With PFC: {scenes.paused.steps[1].duration}.",
  weft.switch { knob = "transport", values = { "go_back_n", "selective" }, label = "repeat" },
  weft.switch { knob = "window", values = { "unlimited", 50 }, label = "cap" },
  weft.fix {
    goal = "Make it as fast as with PFC.",
    check = function(r)
      return r.steps[1].duration < 1.02 * r.scenes.paused.steps[1].duration, r.steps[1].duration
    end,
    solution = { transport = "selective", window = 50 },
    time = "80ms",
    hints = { "Receiver and sender." },
    because = "{steps[1].duration}, {packets.dropped} lost, {pfc.xoff_frames} pauses.",
    reply = "{steps[1].duration}, {packets.dropped} lost.",
  },

  -- 16: in two sentences
  weft.say "**Aloud, in two sentences:** must a training network be lossless?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "Yes, RDMA needs it",
        belief = "RDMA needs a lossless network",
        reply = "Go-back-N needed it." },
      { "No: losses are free",
        belief = "repairs are free",
        reply = "Without a cap they were not." },
      { "No, if repair is good",
        reply = "So would we." },
    },
    because = "Lossless was the price of a simple NIC. Better NICs pay less; and no PFC, no deadlock.",
    truth = function() return 3 end,
  },
}
