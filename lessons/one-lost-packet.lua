-- One lost packet, then the barrier.
--
-- What it shows: nearly every lost packet costs microseconds. The last one of a GPU's last message
-- costs a whole timeout, and everybody pays. Then: what loses packets in series, and what does not.

local weft = require "weft"

local fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" }

-- What a step cost more than the first one, which nobody had touched.
local function extra(r) return r.this.duration - r.steps[1].duration end

return weft.lesson {
  api = 1,
  id = "one-lost-packet",
  title = "One lost packet",
  year = 2014,
  minutes = 9,
  level = 1,
  sources = { "Goyal17", "Guo16", "NCCL" },
  terms = { "gradient", "barrier", "ACK timeout", "PFC" },

  scenes = {
    small = weft.scenario {
      fabric = fabric,
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "256KiB" },
        compute = "20us",
        steps = 100,
      },
      set = { pfc = true, timeout_exponent = 12 },
      true_size = "link, packet, timers",
      shrunk = "gradient 1/400, compute",
    },
    true_size = weft.scenario {
      fabric = fabric,
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "100MiB", bucket = "25MiB" },
        compute = "20us",
        steps = 20,
      },
      set = { pfc = true, timeout_exponent = 12 },
      true_size = "link, packet, timers, gradient of ResNet-50",
      shrunk = "compute",
    },
    mixed = weft.scenario {
      fabric = fabric,
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "25MiB" },
        compute = "20us",
        steps = 20,
      },
      set = { pfc = true, timeout_exponent = 12 },
      true_size = "link, packet, timers, bucket",
      shrunk = "number of buckets, compute",
    },
    web = weft.scenario {
      fabric = fabric,
      workload = weft.flows {
        { src = "g1", dst = "g2", bytes = "256KiB" },
        { src = "g2", dst = "g1", bytes = "256KiB" },
        { src = "g3", dst = "g4", bytes = "256KiB" },
        { src = "g4", dst = "g3", bytes = "256KiB" },
        { src = "g5", dst = "g6", bytes = "256KiB" },
        { src = "g6", dst = "g5", bytes = "256KiB" },
        { src = "g7", dst = "g8", bytes = "256KiB" },
        { src = "g8", dst = "g7", bytes = "256KiB" },
      },
      set = { pfc = true, timeout_exponent = 12 },
    },
  },

  -- 1: packets move
  weft.scene "small",
  weft.say [[
    **Eight GPUs train one network.** Each has computed corrections, its *gradients*. To agree, they
    pass pieces round a ring until everyone has the sum. Stop the picture with {key:play}.
  ]],
  weft.play { time = "60us", gear = "round" },
  weft.note [[
    Ask aloud, before anything else: a packet is lost; what does that cost a training? Likely wrong: nothing,
    it is sent again; or: everything stands still. Write both on the board and keep them. In ten minutes:
    cards 1 to 4 and 7 to 9.
  ]],

  -- 2: the barrier
  weft.say [[
    **Nobody starts the next step before everyone has the sum.** The bar through all rows is the
    *barrier*. Last comes {steps[1].slowest}, and the other {work.gpus - 1} wait.
  ]],
  weft.play { to = "barrier", gear = "round" },

  -- 3: any packet
  weft.say [[
    **Destroy a packet.** Answer, then {key:drop} (arrows choose). Unharmed, a step takes {steps[1].duration}.
  ]],
  weft.play { time = "30us", gear = "step" },
  weft.predict {
    ask = "What will it cost?",
    choices = {
      { "nothing",
        belief = "a network repairs a loss for free",
        reply = [[{this.duration == steps[1].duration and "Right: its GPU had time to spare."
          or "Nearly, but not quite."}]] },
      { "a few microseconds",
        reply = [[{this.duration - steps[1].duration < "1ms" and "Well judged." or "Usually, yes."}]] },
      { "thousands of microseconds",
        belief = "one lost packet stalls the cluster",
        reply = [[{this.duration - steps[1].duration > "1ms" and "You hit one of the few."
          or "So everybody says. It is nearly always false."}]] },
    },
    because = [[
      It cost {this.duration == steps[1].duration and "nothing" or this.duration - steps[1].duration}.
      {timeouts == 0 and "A NAK (N) told of the gap, and it came again (r)."
      or "Nothing followed it, so nobody saw a gap."}
    ]],
    truth = function(r)
      if extra(r) < "100ns" then return 1 end
      return extra(r) < "1ms" and 2 or 3
    end,
  },
  weft.drop { flow = "g3>g4", which = "middle", ask = true },
  weft.note [[
    Let somebody in the room choose the packet. Whoever happens on a last one has found card 4 early: say so,
    press {key:undo} and choose again.
  ]],
  weft.play { to = "nak", gear = "round" },
  weft.play { time = "5us", gear = "round" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("a packet from the middle costs less than 20 us", function(r)
    return r.packets.dropped == 1 and r.naks == 1 and r.timeouts == 0 and extra(r) > "0ps"
      and extra(r) < "20us"
  end),

  -- 4: the deadly eight
  weft.say [[
    **Not all are alike.** Of a step's {work.packets} packets, {work.gpus} cost dearly. When all stands
    still, {key:why} says why.
  ]],
  weft.predict {
    ask = "Which?",
    choices = {
      { "the first of each message",
        belief = "a message cannot start without its first packet",
        reply = "The next one gives it away." },
      { "those that cross a spine",
        belief = "a loss costs more the longer the way",
        reply = "A longer way costs little." },
      { "the very last of each GPU",
        reply = "Yes." },
    },
    because = [[
      Nothing follows: no gap, no NAK. g3's timer: {this.duration - steps[1].duration},
      {(this.duration - steps[1].duration) / steps[1].exposed_comm} times the exchange.
    ]],
    truth = function(r)
      if extra(r) > 0.99 * r.timeout then return 3 end
    end,
  },
  weft.note [[
    Stop when all marks stand still, and say nothing for five seconds. Then: who waits for whom? Press {key:why} only
    after somebody has said that g3 does not know. Nearly all vote for the first packet.
  ]],
  weft.drop { flow = "g3>g4", which = "last" },
  weft.play { to = "drop", gear = "step" },
  weft.play { to = "barrier", gear = "round" },
  weft.claim("the last packet of a GPU's last message costs one ACK timeout", function(r)
    return r.packets.dropped == 2 and r.timeouts == 1 and extra(r) > 0.99 * r.timeout
      and extra(r) < 1.01 * r.timeout
  end),
  weft.claim("and that is more than 200 times the exchange", function(r)
    return extra(r) / r.steps[1].exposed_comm > 200
  end),

  -- 5: the same packet twice
  weft.say [[
    **A packet from the middle is lost twice:** first itself, then its replacement.
  ]],
  weft.predict {
    ask = "What now?",
    choices = {
      { "g4 asks again",
        belief = "a receiver keeps asking until it gets what it wants",
        reply = "The rule: one NAK for a gap." },
      { "later packets give it away",
        belief = "as long as something follows, a gap is noticed",
        reply = "They do, but g4 asks only once." },
      { "a timer must run out",
        reply = "Yes: g4 asks only once." },
    },
    because = [[
      g4 refuses all that follows (~), and the stall walks round the ring, one GPU a round:
      {this.duration - steps[1].duration}.
    ]],
    truth = function(r)
      if extra(r) > 0.99 * r.timeout then return 3 end
    end,
  },
  weft.drop { flow = "g3>g4", which = "middle", attempts = 2 },
  weft.play { to = "nak", gear = "step" },
  weft.play { to = "timeout", gear = "round" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("losing a packet and its replacement costs one ACK timeout", function(r)
    return r.timeouts == 2 and extra(r) > 0.99 * r.timeout and extra(r) < 1.01 * r.timeout
  end),

  -- 6: the timer
  weft.say [[
    **The ACK timeout is a power of two.** Ours has exponent 12. NCCL's default is {set.timeout_exponent}
    [NCCL].
  ]],
  weft.set { timeout_exponent = 20 },
  weft.switch { knob = "timeout_exponent", values = { 12, 14, 18, 20 }, label = "timeout exponent" },
  weft.predict {
    ask = "How much longer is that?",
    choices = {
      { "8 times",
        belief = "an exponent counts like a number",
        reply = "Eight doublings." },
      { "20 times",
        belief = "the exponent is the time",
        reply = "Eight doublings." },
      { "256 times",
        reply = "Yes: eight doublings." },
    },
    because = [[
      One packet, {this.duration}. Why not tiny? A pause delays ACKs too, and a timer cannot tell waiting
      from death.
    ]],
    truth = function(r)
      if r.this.duration / r.timeout > 0.99 then return 3 end
    end,
  },
  weft.drop { flow = "g3>g4", which = "last" },
  weft.play { to = "drop", gear = "step" },
  weft.play { to = "barrier", gear = "round" },
  weft.claim("with NCCL's default the same loss takes more than four seconds", function(r)
    return r.this.duration > "4.2s" and r.this.duration < "4.4s"
  end),

  -- 7: true size
  weft.scene "true_size",
  weft.say [[
    **True size:** {work.bytes} in {work.buckets} buckets [Goyal17]. Bucket 1 loses its last packet, then
    bucket {work.buckets}.
  ]],
  weft.predict {
    ask = "Which one needs the timer?",
    choices = {
      { "both",
        belief = "the last packet of anything is deadly",
        reply = "Only what nothing follows." },
      { "that of bucket 1",
        belief = "an early loss delays all that follows",
        reply = "Bucket 2 gives it away." },
      { "that of the last bucket",
        reply = "Yes." },
    },
    because = [[
      Bucket 1: {steps[2].duration - steps[1].duration} more. Last bucket: {steps[3].duration -
      steps[1].duration}. One in {work.packets_per_gpu} is deadly.
    ]],
    truth = function(r)
      local first, last = r.steps[2].duration - r.steps[1].duration, r.steps[3].duration - r.steps[1].duration
      if first < "1ms" and last > 0.99 * r.timeout then return 3 end
      return first < "1ms" and 2 or 1
    end,
  },
  weft.drop { flow = "g3>g4", which = 11200, step = 2 },
  weft.drop { flow = "g3>g4", which = "last", step = 3 },
  weft.play { to = "barrier", gear = "step" },
  weft.play { to = "barrier", gear = "step" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("packet 11,200 is the last of bucket 1", function(r)
    return r.work.packets_per_gpu / r.work.buckets == 11200
  end),
  weft.claim("the last packet of bucket 1 costs less than 20 us: bucket 2 reveals it", function(r)
    local cost = r.steps[2].duration - r.steps[1].duration
    return cost > "0ps" and cost < "20us"
  end),
  weft.claim("the last packet of the last bucket costs one ACK timeout", function(r)
    local cost = r.steps[3].duration - r.steps[1].duration
    return cost > 0.99 * r.timeout and cost < 1.01 * r.timeout
  end),

  -- 8: a null result, announced
  weft.say [[
    **PFC is off now:** nobody pauses a sender when a queue fills. But no cable here has two flows.
  ]],
  weft.set { pfc = false },
  weft.note [[
    A null result on purpose. Ask who is disappointed. It says what PFC is for: queues, not losses. Short of
    time: from here straight to the last card.
  ]],
  weft.switch {
    knob = "flow_control", values = { "pfc", "none" }, label = "flow control",
    no_effect = "by rack no two flows share a cable, so no queue grows and nobody is ever paused",
  },
  weft.predict {
    ask = "What changes?",
    choices = {
      { "nothing",
        reply = "Yes." },
      { "some packets are lost",
        belief = "without PFC a network loses packets",
        reply = "Only where two share a cable." },
      { "it gets faster",
        belief = "PFC costs time",
        reply = "There was no pause to save." },
    },
    because = [[
      Difference: {this.duration - steps[1].duration}. No shared cable, no queue, no pause. Here PFC
      looks useless.
    ]],
    truth = function(r)
      if r.packets.dropped > 2 then return 2 end
      return r.this.duration < r.steps[1].duration and 3 or 1
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("by rack, PFC off equals PFC on, to the picosecond", function(r)
    return r.this.duration == r.steps[1].duration and r.packets.dropped == 2
      and r.pfc.xoff_frames == 0
  end),

  -- 9: mixed, with PFC
  weft.scene "mixed",
  weft.say [[
    **The scheduler shuffles the ranks,** the order of the ring. From step 2 on every message crosses
    a spine, two flows to a cable. With PFC: {steps[2].duration} instead of {steps[1].duration},
    {packets.dropped} lost, {pfc.xoff_frames} PAUSE frames. Waiting, but no waste.
  ]],
  weft.set { rank_order = "mixed" },
  weft.switch { knob = "rank_order", values = { "rack", "mixed" }, label = "rank order" },
  weft.play { to = "barrier", gear = "step" },
  weft.plot { "held leaf1:3", "queue leaf1:5" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("in mixed order PFC loses nothing and pauses thousands of times", function(r)
    return r.packets.dropped == 0 and r.timeouts == 0 and r.pfc.xoff_frames > 1000
  end),
  weft.claim("two flows a cable: about twice the time", function(r)
    local ratio = r.steps[2].duration / r.steps[1].duration
    return ratio > 1.9 and ratio < 2.1
  end),

  -- 10: mixed, without PFC
  weft.say [[
    **The same without PFC.** Queues fill and overflow.
  ]],
  weft.focus { view = "timeline" },
  weft.set { pfc = false, rank_order = "mixed" },
  weft.switch { knob = "flow_control", values = { "pfc", "none" }, label = "flow control" },
  weft.predict {
    ask = "How many times slower?",
    choices = {
      { "hardly at all",
        belief = "what is lost is simply sent again",
        reply = "If only." },
      { "2 to 4 times",
        belief = "the time goes into sending twice",
        reply = "Sending twice is cheap." },
      { "4 to 8 times",
        belief = "the more is lost, the slower it gets",
        reply = "It is not how many." },
      { "more than 8 times",
        reply = "Timers take long." },
    },
    because = [[
      {this.duration / steps[2].duration} times. {packets.dropped} lost, but it is the {timeouts} waits for
      a timer that take the time.
    ]],
    truth = function(r)
      local ratio = r.this.duration / r.steps[2].duration
      return ratio < 2 and 1 or ratio < 4 and 2 or ratio < 8 and 3 or 4
    end,
  },
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "timeout", gear = "step" },
  weft.play { to = "barrier", gear = "step", rate = "15ms" },
  weft.claim("in mixed order without PFC thousands are lost", function(r)
    return r.packets.dropped > 1000 and r.timeouts > 0
  end),
  weft.claim("the step takes more than eight times as long as with PFC", function(r)
    return r.this.duration / r.steps[2].duration > 8
  end),
  weft.claim("far fewer timeouts than losses make that time", function(r)
    return r.timeouts < r.packets.dropped / 100 and r.this.duration > 2 * r.timeout
  end),

  -- 11: transfer
  weft.scene "web",
  weft.say [[
    **Eight web pages, no ring.** The last packet of g3's page is lost.
  ]],
  weft.predict {
    ask = "Who waits?",
    choices = {
      { "all eight",
        belief = "a loss stalls whoever shares the network",
        reply = "There is no barrier here." },
      { "who asked for that page",
        reply = "Yes." },
      { "nobody",
        belief = "the web repairs losses at once",
        reply = "Nothing follows here either." },
    },
    because = [[
      g4 waited {flow("g3>g4").fct}, the others {flow("g1>g2").fct}. Only a barrier turns one wait into
      everybody's.
    ]],
    truth = function(r)
      local slow = r.flow("g3>g4").fct > r.timeout
      if r.flow("g1>g2").fct > r.timeout then return 1 end
      return slow and 2 or 3
    end,
  },
  weft.drop { flow = "g3>g4", which = "last" },
  weft.play { to = "end", gear = "round" },
  weft.claim("of eight independent requests only the one with the loss is late", function(r)
    local pairs_of = { "g1>g2", "g2>g1", "g4>g3", "g5>g6", "g6>g5", "g7>g8", "g8>g7" }
    for _, name in ipairs(pairs_of) do
      if r.flow(name).fct > "100us" then return false end
    end
    return r.flow("g3>g4").fct > r.timeout and r.outcome == "done"
  end),

  -- 12: in two sentences
  weft.say [[
    **Aloud, in two sentences:** why does loss matter to training and not to the web?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "Every loss stalls all",
        belief = "one lost packet stalls the cluster",
        reply = "Most did not." },
      { "Timers wait, barriers bill",
        reply = "So would we." },
      { "No PFC, no training",
        belief = "PFC is what makes it fast",
        reply = "By rack you saw no difference." },
    },
    because = [[
      A loss is cheap until only a timer sees it; then the barrier bills all. What PFC costs: [Guo16].
    ]],
    truth = function() return 2 end,
  },
}
