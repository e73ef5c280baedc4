-- The ring.
--
-- What it shows: in a ring no cable carries more than any other, and each GPU sends less than twice its
-- gradient however many take part. algbw and busbw say the same thing from two sides. What a ring
-- costs is rounds: for a small sum a tree wins. Scenes "eight" and "many" are those of row V80.

local weft = require "weft"

local function sum(gpus, rate, bytes, kind, set)
  return (weft.scenario {
    fabric = weft.star { hosts = gpus, rate = rate, delay = "25ns" },
    workload = weft.training {
      collective = weft.collective { kind = kind, bytes = bytes }, compute = "20us", steps = 40,
    },
    set = set,
    true_size = "links, packet, gradient", shrunk = "compute",
  })
end

local function v80(gpus, kind) return sum(gpus, "400Gbps", "64MiB", kind, { ack_every = 0 }) end

local eighth = 0.125 -- of a second: what [Goyal17] leave for an exchange

return weft.lesson {
  api = 1,
  id = "the-ring",
  title = "The ring",
  year = 2016,
  minutes = 7,
  level = 2,
  builds_on = { "two-cards", "who-adds-it-up" },
  sources = { "Baidu17", "Goyal17", "Horovod17", "NCCL" },
  terms = { "ring", "round", "algbw", "busbw" },

  scenes = {
    small = weft.scenario {
      fabric = weft.star { hosts = 8, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "256KiB" }, compute = "20us", steps = 100,
      },
      true_size = "links, packet", shrunk = "gradient, compute",
    },
    eight = v80(8, "ring"),
    many = v80(64, "ring"),
    tree = v80(8, "tree"),
    tiny = sum(64, "400Gbps", "4KiB", "ring"),
    hour = sum(8, "50Gbps", "100MB", "ring"),
  },

  -- 1: recall
  weft.scene "small",
  weft.say "**Two questions from before.** {key:skip} skips them.",
  weft.note [[
    Ask aloud: twice as many GPUs, how much more must each of them send? Likely wrong: twice as much. Stop
    before the answer of card 5. Short of time: cards 2, 3, 5 and 8. A row of eight people who pass sheets
    of paper round shows card 3 in a minute.
  ]],
  weft.recall {
    from = "who-adds-it-up",
    ask = "What was the parameter server short of?",
    choices = {
      { "arithmetic",
        belief = "a server is short of computing",
        reply = "Adding cost nothing there." },
      { "cable",
        reply = "Yes." },
    },
    right = 2,
    because = "All gradients came in over one.",
  },
  weft.recall {
    from = "two-cards",
    ask = "How many gradients does a copy exchange?",
    choices = {
      { "one for each weight",
        reply = "Yes." },
      { "one for each image",
        belief = "more images, more of everything",
        reply = "Images only change their values." },
    },
    right = 1,
    because = "As many bytes as it has weights, in each step.",
  },
  weft.play { time = "30us", gear = "round" },

  -- 2: pass it on
  weft.say [[
    **Pass it on.** No server: each GPU sends to the next, in a *ring*. The gradient is cut into
    {work.gpus} pieces; all cables work at once. NCCL did it in 2015, Baidu made it famous in 2017
    [NCCL] [Baidu17].
  ]],
  weft.play { time = "20us", gear = "round" },

  -- 3: rounds
  weft.say [[
    **In a round** everybody passes one piece on; all {work.gpus} must add to it. {work.rounds} *rounds* in all.
  ]],
  weft.predict {
    ask = "How many of the rounds add?",
    choices = {
      { "all of them",
        belief = "a sum is done when the last round is",
        reply = "Half way through, every sum is done." },
      { "half of them",
        reply = "Yes." },
      { "the last one",
        belief = "first all is collected, then it is added",
        reply = "They add as they go." },
    },
    because = [[
      {work.rounds / 2} add; then each piece is finished somewhere. {work.rounds / 2} more take it to
      everybody.
    ]],
    truth = function(r) return r.work.rounds == 2 * (r.work.gpus - 1) and 2 or 1 end,
  },
  weft.play { to = "barrier", gear = "round" },
  weft.claim("eight GPUs need 14 rounds, 2(N-1)", function(r) return r.work.rounds == 14 end),

  -- 4: true size
  weft.scene "eight",
  weft.say [[
    **True size:** {work.bytes} of gradients, 400-gigabit cables. Eight GPUs need {steps[1].exposed_comm}; each
    sends {work.packets_per_gpu} packets.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "600us" },
  -- V80, N = 8: 2,404.70 us within 0.02 %.
  weft.claim("eight GPUs: V80's time", function(r)
    return r.collective.mean > "2404.2us" and r.collective.mean < "2405.2us", r.collective.mean
  end),

  -- 5: more GPUs
  weft.scene "many",
  weft.say [[
    **Sixty-four GPUs,** the same gradient, eight times as many pieces.
  ]],
  weft.predict {
    ask = "Each GPU sends...",
    choices = {
      { "eight times as much",
        belief = "more GPUs, more bytes for each",
        reply = "There are more pieces, but smaller ones." },
      { "an eighth more",
        reply = "Yes." },
      { "an eighth of it",
        belief = "many hands, light work",
        reply = "Everybody still needs the whole sum." },
    },
    because = [[
      {work.packets_per_gpu} packets, in {this.exposed_comm} instead of
      {scenes.eight.steps[1].exposed_comm}. It never reaches twice the gradient.
    ]],
    truth = function(r)
      local more = r.work.packets_per_gpu / r.scenes.eight.work.packets_per_gpu
      return more > 2 and 1 or more > 1 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "600us" },
  -- V80, N = 64: 2,775.08 us within 0.02 %; V83: 2(N-1)/N of the gradient.
  weft.claim("sixty-four GPUs: V80's time", function(r)
    return r.collective.mean > "2774.5us" and r.collective.mean < "2775.7us", r.collective.mean
  end),
  weft.claim("each sends 12.5 % more than with eight, less than twice its gradient", function(r)
    local sent = r.work.packets_per_gpu * 4096 / r.work.bytes.bytes
    return r.work.packets_per_gpu / r.scenes.eight.work.packets_per_gpu == 1.125 and sent < 2, sent
  end),

  -- 6: algbw and busbw
  weft.say [[
    **Two speeds.** *algbw* is gradient bits per second: {collective.algbw} here. *busbw*, 2(N-1)/N times that, is what
    a cable of 400 gigabits carried.
  ]],
  weft.predict {
    ask = "What is busbw, on these cables?",
    answer = "number", unit = "rate", tolerance = "10%",
    low = "That looks like algbw. The cables were hardly ever idle.",
    high = "More than a cable carries?",
    because = [[
      {collective.busbw}: full, but for headers and the start of each round. algbw falls with N; the cables
      do not slow down.
    ]],
    truth = function(r) return r.collective.busbw end,
  },
  weft.play { to = "barrier", gear = "step", rate = "1ms" },
  weft.claim("busbw is 94 to 97 % of the line, algbw half of that", function(r)
    local bus, alg = r.collective.busbw.gbps / 400, r.collective.algbw / r.collective.busbw
    return bus > 0.94 and bus < 0.97 and alg > 0.5 and alg < 0.52, bus, alg
  end),

  -- 7: a tree instead
  weft.scene "tree",
  weft.say [[
    **A tree has fewer rounds.** Eight GPUs again; switch 1: scheme.
  ]],
  weft.switch { knob = "collective", values = { "tree", "halving_doubling", "ring" }, label = "scheme" },
  weft.predict {
    ask = "Is it faster than the ring?",
    choices = {
      { "faster: fewer rounds",
        belief = "fewer rounds are faster",
        reply = "Bytes count here." },
      { "slower: busier cables",
        reply = "A tree's are." },
      { "as fast: the same sum",
        belief = "the same result costs the same",
        reply = "Not on each cable." },
    },
    because = [[
      {this.exposed_comm}; the ring {scenes.eight.steps[1].exposed_comm}. Halving and doubling equals it,
      nothing beats it by much.
    ]],
    truth = function(r)
      local change = r.this.exposed_comm / r.scenes.eight.steps[1].exposed_comm
      return change < 0.98 and 1 or change > 1.02 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "1ms" },
  weft.claim("for 64 MiB a tree takes more than twice as long as the ring", function(r)
    local change = r.this.exposed_comm / r.scenes.eight.steps[1].exposed_comm
    return change > 2 and change < 3, change
  end),

  -- 8: where a tree wins
  weft.scene "tiny",
  weft.say [[
    **A tiny sum:** {work.bytes}, sixty-four GPUs, {work.rounds} rounds. Switch 1: scheme.
  ]],
  weft.switch { knob = "collective", values = { "ring", "tree", "halving_doubling" }, label = "scheme" },
  weft.fix {
    goal = "The sum takes less than 20 us.",
    check = function(r) return r.steps[1].exposed_comm < "20us", r.steps[1].exposed_comm end,
    time = "300us",
    solution = { collective = "tree" },
    hints = { "Count rounds, not bytes." },
    because = "{steps[1].exposed_comm}. Since 2019 NCCL has trees, too [NCCL].",
    reply = "{steps[1].exposed_comm}, most of it for starting rounds.",
  },
  weft.play { to = "barrier", gear = "step", rate = "20us" },

  -- 9: transfer
  weft.scene "hour",
  weft.say [[
    **2017:** on 50-gigabit Ethernet {work.bytes} had to be summed in 1/8 second [Goyal17].
  ]],
  weft.predict {
    ask = "Did Ethernet suffice?",
    choices = {
      { "no: it took InfiniBand",
        belief = "by 2016 training needed InfiniBand",
        reply = "The common story. They used Ethernet." },
      { "barely",
        belief = "a ring fills the time there is",
        reply = "Divide again: time is left over." },
      { "a quarter of the time did",
        reply = "Yes." },
    },
    because = [[
      {steps[1].exposed_comm} round a ring of {work.gpus} servers; 32 need a tenth more.
    ]],
    truth = function(r)
      local share = r.steps[1].exposed_comm.s / eighth
      return share > 1 and 1 or share > 0.5 and 2 or 3
    end,
  },
  weft.note [[
    The run: 32 servers of eight GPUs. The authors' own sum [Goyal17]: twice the gradient in an eighth of a
    second is 12.8 gigabits a second, some 15 with overhead. Horovod's headline benchmark: 128 servers on
    25-gigabit Ethernet that could do RoCE [Horovod17].
  ]],
  weft.play { to = "barrier", gear = "step", rate = "8ms" },
  weft.claim("at 50 Gb/s the exchange takes 20 to 27 % of an eighth of a second", function(r)
    local share = r.steps[1].exposed_comm.s / eighth
    return share > 0.20 and share < 0.27, share
  end),

  -- 10: in two sentences
  weft.say [[
    **Aloud, in two sentences:** why did the ring win?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "It has the fewest rounds",
        belief = "fewer rounds are faster",
        reply = "It has the most." },
      { "All cables carry the same",
        reply = "So would we." },
      { "Each sends less and less",
        belief = "many hands, light work",
        reply = "Each sends a little more." },
    },
    because = [[
      None is idle, none carries twice the gradient. The price: one late GPU stops them all.
    ]],
    truth = function() return 2 end,
  },
  weft.play { to = "barrier", gear = "step", rate = "8ms" },
}
