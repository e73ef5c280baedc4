-- The price of a pause: victims, unfairness, pauses that spread.
--
-- What it shows: a PAUSE stops a cable's whole class, not the flow that is to blame. Whoever shares the
-- cable pays, the near one gets more than the far one, and a receiver that is stuck stops switches that
-- have never heard of it. Credits are no different.

local weft = require "weft"

-- As in rows V32 to V39e of the validation table.
local function set(changes)
  local all = {
    mtu = "1024B", switch_latency = "0ns", ack_every = 1, xoff = "100KB", xon = "97KB",
    headroom = "200KB", pfc_response = "0ns", buffer = "unlimited",
  }
  for knob, value in pairs(changes or {}) do all[knob] = value end
  return all
end

local sizes = { true_size = "link, cable, packet, XOFF", shrunk = "message, switch latency, PAUSE response" }

local function scenario(fields)
  for key, value in pairs(sizes) do fields[key] = value end
  return (weft.scenario(fields))
end

local function cable(a, b) return (weft.link { a = a, b = b, rate = "40Gbps", delay = "25ns" }) end

-- One more host at s1 that sends to r.
local function sender(nodes, links, flows, i)
  table.insert(nodes, i, weft.node { name = "h" .. i, kind = "host", row = i, column = 1 })
  links[#links + 1] = cable("s1", "h" .. i)
  flows[#flows + 1] = { src = "h" .. i, dst = "r", bytes = "4MiB" }
end

-- n hosts send to r, v sends to vr, all across one trunk that is ten times as wide as their cables.
local function trunk(n, changes, prio)
  local nodes = {
    weft.node { name = "v", kind = "host", row = n + 1, column = 1 },
    weft.node { name = "s1", kind = "switch", row = 1, column = 2 },
    weft.node { name = "s2", kind = "switch", row = 1, column = 3 },
    weft.node { name = "r", kind = "host", row = 1, column = 4 },
    weft.node { name = "vr", kind = "host", row = n + 1, column = 4 },
  }
  local links = {
    weft.link { a = "s1", b = "s2", rate = "400Gbps", delay = "25ns" },
    cable("s2", "r"), cable("s2", "vr"), cable("s1", "v"),
  }
  local flows = { { src = "v", dst = "vr", bytes = "4MiB", prio = prio } }
  for i = 1, n do sender(nodes, links, flows, i) end
  return scenario {
    fabric = weft.fabric { nodes = nodes, links = links }, workload = weft.flows(flows),
    set = set(changes),
    classes = prio and { [3] = { weight = 1, lossless = true }, [prio] = { weight = 1, lossless = true } },
  }
end

-- h1, h2 and h3 reach r over a trunk, h4 sits beside it.
local function parking_lot()
  local nodes = {
    weft.node { name = "s1", kind = "switch", row = 1, column = 2 },
    weft.node { name = "s2", kind = "switch", row = 1, column = 3 },
    weft.node { name = "r", kind = "host", row = 1, column = 4 },
    weft.node { name = "h4", kind = "host", row = 3, column = 4 },
  }
  local links = { cable("s1", "s2"), cable("s2", "r"), cable("s2", "h4") }
  local flows = { { src = "h4", dst = "r", bytes = "4MiB" } }
  for i = 1, 3 do sender(nodes, links, flows, i) end
  return scenario {
    fabric = weft.fabric { nodes = nodes, links = links }, workload = weft.flows(flows), set = set(),
  }
end

local line = 40 * 1024 / 1106 -- payload of a 40 Gb/s cable that is never idle

local function near(rate, gbps, share) return math.abs(rate.gbps / gbps - 1) < share end

return weft.lesson {
  api = 1,
  id = "the-price-of-a-pause",
  title = "The price of a pause",
  year = 2015,
  minutes = 8,
  level = 2,
  sources = { "Guo16" },
  terms = { "victim flow", "head-of-line blocking", "parking-lot problem", "congestion spreading" },
  builds_on = { "one-lost-packet", "teaching-ethernet-to-wait" },

  scenes = {
    one = trunk(1),
    two = trunk(2),
    four = trunk(4),
    blame = trunk(4, { flow_control = "none" }),
    lot = parking_lot(),
    chain = scenario {
      fabric = weft.ring { switches = 4, hosts = 1, open = true, rate = "100Gbps", delay = "25ns" },
      workload = weft.flows {
        { src = "g1", dst = "g4", bytes = "1MiB" },
        { src = "g2", dst = "g3", bytes = "1MiB", start = "40us" },
      },
      set = set(), faults = { { "hold g4 on" } },
    },
    lane = trunk(4, {}, 4),
    credits = trunk(4, { flow_control = "credits", link = "infiniband", cred_min = "0ns" }),
  },

  -- before
  weft.scene "one",
  weft.say "**From before.** Four sent to one, with PFC.",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "What did pauses cost?",
    choices = {
      { "half the rate",
        belief = "a sender that stands still delays the whole",
        reply = "Only the senders stood still." },
      { "nothing",
        reply = "Yes." },
    },
    right = 2,
    because = "The last cable was always busy.",
  },

  weft.say "**The second:**",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "What does a switch count before it sends PAUSE?",
    choices = {
      { "what came from a neighbour",
        reply = "Yes." },
      { "what waits for a cable",
        belief = "PAUSE follows the queue",
        reply = "That is for ECN." },
      { "what a flow has sent",
        belief = "PAUSE knows who is to blame",
        reply = "It knows only cables." },
    },
    right = 1,
    because = "Whatever it is for. Keep that in mind.",
  },

  -- nobody is in the way
  weft.say [[
    **Two flows, two receivers.** h1 sends to r, v to vr. They share one cable, the trunk, ten times as wide
    as theirs. Each gets all that its own cable carries: {flow("v>vr").mean_rate}.
  ]],
  weft.play { time = "300us", gear = "step" },
  weft.claim("one sender each: both get their whole cable", function(r)
    return near(r.flow("v>vr").mean_rate, line, 0.01) and near(r.flow("h1>r").mean_rate, line, 0.01)
      and r.pfc.xoff_frames == 0
  end),

  -- a second sender
  weft.scene "two",
  weft.say "**h2 joins, for r.** r's cable has two senders now; vr's still one.",
  weft.predict {
    ask = "What does v get?",
    choices = {
      { "all of its cable, as before",
        belief = "a pause slows only the culprit",
        reply = "v is no culprit, and pays." },
      { "a little less",
        belief = "the trunk is wide enough for all",
        reply = "It is wide, and it stands still." },
      { "half",
        reply = "Yes." },
    },
    because = [[
      {flow("v>vr").mean_rate}, as h1 and h2. v is a *victim flow*.
    ]],
    truth = function(r)
      local share = r.flow("v>vr").mean_rate.gbps / line
      return share > 0.95 and 1 or share > 0.7 and 2 or 3
    end,
  },
  weft.note [[
    Ask: whom does s2 send its P to? Likely answer: to h1 and h2. It cannot: it knows its neighbour, s1. Stop
    when the trunk turns orange. Fallback: the next card.
  ]],
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "1ms", gear = "step" },
  -- V34: 40/n Gb/s gross; the first 50 us, before anything is full, are in this average
  weft.claim("with two senders the victim gets half", function(r)
    return near(r.flow("v>vr").mean_rate, line / 2, 0.03) and r.packets.dropped == 0,
      r.flow("v>vr").mean_rate
  end),

  -- why
  weft.say [[
    **Whom does it hit?** s2 is full of packets for r, all from s1, so it pauses s1: the whole trunk. At its
    head stands a packet for r; behind it wait v's, though vr is free. *Head-of-line blocking.*
  ]],
  weft.plot { "held s2:1", "load s2:3" },
  weft.play { time = "30us", gear = "round" },
  weft.claim("what is paused is the trunk", function(r)
    return r.port("s1:1").pause > 0.5 and r.port("s1:1").load < 0.2, r.port("s1:1").pause
  end),

  -- four
  weft.scene "four",
  weft.say "**Four send to r.** Alone, v got {scenes.one.flow(\"v>vr\").mean_rate}.",
  weft.plot { "goodput v>vr", "goodput h1>r" },
  weft.predict {
    ask = "What does v get now?",
    answer = "number", unit = "rate", tolerance = "15%",
    low = "The trunk moves whenever r takes one.",
    high = "v goes as often as each of the four.",
    because = [[{flow("v>vr").mean_rate}, as each of the four.]],
    truth = function(r) return r.flow("v>vr").mean_rate end,
  },
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "1ms", gear = "step" },
  weft.claim("with four senders the victim gets a quarter", function(r) -- V34
    return near(r.flow("v>vr").mean_rate, line / 4, 0.04) and r.packets.dropped == 0,
      r.flow("v>vr").mean_rate
  end),

  -- who pays
  weft.scene "blame",
  weft.say [[
    **Who should pay?** Now PFC is off. v gets {flow("v>vr").mean_rate}, h1 {flow("h1>r").mean_rate},
    {packets.dropped} lost: the guilty pay, and dearly.
  ]],
  weft.switch { knob = "flow_control", values = { "none", "pfc" }, label = "flow control" },
  weft.play { to = "drop", gear = "round" },
  weft.play { time = "1ms", gear = "step" },
  weft.claim("without PFC the victim is free and the senders lose", function(r)
    return near(r.flow("v>vr").mean_rate, line, 0.01) and r.flow("h1>r").mean_rate < "4Gbps"
      and r.packets.dropped > 1000
  end),

  -- near and far
  weft.scene "lot",
  weft.say "**Near and far.** All four send to r; h4 sits beside it.",
  weft.plot { "goodput h4>r", "goodput h1>r" },
  weft.predict {
    ask = "What does h4 get?",
    choices = {
      { "a quarter, like the others",
        belief = "a switch shares by flows",
        reply = "By ports: h4 has its own." },
      { "half",
        reply = "Yes." },
      { "least: it came last",
        belief = "who is first in the queue wins",
        reply = "It is near: its port is its own." },
    },
    because = [[
      {flow("h4>r").mean_rate}, the others {flow("h1>r").mean_rate}: the *parking-lot problem*.
    ]],
    truth = function(r)
      local share = r.flow("h4>r").mean_rate / r.flow("h1>r").mean_rate
      return share > 2 and 2 or share > 0.8 and 1 or 3
    end,
  },
  weft.note [[
    Ask: how does one leave a full car park, and who gets out first? Likely answer: those near the exit.
    The paper on DCQCN is known for the like; its figure was not read again for this course.
  ]],
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "800us", gear = "step" },
  weft.claim("the near one gets three times as much as each of the far ones", function(r) -- V32
    local times = r.flow("h4>r").mean_rate / r.flow("h1>r").mean_rate
    return times > 2.8 and times < 3.1, times
  end),

  -- spreading
  weft.scene "chain",
  weft.say [[
    **It travels.** g4 is stuck, g1 sends to it. sw4 fills and pauses sw3, which fills and pauses sw2, and so
    on: *congestion spreading*. PAUSE frames: {pfc.xoff_frames}. After
    {pfc.xoff_frames > 3 and finish or "..."} even g1 is told.
  ]],
  weft.plot { "held sw4:2", "held sw3:2", "held sw2:2", "held sw1:1" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { to = "xoff", gear = "round" },
  weft.claim("the pause travels a switch every 8.3 us", function(r) -- V39e: 33.24 us at the host
    return r.pfc.xoff_frames == 4 and r.finish > "33.1us" and r.finish < "33.3us", r.finish
  end),

  weft.say "**Now g2 has something for g3,** next door. Neither knows g4.",
  weft.predict {
    ask = "What gets through?",
    choices = {
      { "all: another way",
        belief = "a pause slows only the culprit",
        reply = "Their cable is on the way to g4." },
      { "half",
        belief = "a shared cable is shared",
        reply = "A paused cable has nothing to share." },
      { "nothing",
        reply = "Yes." },
    },
    because = [[
      {flow("g2>g3").arrived} arrived. Microsoft met the like in production [Guo16].
    ]],
    truth = function(r)
      local share = r.flow("g2>g3").arrived.bytes * 8 / 60e3 / 100
      return share > 0.7 and 1 or share > 0.05 and 2 or 3
    end,
  },
  weft.play { time = "70us", gear = "step" },
  weft.claim("a flow between two others gets nothing at all", function(r)
    return r.flow("g2>g3").arrived.bytes == 0 and r.packets.dropped == 0
  end),

  -- a class of its own
  weft.scene "lane",
  weft.say [[
    **A priority of its own** frees v: {flow("v>vr").mean_rate}. But switches have room for few such
    [Guo16], and v has many brothers.
  ]],
  weft.plot { "goodput v>vr", "goodput h1>r" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "850us", gear = "step" },
  weft.claim("in a class of its own the victim is none", function(r)
    return near(r.flow("v>vr").mean_rate, line, 0.01) and near(r.flow("h1>r").mean_rate, line / 4, 0.02)
  end),

  -- transfer
  weft.scene "credits",
  weft.say "**InfiniBand instead.** Credits, one lane.",
  weft.predict {
    ask = "What does v get?",
    choices = {
      { "all of its cable",
        belief = "credits are fair, pauses are not",
        reply = "They go to s1." },
      { "as little as with PFC",
        reply = "Yes." },
    },
    because = [[
      {flow("v>vr").mean_rate}: the price of never dropping.
    ]],
    truth = function(r) return r.flow("v>vr").mean_rate.gbps / line > 0.7 and 1 or 2 end,
  },
  weft.note [[
    Ask before it runs, and let two argue. Likely answer: InfiniBand does not pause, so all is well. What
    helps there is what helps here: another lane, or senders that slow down.
  ]],
  weft.play { time = "1ms", gear = "step" },
  weft.claim("with credits the victim gets a quarter, too", function(r) -- V74
    return near(r.flow("v>vr").mean_rate, 40 / 4 * 1024 / 1054, 0.05) and r.packets.dropped == 0,
      r.flow("v>vr").mean_rate
  end),

  -- in one sentence
  weft.say "**Aloud:** who pays for a pause?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "the sender",
        belief = "a pause slows only the culprit",
        reply = "It waits anyhow." },
      { "who shares its cable",
        reply = "So would we." },
      { "nobody",
        belief = "lossless is free",
        reply = "v paid for it." },
    },
    because = "Better to slow the four than to stop the cable.",
    truth = function() return 2 end,
  },
}
