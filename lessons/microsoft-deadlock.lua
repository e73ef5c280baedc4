-- Microsoft at scale, part two: what PFC itself can break.
--
-- What it shows: four switches that wait for each other in a circle never move again, and nothing is
-- lost, so nothing looks broken. A fabric without rings gets there by flooding. Then the pause storm
-- and the slow receiver; for each what happened [Guo16], how it was mended, and what holds today.

local weft = require "weft"

-- Conditions of rows V38 and V39b to V39f: small packets, no latency, XOFF 100 KB.
local function set(more)
  local all = {
    mtu = "1024B", switch_latency = "0ns", timeout_exponent = 20, pfc_response = "0ns", headroom = "200KB",
    buffer = "unlimited", watchdog_detect = "2ms", watchdog_restore = "2ms", watchdog_poll = "1ms",
  }
  for knob, value in pairs(more or {}) do all[knob] = value end
  return all
end

-- Four switches, two hosts each; each flow goes two hops clockwise.
local function ring(more, fourth)
  return (weft.scenario {
    fabric = weft.ring { switches = 4, hosts = 2, clockwise = true, rate = "40Gbps", delay = "25ns" },
    workload = weft.flows {
      { src = "g1", dst = "g6", bytes = "64MiB" }, { src = "g3", dst = "g8", bytes = "64MiB" },
      { src = "g5", dst = "g2", bytes = "64MiB" }, { src = "g7", dst = "g4", bytes = "64MiB", start = fourth },
    },
    set = set(more),
    true_size = "link, packet, buffer marks", shrunk = "fabric, watchdog 1/100",
  })
end

-- V39 before its third flow: two flows three cables far, cables of 200 m.
local circle = weft.scenario {
  fabric = weft.ring { switches = 4, hosts = 2, clockwise = true, rate = "40Gbps", delay = "1us" },
  workload = weft.flows {
    { src = "g1", dst = "g8", bytes = "64MiB" }, { src = "g5", dst = "g4", bytes = "64MiB" },
  },
  set = set(),
  true_size = "link, packet, buffer marks", shrunk = "fabric",
}

local function stream(src, dst, load) return { src = src, dst = dst, bytes = "1024B", load = load } end

-- V39f: every flow on the spine that the row gives it.
local leaf_spine = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "25ns" }
local flood = weft.scenario {
  fabric = leaf_spine,
  workload = weft.flows {
    stream("g1", "g7", "50%"), stream("g3", "g5", "50%"), stream("g8", "g2", "50%"),
    stream("g6", "g5", "90%"), stream("g4", "g6", "20%"),
  },
  set = set(),
  routes = {
    { at = "leaf1", to = "g7", via = "spine1" }, { at = "leaf1", to = "g5", via = "spine1" },
    { at = "leaf2", to = "g2", via = "spine2" }, { at = "leaf1", to = "g6", via = "spine2" },
  },
  faults = {
    { at = "1ms", "kill g7" }, { at = "1ms", "flood g7 on" },
    { at = "3ms", "kill g2" }, { at = "3ms", "flood g2 on" },
  },
  true_size = "link, packet, buffer marks", shrunk = "fabric, watchdog 1/100",
}

local everybody = {}
for i = 1, 8 do
  for k = 1, 7 do
    everybody[#everybody + 1] = { src = "g" .. i, dst = "g" .. (i + k - 1) % 8 + 1, bytes = "64MiB" }
  end
end

local function all_to_all(faults)
  return (weft.scenario {
    fabric = leaf_spine, workload = weft.flows(everybody), set = set { mtu = "4096B" }, faults = faults,
    true_size = "link, packet, buffer marks", shrunk = "fabric",
  })
end

-- V37: a packet to g2 goes to and fro between two switches.
local loop = weft.scenario {
  fabric = weft.fabric {
    nodes = {
      weft.node { name = "g1", kind = "host", row = 1, column = 1 },
      weft.node { name = "sw1", kind = "switch", row = 1, column = 2 },
      weft.node { name = "sw2", kind = "switch", row = 1, column = 3 },
      weft.node { name = "g2", kind = "host", row = 1, column = 4 },
    },
    links = {
      weft.link { a = "g1", b = "sw1", rate = "40Gbps", delay = "25ns" },
      weft.link { a = "sw1", b = "sw2", rate = "40Gbps", delay = "25ns" },
      weft.link { a = "sw2", b = "g2", rate = "40Gbps", delay = "25ns" },
    },
  },
  workload = weft.flows { stream("g1", "g2", "15%") },
  set = set { ttl = 16 },
  routes = { { at = "sw1", to = "g2", via = "sw2" }, { at = "sw2", to = "g2", via = "sw1" } },
  true_size = "link, packet, buffer marks", shrunk = "TTL, usually 64",
}

return weft.lesson {
  api = 1,
  id = "microsoft-deadlock",
  title = "Locked, and nothing lost",
  year = 2016,
  minutes = 10,
  level = 2,
  builds_on = { "teaching-ethernet-to-wait", "microsoft-livelock" },
  sources = { "Guo16", "Tagger17", "SONiCwd", "JunosWd", "Meta24a", "Azure23", "NVcust" },
  terms = { "deadlock", "flooding", "PFC watchdog", "pause storm" },

  scenes = {
    ring = ring({}, "500us"),
    circle = circle,
    credits = ring { flow_control = "credits", link = "infiniband" },
    flood = flood,
    healthy = all_to_all {},
    storm = all_to_all { { at = "100us", "storm g1 on" } },
    slow = all_to_all { { "slow g1 50%" } },
    loop = loop,
  },

  -- 1, 2: from before
  weft.scene "ring",
  weft.say "**From before.**",
  weft.note [[
    Ask aloud: what is the worst that a network can do which never loses anything? Likely answer: be slow.
    Keep it on the board until card 5. Short of time: cards 3 to 5, 10, 12, 20.
  ]],
  weft.recall {
    from = "microsoft-livelock",
    ask = "Go-back-0: why did nothing pass?",
    choices = {
      { "the link is too slow",
        belief = "what is busy is overloaded",
        reply = "It was full of repeats." },
      { "no try is ever whole",
        reply = "Yes." },
      { "the NAKs get lost",
        belief = "a repair fails because nobody hears of it",
        reply = "Every NAK arrived." },
    },
    right = 2,
    because = "Busy for ever, that was. Today: still for ever.",
  },

  weft.say "**And from 2011.**",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "Whom does a PAUSE stop?",
    choices = {
      { "the flow that is too fast",
        belief = "PFC knows flows",
        reply = "It knows no flows." },
      { "the neighbour that fills it",
        reply = "Yes: whatever it carries." },
      { "the sender, however far",
        belief = "a PAUSE travels to who caused it",
        reply = "It goes one cable, no further." },
    },
    right = 2,
    because = "And then that neighbour fills up.",
  },

  -- 3: three flows
  weft.say [[
    **Four switches in a ring,** three flows, two cables each. They share cables, so switches pause each other:
    {card.xoff_frames} times in {card.time}. Still {card.goodput} arrive. Busy, not broken.
  ]],
  weft.plot { "goodput g6", "goodput g8", "goodput g2" },
  weft.play { time = "500us", gear = "round", rate = "100us" },
  -- V38: three of the four flows pause each other and carry 58 Gb/s of frames
  weft.claim("three flows pause each other and carry on", function(r)
    return r.card.xoff_frames > 0 and r.cycle == 0 and r.card.goodput > "52Gbps"
      and r.card.goodput < "57Gbps", r.card.goodput
  end),

  -- 4: the fourth
  weft.say [[
    **g7 sends to g4** and closes the ring: two flows on every cable.
  ]],
  weft.predict {
    ask = "What arrives, all in all?",
    choices = {
      { "more: four flows now",
        belief = "more senders, more goodput",
        reply = "For a moment." },
      { "about as before",
        belief = "pauses share a cable out",
        reply = "Until the circle closed." },
      { "nothing",
        reply = "Yes." },
    },
    because = [[
      {cycle} ports wait in a circle, {packets.dropped} lost. Ask why.
    ]],
    truth = function(r)
      if r.stall == "deadlock" then return 3 end
      return r.card.goodput > "60Gbps" and 1 or 2
    end,
  },
  weft.note "Stop here. Read the counters aloud: no drop, no error. What would an operator see?",
  weft.play { time = "2ms", gear = "round", rate = "100us" },
  -- V38: four flows at load 1 lock in less than 5 ms
  weft.claim("with the fourth flow the ring locks within 5 ms, and loses nothing", function(r)
    return r.stall == "deadlock" and r.cycle == 4 and r.packets.dropped == 0 and r.finish < "5ms"
  end),

  -- 5: silence
  weft.say "**Now g7 is killed,** which began this *deadlock*, then all senders.",
  weft.predict {
    ask = "When does it move again?",
    choices = {
      { "when g7 is gone",
        belief = "a jam ends with its cause",
        reply = "The jam outlives it." },
      { "when all four are silent",
        belief = "without traffic no congestion",
        reply = "Nobody sends, nothing moves." },
      { "never",
        reply = "Yes." },
    },
    because = "{card.delivered} packets came. Each switch renews its PAUSE, for ever.",
    truth = function(r)
      if r.card.delivered == 0 and r.cycle > 0 then return 3 end
      return 2
    end,
  },
  weft.note "The best surprise of the course. Say nothing for ten seconds.",
  weft.fault "kill g7",
  weft.play { time = "1ms", gear = "round", rate = "400us" },
  weft.fault "kill g1",
  weft.fault "kill g3",
  weft.fault "kill g5",
  weft.play { time = "1ms", gear = "round", rate = "400us" },
  -- V39f's point, on V38's ring: the cause is gone, the deadlock is not
  weft.claim("with every sender dead it is still locked", function(r)
    return r.card.delivered == 0 and r.stall == "deadlock" and r.cycle == 4
  end),

  -- 6: a circle alone
  weft.scene "circle",
  weft.say "**Two flows, three cables each,** all four switches in a circle.",
  weft.predict {
    ask = "Does that lock?",
    choices = {
      { "yes: the circle is closed",
        belief = "a circle is enough for a deadlock",
        reply = "They pause in turns." },
      { "no",
        reply = "Right." },
    },
    because = "{card.xoff_frames} pauses, {card.goodput}. It takes load, too: no drawing tells.",
    truth = function(r) return r.cycle > 0 and 1 or 2 end,
  },
  weft.play { time = "3ms", gear = "round", rate = "500us" },
  -- V39: a cyclic dependency that pauses all the time, and lives
  weft.claim("two flows in a circle pause each other, and live", function(r)
    return r.cycle == 0 and r.card.xoff_frames > 300 and r.card.goodput > "36Gbps", r.card.xoff_frames
  end),

  -- 7: not PFC's fault
  weft.scene "credits",
  weft.say "**InfiniBand, four flows again:** nobody sends without room ahead.",
  weft.predict {
    ask = "What happens?",
    choices = {
      { "it runs",
        belief = "the deadlock is a flaw of PFC",
        reply = "It is no flaw of PFC." },
      { "it locks, too",
        reply = "Yes." },
      { "it drops packets",
        belief = "something must give",
        reply = "Lossless: nothing gives." },
    },
    because = [[
      {stall == "deadlock" and "Locked" or "Running"}, {packets.dropped} lost. The price of never dropping,
      whoever asks for it.
    ]],
    truth = function(r)
      if r.packets.dropped > 0 then return 3 end
      return r.stall == "deadlock" and 2 or 1
    end,
  },
  weft.play { time = "5ms", gear = "round", rate = "400us" },
  -- V39b: V38 on credits locks too
  weft.claim("credits lock as well, and lose nothing", function(r)
    return r.stall == "deadlock" and r.cycle == 4 and r.packets.dropped == 0 and r.pfc.xoff_frames == 0
  end),

  -- 8: no rings here
  weft.scene "flood",
  weft.say [[
    **"We have no rings."** In leaf and spine a packet goes up, then down, never up again. Running hard:
    {card.goodput}, {card.xoff_frames} pauses, {cycle} ports in a circle. Microsoft thought it safe, too [Guo16].
  ]],
  weft.plot { "goodput g5", "goodput g6" },
  weft.play { time = "1ms", gear = "round", rate = "200us" },
  weft.claim("up and down: pauses, but no circle", function(r)
    return r.cycle == 0 and r.card.xoff_frames > 100 and r.packets.dropped == 0
  end),

  -- 9: one dead server
  weft.say [[
    **g7 dies.** Its leaf still knows its address (four hours), but no longer its port (five minutes) [Guo16].
    So it sends a copy to every port: *flooding*. Copies go up again. Ports in a circle: {cycle}. One wrong
    turn is not enough.
  ]],
  weft.note [[
    Ask before it plays: will one leaf with one dead server lock the fabric? Likely answer: yes, one wrong turn
    does it. A circle has two.
  ]],
  weft.play { time = "200us", gear = "round", rate = "50us" },
  weft.play { time = "1800us", gear = "round", rate = "400us" },
  -- V39f: one server dead, none in 10 ms
  weft.claim("one dead server: no circle", function(r)
    return r.cycle == 0 and r.card.xoff_frames > 100
  end),

  -- 10: two
  weft.say "**Then g2 dies,** under the other leaf.",
  weft.predict {
    ask = "Which alarm rings?",
    choices = {
      { "packet loss",
        belief = "a broken network loses packets",
        reply = "One packet, at a dying server." },
      { "link or switch down",
        belief = "what stands still is broken",
        reply = "All parts work as designed." },
      { "none",
        reply = "Yes." },
    },
    because = "{cycle} in a circle, but g4 to g6 gets {flow(\"g4>g6\").mean_rate}: green.",
    truth = function(r)
      if r.card.dropped > 1 then return 1 end
      return r.cycle > 0 and 3 or 2
    end,
  },
  weft.play { time = "2ms", gear = "round", rate = "400us" },
  -- V39f: both dead, locked within 5 ms, the bystander at its full rate: 20 Gb/s of slots
  weft.claim("two dead servers lock four ports; only a packet at a dying host is lost", function(r)
    return r.cycle == 4 and r.card.dropped <= 1
  end),
  weft.claim("and the bystander keeps its rate", function(r)
    return r.flow("g4>g6").mean_rate > "18.4Gbps" and r.flow("g4>g6").mean_rate < "18.6Gbps"
  end),

  -- 11: the watchdog
  weft.say "**For ever?** A *PFC watchdog* takes over what is paused for {set.watchdog_detect}.",
  weft.note [[
    Ask: what helps against for ever? Likely answer: to stop the senders. They did. Real watchdogs wait longer,
    SONiC's for a fifth of a second [SONiCwd]: here all is a hundred times as quick.
  ]],
  weft.set { watchdog = "drop" },
  weft.switch { knob = "watchdog", values = { "off", "drop" }, label = "watchdog" },
  weft.predict {
    ask = "How does it break the circle?",
    choices = {
      { "it finds another way",
        belief = "a jam is driven round",
        reply = "There is no other way." },
      { "it throws packets away",
        reply = "Yes." },
      { "it slows the senders",
        belief = "jams end when senders slow down",
        reply = "Dead senders did not help." },
    },
    because = "{card.dropped} lost, {cycle} in a circle. Saved by losing.",
    truth = function(r)
      if r.card.dropped > 0 then return 2 end
    end,
  },
  weft.play { time = "4200us", gear = "round", rate = "800us" },
  -- V39c: traffic resumes within detection and poll, drops are counted
  weft.claim("the watchdog breaks the circle by dropping", function(r)
    return r.watchdogs > 0 and r.card.dropped > 0 and r.cycle == 0
  end),

  -- 12: the fix
  weft.say "**Both die again.** Move flood or XOFF.",
  weft.set { watchdog = "off" },
  weft.switch { knob = "flood_lossless", values = { "on", "off" }, label = "flood" },
  weft.switch { knob = "xoff", values = { "100KB", "400KB" }, label = "XOFF" },
  weft.fix {
    goal = "No circle, no living flow loses.",
    check = function(r)
      local lost = 0
      for _, name in ipairs { "g3>g5", "g6>g5", "g4>g6" } do lost = lost + r.flow(name).dropped end
      return r.cycle == 0 and lost == 0, r.cycle, lost
    end,
    solution = { flood_lossless = "off" },
    time = "8ms",
    hints = { "Where is the wrong turn?" },
    because = "Microsoft's rule: no port, no copy [Guo16].",
    reply = "{cycle} in a circle.",
  },

  -- 13 to 15: the storm
  weft.scene "healthy",
  weft.say [[
    **Second disaster.** Imagine a NIC whose bug makes it send PAUSE for ever, a *pause storm*. Microsoft counted
    single events, among hundreds of thousands of servers [Guo16]. First eight healthy servers, each sends to
    all: {card.goodput}.
  ]],
  weft.plot { "goodput g2", "goodput g3", "goodput g5", "goodput g8" },
  weft.play { time = "300us", gear = "round", rate = "100us" },

  weft.scene "storm",
  weft.say "**g1 has that NIC.** {pfc.xoff_frames} PAUSE frames so far, in the whole fabric.",
  weft.plot { "goodput g2", "goodput g3", "goodput g5", "goodput g8" },
  weft.play { time = "600us", gear = "round", rate = "100us" },

  weft.say "**The pauses have spread,** cable by cable.",
  weft.predict {
    ask = "What still arrives?",
    choices = {
      { "all but what g1 gets",
        belief = "a sick server harms itself",
        reply = "Packets for g1 block every path." },
      { "the other rack's traffic",
        belief = "harm stays in its rack",
        reply = "Spines fill up like leaves." },
      { "what g1 itself sends",
        reply = "Yes." },
    },
    because = "{card.goodput}, of {scenes.healthy.card.goodput}: one sick NIC.",
    truth = function(r)
      local left = r.card.goodput / r.scenes.healthy.card.goodput
      return left > 0.5 and 1 or left > 0.25 and 2 or 3
    end,
  },
  weft.note [[
    Microsoft's incident: over 2,000 pauses a second from one dead server, half of a customer's servers unwell.
    Watchdogs: in the NIC after a tenth of a second [Guo16], in Junos after a fifth [JunosWd]; at Meta an
    alarm then [Meta24a].
  ]],
  weft.play { time = "300us", gear = "round", rate = "100us" },
  -- V39d: one host takes nothing more, and only its own sends, 98 Gb/s, are left
  weft.claim("one NIC that pauses for ever stops everybody but itself", function(r)
    return r.card.goodput > "97Gbps" and r.card.goodput < "99Gbps"
      and r.scenes.healthy.card.goodput > "650Gbps" and r.packets.dropped == 0, r.card.goodput
  end),

  -- 16: the slow receiver
  weft.scene "slow",
  weft.say [[
    **Third:** a NIC stalls on page lookups [Guo16]. g1 takes in half the line.
  ]],
  weft.predict {
    ask = "What does all that cost?",
    choices = {
      { "half of g1's line",
        belief = "a slow server is slow for itself",
        reply = "Everybody has packets for g1." },
      { "nothing: PFC evens it out",
        belief = "waiting is free",
        reply = "PFC passes the waiting on." },
      { "a quarter of all, or more",
        reply = "Yes." },
    },
    because = "{card.goodput}, of {scenes.healthy.card.goodput}. Cure: larger pages.",
    truth = function(r)
      local left = r.card.goodput / r.scenes.healthy.card.goodput
      return left < 0.75 and 3 or left < 0.97 and 1 or 2
    end,
  },
  weft.play { time = "600us", gear = "round", rate = "200us" },
  weft.claim("one receiver at half speed costs the fabric more than a quarter", function(r)
    local left = r.card.goodput / r.scenes.healthy.card.goodput
    return left < 0.75 and left > 0.5, left
  end),

  -- 17: and today
  weft.say "**All three mended,** in 2016 [Guo16].",
  weft.predict {
    ask = "Which is impossible since then?",
    choices = {
      { "the deadlock",
        belief = "who removes the trigger removes the problem",
        reply = "That trigger, yes [Tagger17]." },
      { "the storm",
        belief = "a watchdog prevents",
        reply = "Contained: it drops." },
      { "the slow receiver",
        belief = "mitigated means cured",
        reply = "Only mitigated." },
      { "none of them",
        reply = "Yes." },
    },
    because = "One trigger removed, one storm contained, one stall mitigated.",
    truth = function() return 4 end,
  },
  weft.note [[
    Many ask: are Microsoft's problems solved? Others of the paper: buffers set wrong, alpha a quarter of what
    it should be, thousands of servers hit [Guo16]; that recurs [Meta24a]. Three hundred metres a hop: Azure
    spans a region [Azure23]. Hashing: a later lesson. It stayed with Ethernet, seven tenths of
    Azure's traffic was RDMA by 2023 [Azure23]; its GPU clusters use InfiniBand, too [NVcust].
  ]],

  -- 18
  weft.say [[
    **Ten years on.** That trigger is gone; others remain. Tagger prevents circles for declared routes
    [Tagger17], operators keep watchdogs in case. Storms: a watchdog is standard, and drops [SONiCwd]. Slow
    receivers: large pages are normal.
  ]],

  -- 19: transfer
  weft.scene "loop",
  weft.say "**A routing loop** of two switches. TTL: {set.ttl}.",
  weft.switch { knob = "ttl", values = { 8, 16 }, label = "TTL" },
  weft.predict {
    ask = "Can that lock?",
    choices = {
      { "no: TTL ends every loop",
        belief = "TTL makes loops harmless",
        reply = "It ends packets, not loops." },
      { "yes",
        reply = "Yes, with TTL and all." },
      { "not at a sixth of the line",
        belief = "only overload locks",
        reply = "Looping packets come back as load." },
    },
    because = [[
      {stall == "deadlock" and "Locked" or "It lives"}. Up to two cables' rate by TTL, {2 * 40 / set.ttl} Gb/s,
      it lives.
    ]],
    truth = function(r) return r.stall == "deadlock" and 2 or 1 end,
  },
  weft.play { time = "10ms", gear = "round", rate = "1ms" },
  -- V37: TTL 16, 5.0 Gb/s lives, 5.1 locks; here 6
  weft.claim("15 % of the line lock the loop at TTL 16", function(r)
    return r.stall == "deadlock" and r.cycle == 2
  end),

  -- 20: in two sentences
  weft.say [[
    **Aloud, in two sentences:** how can a network that loses nothing stand still?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "PFC has a flaw",
        belief = "the deadlock is a flaw of PFC",
        reply = "Credits locked, too." },
      { "It was overloaded",
        belief = "without traffic no congestion",
        reply = "It stood with no sender left." },
      { "Because it loses nothing",
        reply = "So would we." },
    },
    because = "Full buffers wait in a circle, and nobody may drop. So: no circles, or a watchdog.",
    truth = function() return 3 end,
  },
}
