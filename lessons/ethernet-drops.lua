-- Ethernet drops: TCP incast.
--
-- What it shows: many servers that answer one client at once overfill its queue; what they lose, they lose
-- so completely that only a timer notices, and the cable stands idle meanwhile. More senders, less
-- goodput. The timer is the price, not the drop.

local weft = require "weft"

local part = "256000B" -- of a block, from each server
local blocks = 3

-- As in row V62 of the validation table: 1 Gb/s, cables of 5 km (a slow network's round trip), 64 KB of
-- queue, NewReno. The next block begins when all parts of this one have arrived.
local function read(servers, changes)
  local set = {
    transport = "tcp", flow_control = "none", queue_cap = "64KB", buffer = "unlimited",
    switch_latency = "0ns", ack_every = 1, mtu = "1024B",
  }
  for knob, value in pairs(changes or {}) do set[knob] = value end
  return (weft.scenario {
    fabric = weft.star { hosts = servers + 1, rate = "1Gbps", delay = "25us" },
    workload = weft.incast { to = "g" .. servers + 1, from = servers, bytes = part, blocks = blocks },
    set = set,
    true_size = "link, packet, queue, timers, parts", shrunk = "number of blocks",
  })
end

-- Sixteen GPUs and one host more on the same switch, with TCP.
local function sum(collective)
  return (weft.scenario {
    fabric = weft.star { hosts = 17, rate = "1Gbps", delay = "25us" },
    workload = weft.training {
      collective = weft.collective { kind = collective, bytes = "4MB" }, compute = "1ms", steps = 2,
    },
    set = {
      transport = "tcp", flow_control = "none", queue_cap = "64KB", switch_latency = "0ns", ack_every = 1,
    },
    true_size = "link, packet, queue, timers", shrunk = "gradient, compute",
  })
end

-- Payload of all blocks as a share of the line.
local function share(r, servers) return servers * blocks * 256000 * 8 / 1e9 / r.finish.s end

return weft.lesson {
  api = 1,
  id = "ethernet-drops",
  title = "Ethernet drops",
  year = 2005,
  minutes = 7,
  level = 2,
  sources = { "DCB", "FAST08", "SIG09" },
  terms = { "incast", "tail drop", "RTO", "tail-loss probe" },
  builds_on = { "one-lost-packet" },

  scenes = {
    one = read(1),
    sixteen = read(16),
    watch = read(16),
    quick = read(16),
    today = read(16, { tlp = true }),
    task = read(16),
    wait = read(16, { flow_control = "pfc", tcp_class = "lossless" }),
    ring = sum "ring",
    server = sum "parameter_server",
  },

  -- before
  weft.scene "one",
  weft.say "**2005. Two questions from before,** the first:",
  weft.recall {
    from = "one-lost-packet",
    ask = "Thousands lost. What took the time?",
    choices = {
      { "sending them again",
        belief = "a loss costs what it loses",
        reply = "Sending again was quick." },
      { "a few timers",
        reply = "Yes." },
    },
    right = 2,
    because = "It is not how many are lost, but whether only a timer sees it.",
  },

  weft.say "**The second:** eight web pages, one of them loses its last packet.",
  weft.recall {
    from = "one-lost-packet",
    ask = "Who waits?",
    choices = {
      { "who asked for that page",
        reply = "Yes." },
      { "all eight",
        belief = "a loss stalls whoever shares the network",
        reply = "Only where there is a barrier." },
    },
    right = 1,
    because = "Today there is a barrier again, without any GPU.",
  },

  -- one server
  weft.say [[
    **A file in pieces.** Each server keeps a part of every block. g2 wants the whole block before it asks
    for the next one [FAST08]. With one server, over TCP: {card.goodput} of one gigabit.
  ]],
  weft.play { to = "end", gear = "step", rate = "1500us" },
  weft.claim("one server fills over nine tenths of the line", function(r)
    return share(r, 1) > 0.9 and r.packets.dropped == 0, share(r, 1)
  end),

  -- sixteen servers
  weft.scene "sixteen",
  weft.say "**Sixteen servers,** all asked at once: an *incast*.",
  weft.predict {
    ask = "How much of the line is used?",
    choices = {
      { "more: more servers, more data",
        belief = "bandwidth adds up",
        reply = "One cable to g17, whoever sends." },
      { "a bit less: some goes twice",
        belief = "a loss costs what it loses",
        reply = "Sending twice costs least." },
      { "less than a fifth",
        reply = "Yes." },
    },
    because = [[
      {card.goodput}. {packets.dropped} lost of {packets.sent} sent: that is not what takes {finish}.
    ]],
    truth = function(r)
      local used = share(r, 16)
      return used > 0.93 and 1 or used > 0.2 and 2 or 3
    end,
  },
  weft.note [[
    Ask: what is the cable to g17 doing right now? Likely answer: it is congested. Stop in a silence: it is
    idle. Short of time: this card and the one about the timer are the lesson.
  ]],
  weft.plot { "queue sw:17", "goodput g17" },
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "end", gear = "timeout" },
  -- V62: 16 senders, RTOmin 200 ms: less than 15 % of the line, over 40 blocks
  weft.claim("sixteen servers use less than a fifth of the line", function(r)
    return share(r, 16) < 0.2 and r.timeouts > 16, share(r, 16)
  end),

  -- tail drop
  weft.scene "watch",
  weft.say [[
    **Look closer.** Queue to g17: {set.queue_cap}. Full, it drops what comes last: *tail drop*.
  ]],
  weft.predict {
    ask = "One server loses all it had sent. Who tells it?",
    choices = {
      { "the switch that dropped it",
        belief = "whoever drops also tells",
        reply = "Ethernet tells nobody." },
      { "g17: it sees a gap",
        belief = "a gap is always noticed",
        reply = "Nothing came behind it." },
      { "nobody",
        reply = "Yes." },
    },
    because = "Its own clock must. Until it has run out, nothing moves.",
    truth = function(r) return r.timeouts > 0 and 3 or 2 end,
  },
  weft.plot { "queue sw:17" },
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "timeout", gear = "step" },
  weft.claim("the first block waits for a timer", function(r)
    return r.timeouts > 0 and r.finish > r.set.rto_min and r.packets.dropped > 16
  end),

  -- the timer
  weft.scene "quick",
  weft.say [[
    **TCP's timer,** the *RTO*, was made for the Internet: a fifth of a second at least. Now it is
    {set.rto_min}.
  ]],
  weft.set { rto_min = "1ms" },
  weft.switch { knob = "rto_min", values = { "200ms", "1ms" }, label = "RTO at least" },
  weft.predict {
    ask = "What changes?",
    choices = {
      { "no change: still drops",
        belief = "loss is the problem",
        reply = "As many drops, but no silence." },
      { "most of the line is used",
        reply = "Yes." },
      { "worse: more is sent again",
        belief = "patience pays in a congested network",
        reply = "The line was not congested, it was idle." },
    },
    because = [[
      {card.goodput}, with {packets.dropped} lost and {timeouts} timeouts. [SIG09] proposed just that.
    ]],
    truth = function(r)
      local times = share(r, 16) / share(r.scenes.sixteen, 16)
      return times > 2 and 2 or times > 0.9 and 1 or 3
    end,
  },
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "end", gear = "step" },
  -- V62: RTOmin 1 ms: at least 75 % of the line
  weft.claim("with RTOmin 1 ms over 75 % of the line, and as many losses", function(r)
    return share(r, 16) > 0.75 and r.packets.dropped > r.scenes.sixteen.packets.dropped / 2, share(r, 16)
  end),

  -- honesty
  weft.scene "today",
  weft.say [[
    **Is TCP still like that?** No: systems of today notice losses much sooner. Of what they have learned,
    this model has one thing, the *tail-loss probe*: a segment sent to provoke an answer. Alone it changes
    little here: {outcome == "done" and card.goodput or "..."}.
  ]],
  weft.note [[
    Ask: whose TCP has a two-hundred-millisecond timer today? Likely answer: nobody's. Linux has it still,
    but reaches it rarely. The probe spares a sender with several segments on its way; after a timeout all
    here have one. Do not let the class leave with "TCP collapses"; it did.
  ]],
  weft.switch { knob = "tlp", values = { "on", "off" }, label = "probe" },
  weft.play { to = "end", gear = "timeout" },
  weft.claim("a tail-loss probe alone changes little here", function(r)
    local times = share(r, 16) / share(r.scenes.sixteen, 16)
    return times > 0.9 and times < 1.3, times
  end),

  -- a task
  weft.scene "task",
  weft.say "**You may buy a better switch,** but nobody lets you touch TCP. Queue: {set.queue_cap}.",
  weft.switch { knob = "queue_cap", values = { "64KB", "200KB", "500KB", "1MB" }, label = "queue" },
  weft.fix {
    goal = "Most of the line is used again.",
    check = function(r) return share(r, 16) > 0.75, share(r, 16) end,
    solution = { queue_cap = "1MB" },
    hints = { "How much may sixteen have on the way?" },
    because = "No timeout. But this much, for every port, and for sixteen. Next year there are more.",
    reply = "{timeouts} timeouts.",
  },

  -- Ethernet must learn
  weft.scene "wait",
  weft.say [[
    **Or Ethernet learns to wait.** IEEE 802.1 took up congestion, and made data center bridging of it [DCB].
    With a switch that may say stop, same servers, same TCP: {packets.dropped} lost, {card.goodput}.
  ]],
  weft.note [[
    A talk to IEEE 802.1 in 2005 is often quoted: congestion management is a must, InfiniBand the threat.
    The slides could not be opened; teach what came of the work, which is sure. It is also told that AI made
    Ethernet do it: the charter names storage, clusters and LAN [DCB].
  ]],
  weft.plot { "held sw:1", "queue sw:17" },
  weft.play { to = "end", gear = "step" },
  -- V62c: PFC instead of tail drop: at least 90 % of the line, nothing lost
  weft.claim("with PFC nothing is lost and nine tenths of the line are used", function(r)
    return r.packets.dropped == 0 and r.timeouts == 0 and share(r, 16) > 0.9, share(r, 16)
  end),

  -- transfer: a ring
  weft.scene "ring",
  weft.say [[
    **Other traffic, same dropping switch.** Now seventeen GPUs sum gradients round a ring, over TCP:
    {packets.dropped} lost, a step takes {steps[2].duration}. Everyone hears from one neighbour only.
  ]],
  weft.play { to = "end", gear = "step", rate = "20ms" },
  weft.claim("a ring loses nothing here", function(r)
    return r.packets.dropped == 0 and r.timeouts == 0
  end),

  weft.scene "server",
  weft.say "**And with one server** that adds up for all?",
  weft.predict {
    ask = "How long is a step?",
    choices = {
      { "shorter: fewer rounds",
        belief = "fewer messages, less time",
        reply = "Fewer, but all at once, to one." },
      { "longer, as its cable is shared",
        belief = "it is a matter of bytes",
        reply = "Bytes explain a part of it." },
      { "over ten times longer",
        reply = "Yes." },
    },
    because = [[
      {steps[1].duration}: an incast in every step. {packets.dropped} lost, {timeouts} timeouts.
    ]],
    truth = function(r)
      local times = r.steps[1].duration / r.scenes.ring.steps[1].duration
      return times < 1 and 1 or times < 10 and 2 or 3
    end,
  },
  weft.note [[
    Ask first: which collective is an incast? Let them find the second one: a tree, near its root. Fallback:
    count arrows into one host on the board.
  ]],
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "barrier", gear = "timeout", rate = "200ms" },
  weft.claim("a parameter server is an incast: over ten times the ring", function(r)
    local times = r.steps[1].duration / r.scenes.ring.steps[1].duration
    return times > 10 and r.timeouts > 0, times
  end),

  -- in one sentence
  weft.say "**Aloud:** why do more senders carry less? Say it, then compare.",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "the line is overloaded",
        belief = "a slow network is a busy one",
        reply = "It was idle most of the time." },
      { "too much is sent twice",
        belief = "a loss costs what it loses",
        reply = "The short timer sent as much twice." },
      { "all wait for a few timers",
        reply = "So would we." },
    },
    because = "Whole windows die, nobody sees it, and the last part of a block makes all the others wait.",
    truth = function() return 3 end,
  },
}
