-- The barrier.
--
-- What it shows: the same loss that a thousand web pages hardly notice stops a thousand GPUs
-- every few steps. A barrier turns the slowest into all, and the more wait at it, the surer one is slow.
-- Then: why wait at all, and where the web has barriers, too.
--
-- The collective is halving and doubling: each GPU exchanges with log2 N partners, and with each of them
-- a second time on the way back. A packet lost on the way there is given away by the message on the way
-- back; the last packet of that one by nothing. So log2 N packets of each GPU are deadly in a step, where
-- a ring has one (row V63). Of n packets none is lost with (1-p)^n (row V88).

local weft = require "weft"

local p = 1 / 50000
local loss = { { "loss 0.00002" } }

local function star(hosts) return weft.star { hosts = hosts, rate = "100Gbps", delay = "25ns" } end

local function training(gpus, steps, faults, shrunk)
  return (weft.scenario {
    fabric = star(gpus),
    workload = weft.training {
      collective = weft.collective { kind = "halving_doubling", bytes = "64KiB" },
      compute = "500us", steps = steps,
    },
    faults = faults or loss,
    true_size = "link, packet, timers", shrunk = shrunk or "gradient, compute, one switch",
  })
end

-- Seven workers, a server; each sends when it is ready, three times, later three times more, and waits for
-- nobody.
local function whenever()
  local flows = {}
  for _, start in ipairs { 0, 400, 800, 17500, 17900, 18300 } do
    for worker = 1, 7 do
      flows[#flows + 1] = {
        src = "g" .. worker, dst = "g8", bytes = "256KiB", start = start + worker * 25 .. "us",
      }
    end
  end
  return weft.flows(flows)
end

local function late(r) return r.naks + r.timeouts end

return weft.lesson {
  api = 1,
  id = "the-barrier",
  title = "The barrier",
  year = 2017,
  minutes = 7,
  level = 2,
  builds_on = { "one-lost-packet", "the-ring" },
  sources = { "DistBelief12", "NCCL" },
  terms = { "tail latency", "asynchronous SGD", "stale gradient", "fan-out" },

  scenes = {
    web = weft.scenario {
      fabric = star(8),
      workload = weft.requests { count = 1000, clients = 4, ask = "300B", answer = "800KB", gap = "30us" },
      faults = loss,
      true_size = "link, packet, timers", shrunk = "number of hosts",
    },
    eight = training(8, 100),
    sixtyfour = training(64, 100),
    thousand = training(1024, 10),
    repair = training(256, 12, { { "loss 0.0001" } }, "GPUs 1/4, at five times the loss"),
    whenever = weft.scenario { fabric = star(8), workload = whenever() },
    search = weft.scenario {
      fabric = star(16),
      workload = weft.incast { to = "g1", from = 15, bytes = "20KB", blocks = 10 },
    },
  },

  -- recall
  weft.scene "web",
  weft.say "**2017. Two questions from before,** the first:",
  weft.note [[
    Ask aloud: why does loss matter to training and not to the web? Likely wrong: "every loss stalls
    everybody". Stop before the answer of card 6. Short of time: cards 3, 6 and 11.
  ]],
  weft.recall {
    from = "the-ring",
    ask = "What does a ring cost as it grows?",
    choices = {
      { "more bytes for each",
        belief = "more GPUs, more bytes for each",
        reply = "Never twice the gradient." },
      { "more rounds",
        reply = "Yes." },
    },
    right = 2,
    because = "That is why small sums take other ways.",
  },

  weft.say "**The second:**",
  weft.recall {
    from = "one-lost-packet",
    ask = "A packet is lost, others follow it. And then?",
    choices = {
      { "a NAK, some microseconds",
        reply = "Yes." },
      { "a timer, some milliseconds",
        belief = "every loss waits for a timer",
        reply = "Only if nothing follows." },
    },
    right = 1,
    because = "The receiver sees the gap and says so.",
  },

  -- the web
  weft.say [[
    **The web:** 1,000 pages. Of 50,000 packets one is lost. Nobody waits for anybody.
  ]],
  weft.predict {
    ask = "How many pages notice?",
    choices = {
      { "a handful",
        reply = "Yes." },
      { "hundreds",
        belief = "a loss slows whoever shares the cable",
        reply = "The others go by." },
      { "all, a little",
        belief = "a lossy network is slow for everybody",
        reply = "Independent means just that." },
    },
    because = [[
      {packets.dropped} packets lost: {naks} were asked for at once, {timeouts == 1 and "one page" or timeouts}
      had to wait for a timer.
    ]],
    truth = function(r)
      return late(r) < 50 and 1 or late(r) < 5000 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "step", rate = "8ms" },
  weft.claim("of 1,000 pages fewer than ten notice a loss, and some packet was lost", function(r)
    return late(r) > 0 and late(r) < 10 and r.packets.dropped > 0, late(r), r.packets.dropped
  end),

  -- eight GPUs
  weft.scene "eight",
  weft.say [[
    **Training, eight GPUs.** The same cables, the same loss, but a barrier. In 100 steps they compute
    {gpu_busy > 0 and math.floor(100 * gpu_busy + 0.5) or "..."} of 100 microseconds.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "200us" },
  weft.play { to = "end", gear = "step", rate = "12ms" },
  weft.claim("eight GPUs compute more than 95 % of the time", function(r)
    return r.gpu_busy > 0.95, r.gpu_busy
  end),

  -- sixty-four
  weft.scene "sixtyfour",
  weft.say [[
    **Sixty-four GPUs,** nothing else changed. They compute
    {gpu_busy > 0 and math.floor(100 * gpu_busy + 0.5) or "..."} of 100 microseconds.
    {packets.dropped == 0 and "Nothing" or packets.dropped} lost so far, and most losses cost little.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "200us" },
  weft.play { to = "end", gear = "step", rate = "12ms" },
  weft.claim("sixty-four GPUs compute more than 90 % of the time", function(r)
    return r.gpu_busy > 0.9 and r.packets.dropped > 0, r.gpu_busy
  end),

  -- a thousand
  weft.scene "thousand",
  weft.say [[
    **1,024 GPUs,** the same loss. Ten steps.
  ]],
  weft.predict {
    ask = "They compute...",
    choices = {
      { "nearly all the time",
        belief = "the average counts, and the loss is as rare as before",
        reply = "For each GPU, yes. But all wait for all." },
      { "half of the time",
        belief = "waiting grows a little with each GPU",
        reply = "It does not grow, it strikes." },
      { "a fifth of it, or less",
        reply = "Yes." },
    },
    because = [[
      {math.floor(100 * gpu_busy + 0.5)} of 100: {packets.dropped} packets lost, {timeouts} waits for a timer.
    ]],
    truth = function(r)
      return r.gpu_busy > 0.75 and 1 or r.gpu_busy > 0.25 and 2 or 3
    end,
  },
  weft.play { to = "timeout", gear = "step", rate = "200us" },
  weft.play { to = "end", gear = "step", rate = "2ms" },
  weft.claim("1,024 GPUs compute less than a fifth of the time", function(r)
    return r.gpu_busy < 0.2 and r.timeouts > 0, r.gpu_busy, r.timeouts
  end),
  weft.claim("yet fewer than one packet in 30,000 was lost", function(r)
    return r.packets.dropped / r.packets.sent < 1 / 30000, r.packets.dropped, r.packets.sent
  end),

  -- the tail
  weft.say [[
    **Rare, times many.** Each GPU has {math.floor(work.rounds / 2)} partners, and nothing follows its last
    packet to each: {math.floor(work.rounds / 2) * work.gpus} deadly ones a step. On average one step in
    {string.format("%.0f", 1 / (1 - 0.99998 ^ (work.rounds / 2 * work.gpus)))} meets a timer. The slowest
    decides: *tail latency* is cluster latency.
  ]],
  -- V88's form for the packets that only a timer can mend.
  weft.claim("with so many, 18 to 19 steps in 100 meet a timer", function(r)
    local hit = 1 - (1 - p) ^ (r.work.rounds / 2 * r.work.gpus)
    return hit > 0.18 and hit < 0.19, hit
  end),
  weft.claim("the timers that ran out are as many as that lets expect, within three sigma", function(r)
    local expected = p * r.work.rounds / 2 * r.work.gpus * 10
    return math.abs(r.timeouts - expected) < 3 * math.sqrt(expected), r.timeouts, expected
  end),

  -- a shorter timer. Fewer GPUs at more loss meet as many timers, and a try takes no time.
  weft.scene "repair",
  weft.say [[
    **Repair it.** Key 1 is the timer's exponent: one less halves the wait. Its default is 20 [NCCL].
  ]],
  weft.switch { knob = "timeout_exponent", values = { 12, 10, 8 }, label = "timeout exponent" },
  weft.fix {
    goal = "Twelve steps in 8 ms.",
    time = "8ms",
    check = function(r) return r.outcome == "done" and #r.steps == 12, #r.steps end,
    solution = { timeout_exponent = 8 },
    hints = { "With 12, one wait takes longer than you have." },
    because = "{finish}. But a PAUSE delays ACKs, and a short timer fires in vain.",
    reply = "{#steps} steps by then.",
  },
  weft.play { to = "barrier", gear = "step", rate = "200us" },

  -- why wait at all?
  weft.scene "whenever",
  weft.say [[
    **Why wait at all?** In *asynchronous SGD* workers send when ready [DistBelief12]. g3 loses one.
  ]],
  weft.predict {
    ask = "Who waits for g3?",
    choices = {
      { "the other six",
        belief = "whoever trains together waits together",
        reply = "Only where there is a barrier." },
      { "nobody",
        reply = "Yes." },
      { "those that send after it",
        belief = "a server answers in turn",
        reply = "They have queue pairs of their own." },
    },
    because = [[
      One row of g3 took {flow("g3>g8").fct}, that of g4 {flow("g4>g8").fct}: no row needs another.
    ]],
    truth = function(r)
      if r.flow("g4>g8").fct > "1ms" then return r.flow("g1>g8").fct > "1ms" and 1 or 3 end
      return 2
    end,
  },
  weft.drop { flow = "g3>g8", which = "last" },
  weft.play { time = "17ms", gear = "step", rate = "150us" },
  weft.claim("without a barrier one loss is one worker's wait", function(r)
    for worker = 1, 7 do
      local fct = r.flow("g" .. worker .. ">g8").fct
      if (fct > "1ms") ~= (worker == 3) then return false, worker, fct end
    end
    return r.timeouts == 1
  end),

  -- and why nobody does
  weft.say [[
    **The price:** a *stale gradient*. g3's was worked out from weights of {flow("g3>g8").fct} ago: it points
    where downhill was. The trainings of this course wait, and see to it that waits are rare.
  ]],
  weft.note [[
    "All GPUs wait before any goes on" is true of synchronous training, sum by sum. Libraries sum the late
    layers while early ones are still computed, which hides much of the time, but not the barrier.
  ]],
  weft.play { to = "end", gear = "step", rate = "150us" },

  -- transfer
  weft.scene "search",
  weft.say [[
    **A web search** asks 15 servers and needs all 15 answers: *fan-out*. Ten searches; the last packet of
    one answer is lost.
  ]],
  weft.predict {
    ask = "It behaves like...",
    choices = {
      { "the web: nobody notices",
        belief = "it is the web, so it is independent",
        reply = "These fifteen are not." },
      { "a training: all wait",
        reply = "Yes." },
    },
    because = [[
      {finish}, nearly all of it one timer. What decides is not web or training, but the barrier.
    ]],
    truth = function(r) return r.finish > r.timeout and 2 or 1 end,
  },
  weft.drop { flow = "g7>g1", which = "last" },
  weft.play { to = "drop", gear = "step", rate = "50us" },
  weft.play { to = "end", gear = "step", rate = "50us" },
  weft.claim("one answer of 150 makes its search a timeout longer", function(r)
    return r.packets.dropped == 1 and r.timeouts == 1 and r.finish > r.timeout
      and r.finish < 1.05 * r.timeout, r.finish
  end),

  -- the interview
  weft.scene "sixtyfour",
  weft.say [[
    **An interview asks:** why does packet loss matter so much for AI training, but not for web traffic?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "TCP resends, 1,000 GPUs stall",
        belief = "one dropped packet triggers TCP and stalls the cluster",
        reply = "Nearly: but NICs resend here, and most losses cost little." },
      { "Training needs each packet",
        belief = "the web can do without some",
        reply = "The web resends, too." },
      { "All wait for the unluckiest",
        reply = "So would we." },
    },
    because = [[
      A loss is rare for one, certain among many, and a barrier hands it to all.
    ]],
    truth = function() return 3 end,
  },
  weft.play { time = "2ms", gear = "step", rate = "200us" },
}
