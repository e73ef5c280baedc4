-- InfiniBand's promise: nobody sends into a full buffer.
--
-- What it shows: a sender goes only as far as its neighbour has promised room. So nothing overflows, and a
-- cable that is too long for the promised room runs slowly. Lanes keep traffic apart. "Lossless" does not
-- mean "never lost", nor "never waits", and the whole stack below the transport is its own.

local weft = require "weft"

-- As in rows V70 to V76 of the validation table: packets of 4 KB, switches without latency.
local function set(changes)
  local all = {
    mtu = "4096B", switch_latency = "0ns", ack_every = 0, link = "infiniband", flow_control = "credits",
    cred_min = "0ns", timeout_exponent = 20,
  }
  for knob, value in pairs(changes or {}) do all[knob] = value end
  return all
end

local packet = 4122 -- bytes of a full frame

local function cable(rate, delay, changes, faults)
  return (weft.scenario {
    fabric = weft.star { hosts = 2, rate = rate, delay = delay },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = "2MiB" } },
    set = set(changes), faults = faults,
    true_size = "link, cable, packet, buffer", shrunk = "message, switch latency",
  })
end

-- g1 sends to g3, which takes nothing; g2 to g4, over the same trunk, on a lane of its own or not.
local function trunk(lane, changes)
  local function host(name, row, column)
    return (weft.node { name = name, kind = "host", row = row, column = column })
  end
  local function join(a, b) return (weft.link { a = a, b = b, rate = "100Gbps", delay = "25ns" }) end
  return (weft.scenario {
    fabric = weft.fabric {
      nodes = {
        host("g1", 1, 1), host("g2", 2, 1),
        weft.node { name = "s1", kind = "switch", row = 1, column = 2 },
        weft.node { name = "s2", kind = "switch", row = 1, column = 3 },
        host("g3", 1, 4), host("g4", 2, 4),
      },
      links = { join("s1", "s2"), join("g1", "s1"), join("g2", "s1"), join("s2", "g3"), join("s2", "g4") },
    },
    workload = weft.flows {
      { src = "g1", dst = "g3", bytes = "8MiB" }, { src = "g2", dst = "g4", bytes = "8MiB", prio = lane },
    },
    set = set(changes), faults = { { "slow g3 0" } },
    true_size = "link, cable, packet, buffer", shrunk = "message, switch latency",
  })
end

-- One training step after the other on either fabric, two flows a cable.
local function training(changes)
  local all = { rank_order = "mixed", switch_latency = "300ns", timeout_exponent = 20 }
  for knob, value in pairs(changes) do all[knob] = value end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "50ns" },
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "4MiB" }, compute = "100us", steps = 1,
    },
    set = all,
    true_size = "link, cable, packet, switch latency", shrunk = "gradient, compute",
  })
end

local function near(rate, gbps) return math.abs(rate.gbps / gbps - 1) < 0.04 end

return weft.lesson {
  api = 1,
  id = "infinibands-promise",
  title = "InfiniBand's promise",
  year = 2000,
  minutes = 8,
  level = 2,
  sources = { "IBTA99", "CCGrid11", "IBvsRoCE", "QLogic", "rdma-core", "WWT", "Potter", "NextPlat25" },
  terms = { "credits", "virtual lane", "head-of-queue lifetime", "subnet manager" },
  builds_on = { "one-lost-packet" },

  scenes = {
    promise = cable("100Gbps", "25ns", {}, { { "hold g2 on" } }),
    near = cable("100Gbps", "25ns"),
    far = cable("100Gbps", "25us"),
    task = cable("400Gbps", "1us", { vl_buffer = "16KiB" }),
    same = trunk(3),
    other = trunk(4),
    old = trunk(3, { hol_lifetime = "2097152ns" }), -- 4.096 us times 2 to the 9
    send = cable("100Gbps", "25ns"),
    write = cable("100Gbps", "25ns", { verb = "write" }),
    stack = cable("100Gbps", "25ns", { link = "infiniband" }),
    pfc = training { flow_control = "pfc" },
    ib = training { link = "infiniband", flow_control = "credits" },
  },

  -- before
  weft.scene "promise",
  weft.say "**2000. Two questions from before,** the first:",
  weft.recall {
    from = "one-lost-packet",
    ask = "Where do packets die in series?",
    choices = {
      { "on bad cables",
        belief = "loss is a matter of noise",
        reply = "Noise takes only a few." },
      { "in queues that are full",
        reply = "Yes." },
    },
    right = 2,
    because = "Two flows share a cable, and nobody waits.",
  },

  weft.say "**The second:**",
  weft.recall {
    from = "one-lost-packet",
    ask = "What did PFC do about it?",
    choices = {
      { "it told senders to stop",
        reply = "Yes." },
      { "it sent again what was lost",
        belief = "lossless means repaired",
        reply = "That is the NIC's work." },
    },
    right = 1,
    because = "Stop, when there is too much already. Here is an older idea.",
  },

  -- the promise
  weft.say [[
    **Ask before you send.** 1999: seven vendors plan one network to replace the buses inside servers
    [IBTA99]; a year later it is written down [CCGrid11]. Its rule: sw tells g1 how much room it has, its
    *credits* [IBvsRoCE]. Here {set.vl_buffer}.
  ]],
  weft.play { time = "1us", gear = "packet" },
  weft.note [[
    The common story: built from the ground up for supercomputers. The announcement says other: a network
    for the I/O of all servers [IBTA99]; supercomputers became its home later [NextPlat25]. Ask: who has ever been told
    how much room there is?
  ]],
  weft.claim("credits are what may still be sent", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames == 0
  end),

  weft.say "**And g2 takes nothing.** g1 has {flow(\"g1>g2\").bytes.bytes // set.mtu.bytes} packets.",
  weft.predict {
    ask = "How far does g1 get?",
    choices = {
      { "it sends all, most is lost",
        belief = "a sender sends until somebody complains",
        reply = "Not on this link." },
      { "it sends what was promised",
        reply = "Yes." },
      { "it sends nothing",
        belief = "credits are given by the last receiver",
        reply = "Its neighbour gave them, and has room." },
    },
    because = [[
      {port("sw:1").held.bytes // 4122} packets, then it waits. Lost: {packets.dropped}. Nobody had to say
      stop.
    ]],
    truth = function(r)
      local held = r.port("sw:1").held.bytes // packet
      return r.packets.dropped > 0 and 1 or held > 0 and 2 or 3
    end,
  },
  weft.play { time = "30us", gear = "round" },
  weft.claim("thirty-one packets fit, and not one more is sent", function(r) -- V70: K = 31
    return r.port("sw:1").held.bytes == 31 * packet and r.packets.dropped == 0
  end),

  -- the cable
  weft.scene "near",
  weft.say [[
    **A short cable.** Each packet that leaves sw gives its room back: $ marks travel to g1. They come
    in time, and g2 gets {outcome == "done" and flow("g1>g2").mean_rate or "..."}.
  ]],
  weft.note "Stop at the first $ and ask what it says. Likely answer: an ACK. It is room, not data.",
  weft.play { time = "2us", gear = "packet" },
  weft.play { to = "end", gear = "step" },
  weft.claim("over 5 m at line rate", function(r) -- V70: 99.90 of 100 Gb/s with headers
    return near(r.flow("g1>g2").mean_rate, 99.2) and r.credits.stalled < "1us", r.flow("g1>g2").mean_rate
  end),

  weft.scene "far",
  weft.say "**Five kilometres** between sw and its neighbours.",
  weft.predict {
    ask = "What does g2 get now?",
    choices = {
      { "the same, only later",
        belief = "a long cable only delays",
        reply = "So do the credits, on their way back." },
      { "about a fifth",
        reply = "Yes." },
      { "nothing: it overflows",
        belief = "what is on its way needs headroom",
        reply = "Room was promised before it was sent." },
    },
    because = [[
      {flow("g1>g2").mean_rate}: all that fits is on its way, and then sw waits: {credits.stalled} in all.
    ]],
    truth = function(r)
      local gbps = r.flow("g1>g2").mean_rate.gbps
      return r.packets.dropped > 0 and 3 or gbps > 50 and 1 or 2
    end,
  },
  weft.note [[
    Ask: what limits a cable's length, buffer or light? Likely answer: signal quality. Let them divide the
    buffer by the round trip. Fallback: 31 packets in fifty microseconds.
  ]],
  weft.play { time = "60us", gear = "round", rate = "10us" },
  weft.play { to = "end", gear = "step", rate = "200us" },
  weft.claim("over 5 km a fifth of the line", function(r) -- V70: 20.18 Gb/s with headers, for a flow without end
    return near(r.flow("g1>g2").mean_rate, 20.18 * 4096 / packet) and r.packets.dropped == 0,
      r.flow("g1>g2").mean_rate
  end),

  -- a task
  weft.scene "task",
  weft.say "**Four hundred gigabit,** 200 m. g2 gets {flow(\"g1>g2\").mean_rate} with {set.vl_buffer}.",
  weft.switch { knob = "vl_buffer", values = { "16KiB", "64KiB", "112KiB", "128KiB" }, label = "buffer" },
  weft.play { to = "end", gear = "step", rate = "100us" },
  weft.fix {
    goal = "Line rate, with the least buffer.",
    check = function(r)
      return r.flow("g1>g2").mean_rate > "370Gbps" and r.set.vl_buffer < "120KiB", r.flow("g1>g2").mean_rate
    end,
    solution = { vl_buffer = "112KiB" },
    hints = { "Bytes in a round trip." },
    because = "As PFC's headroom: length times rate.",
    reply = "{flow(\"g1>g2\").mean_rate} with {set.vl_buffer}.",
  },

  -- lanes
  weft.scene "same",
  weft.say [[
    **Who shares a lane, shares its fate.** A link has up to fifteen for data [rdma-core]; here all use one.
    g3 takes nothing. g2's packets for g4 stand behind those for g3. Of eight megabytes
    {flow("g2>g4").arrived} got through.
  ]],
  weft.play { time = "200us", gear = "step" },
  weft.claim("on the same lane the neighbour is stuck, too", function(r)
    return r.flow("g2>g4").arrived < "300KiB" and r.packets.dropped == 0, r.flow("g2>g4").arrived
  end),

  weft.scene "other",
  weft.say "**A lane of its own** for g2: a *virtual lane*.",
  weft.predict {
    ask = "What does g4 get?",
    choices = {
      { "nothing: same cable",
        belief = "a cable that is stuck is stuck",
        reply = "Same cable, another buffer." },
      { "half of the trunk",
        belief = "lanes divide a cable",
        reply = "A blocked lane takes no share." },
      { "all of it",
        reply = "Yes." },
    },
    because = [[
      {flow("g2>g4").mean_rate}: each lane has its credits.
    ]],
    truth = function(r)
      local gbps = r.flow("g2>g4").mean_rate.gbps
      return gbps < 20 and 1 or gbps < 80 and 2 or 3
    end,
  },
  weft.play { time = "1ms", gear = "step" },
  weft.claim("the other lane keeps line rate", function(r) -- V75
    return r.flow("g2>g4").mean_rate > "94Gbps" and r.flow("g1>g3").arrived.bytes == 0,
      r.flow("g2>g4").mean_rate
  end),

  -- lossless
  weft.scene "old",
  weft.say "**Lossless, for ever?** One lane, and an age limit.",
  weft.predict {
    ask = "What becomes of packets for g3?",
    choices = {
      { "they wait: it is lossless",
        belief = "lossless means never lost",
        reply = "No: that no buffer overflows." },
      { "they are thrown away",
        reply = "Yes." },
      { "they go back to g1",
        belief = "a network returns what it cannot deliver",
        reply = "Nothing goes back." },
    },
    because = [[
      {packets.dropped} lost: *head-of-queue lifetime*, here {set.hol_lifetime} [QLogic].
    ]],
    truth = function(r) return r.packets.dropped > 0 and 2 or 1 end,
  },
  weft.note [[
    Ask: who says that InfiniBand never drops? Likely answer: everybody. What holds: no overflow, ever. The
    price of the rest is waiting, and a lifetime for what waits too long.
  ]],
  weft.play { time = "50us", gear = "step" },
  weft.play { time = "7ms", gear = "timeout" },
  weft.claim("with a lifetime a lossless fabric discards", function(r)
    return r.packets.dropped > 0 and r.packets.dropped < 10, r.packets.dropped
  end),

  -- RDMA
  weft.scene "send",
  weft.say [[
    **And it writes into memory.** RDMA: a NIC puts data where it belongs, without asking the other
    processor. For a few bytes sockets take some fifty microseconds [WWT], this about one [Potter]. Two
    megabytes, only sent: {outcome == "done" and flow("g1>g2").fct or "..."}.
  ]],
  weft.play { to = "end", gear = "step" },

  weft.scene "write",
  weft.say "**Now written into g2's memory,** address and key included.",
  weft.predict {
    ask = "What does that cost on the wire?",
    choices = {
      { "microseconds: a handshake",
        belief = "permission takes a round trip",
        reply = "The key was exchanged long before." },
      { "a few nanoseconds",
        reply = "Yes." },
      { "nothing at all",
        belief = "a header is free",
        reply = "Every byte takes its time." },
    },
    because = [[
      {flow("g1>g2").fct - scenes.send.flow("g1>g2").fct}: sixteen bytes more, on two cables. Once a message.
    ]],
    truth = function(r)
      local more = r.flow("g1>g2").fct - r.scenes.send.flow("g1>g2").fct
      return more > "100ns" and 1 or more > "0ps" and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "step" },
  weft.claim("a write costs sixteen bytes on each cable", function(r) -- V05
    local more = r.flow("g1>g2").fct - r.scenes.send.flow("g1>g2").fct
    return more.ps == 2 * 16 * 80, more
  end),

  -- what it takes to run
  weft.scene "stack",
  weft.say [[
    **The price: all of it is different.** Own frames, own addresses (49,151 to a subnet [rdma-core]), own
    transport, a *subnet manager* that hands them out. Payload with {set.link} frames:
    {flow("g1>g2").mean_rate}. Key 1 changes the frames.
  ]],
  weft.switch { knob = "link", values = { "infiniband", "ethernet" }, label = "frames" },
  weft.note [[
    Ask: who in your company can run a second kind of network? A subnet manager finds the nodes, gives them
    addresses and fills the switches' tables. Likely answer: the network team; but its skills are layers 2 to
    4 of Ethernet and IP. RoCE keeps the transport and changes what is below it.
  ]],
  weft.play { to = "end", gear = "step" },
  weft.claim("InfiniBand's small headers leave over 99 % for payload", function(r)
    return r.flow("g1>g2").mean_rate > "98.5Gbps" and r.flow("g1>g2").mean_rate < "99.3Gbps",
      r.flow("g1>g2").mean_rate
  end),

  -- transfer
  weft.scene "pfc",
  weft.say [[
    **Now a training job,** eight GPUs, two flows a cable. First on Ethernet with PFC: an exchange takes
    {steps[1].exposed_comm}, with {pfc.xoff_frames} PAUSE frames.
  ]],
  weft.play { to = "barrier", gear = "step" },
  weft.claim("on Ethernet with PFC nothing is lost", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames > 0
  end),

  weft.scene "ib",
  weft.say "**Then on InfiniBand,** same cables, switches as fast, credits.",
  weft.predict {
    ask = "How much faster?",
    choices = {
      { "twice",
        belief = "InfiniBand is fast, Ethernet is slow",
        reply = "The cables are equally fast." },
      { "hardly",
        reply = "Yes." },
      { "slower: it waits for credits",
        belief = "asking first costs time",
        reply = "Credits come before they are needed." },
    },
    because = [[
      {steps[1].exposed_comm} against {scenes.pfc.steps[1].exposed_comm}. Waiting is waiting, whoever asks
      for it.
    ]],
    truth = function(r)
      local times = r.scenes.pfc.steps[1].exposed_comm / r.steps[1].exposed_comm
      return times > 1.5 and 1 or times > 0.97 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("credits or pauses: within a few percent", function(r)
    local times = r.scenes.pfc.steps[1].exposed_comm / r.steps[1].exposed_comm
    return times > 0.99 and times < 1.05 and r.packets.dropped == 0, times
  end),

  -- in one sentence
  weft.say "**Aloud:** what does lossless promise?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "nothing is ever lost",
        belief = "lossless means never lost",
        reply = "Age, noise, dead cables still lose." },
      { "no buffer overflows; one waits",
        reply = "So would we." },
      { "nobody waits",
        belief = "a lossless network is a fast one",
        reply = "It waits instead of losing." },
    },
    because = "Room first, then data: a long cable needs a large buffer.",
    truth = function() return 2 end,
  },
}
