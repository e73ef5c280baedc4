-- Few flows, big flows: what Meta met when training came to Ethernet.
--
-- What it shows: eight flows hashed on eight cables leave some empty and put two or three on others, and
-- the barrier waits for those. More queue pairs, planned paths; and receivers who invite.

local weft = require "weft"

local fabric = weft.leaf_spine { leaves = 2, spines = 8, hosts = 8, rate = "100Gbps", delay = "500ns" }
local small = "GPUs, rate 1/4, gradient, compute"

-- Sixteen GPUs, every ring neighbour in the other rack: eight flows up from each leaf.
local function train(set, more)
  local sc = {
    fabric = fabric,
    workload = weft.training {
      collective = weft.ring_allreduce { bytes = "8MiB" }, compute = "20us", steps = 4,
    },
    set = { rank_order = "mixed" }, true_size = "packet, flows a cable", shrunk = small,
  }
  for knob, value in pairs(set) do sc.set[knob] = value end
  for field, value in pairs(more or {}) do sc[field] = value end
  return (weft.scenario(sc))
end

local pins = {}
for i = 1, 8 do
  pins[i] = { flow = "g" .. i .. ">g" .. i + 8, via = "spine" .. i }
  pins[i + 8] = { flow = "g" .. i + 8 .. ">g" .. i % 8 + 1, via = "spine" .. i }
end

-- Eight workers, one parameter server.
local function server(admission)
  return (weft.scenario {
    fabric = weft.star { hosts = 9, rate = "100Gbps", delay = "500ns" },
    workload = weft.training {
      collective = weft.collective { kind = "parameter_server", bytes = "2MiB" }, compute = "20us", steps = 3,
    },
    set = { admission = admission }, true_size = "packet, queue", shrunk = small,
  })
end

local function web(routing)
  return (weft.scenario {
    fabric = fabric,
    workload = weft.requests { count = 2000, clients = 8, ask = "300B", answer = "20KB", gap = "500ns" },
    set = { routing = routing },
  })
end

-- Of rack 1's cables to the spines: how many carried nothing, and how much the busiest, in flows.
local function each_uplink(what, join)
  local list = {}
  for port = 9, 16 do list[#list + 1] = what:format(port) end
  return table.concat(list, join)
end
local idle = "{" .. each_uplink("(port(\"leaf1:%d\").load < 0.01 and 1 or 0)", " + ") .. "}"

local function uplinks(r)
  local unused, most = 0, 0
  for port = 9, 16 do
    local load = r.port("leaf1:" .. port).load
    unused, most = unused + (load < 0.01 and 1 or 0), math.max(most, load)
  end
  return unused, most
end

-- The fullest of m cables when n flows are hashed on them, on average (exactly): the flows fall on cables
-- in n!/(k1! ... km!) ways of m^n.
local function fullest(n, m)
  local function at_most(most)
    local ways = { [0] = 1 }
    for _ = 1, m do
      local next_ways = {}
      for sum = 0, n do
        next_ways[sum] = 0
        local factorial = 1
        for k = 0, math.min(most, sum) do
          factorial = k > 0 and factorial * k or 1
          next_ways[sum] = next_ways[sum] + (ways[sum - k] or 0) / factorial
        end
      end
      ways = next_ways
    end
    local p = ways[n]
    for k = 1, n do p = p * k / m end
    return p
  end
  local mean = 0
  for most = 1, n do mean = mean + most * (at_most(most) - at_most(most - 1)) end
  return mean, at_most(1)
end
local mean, lucky = fullest(8, 8)

return weft.lesson {
  api = 1,
  id = "few-flows-big-flows",
  title = "Few flows, big flows",
  year = 2024,
  minutes = 8,
  level = 2,
  builds_on = { "one-lost-packet", "microsoft-deadlock" },
  sources = { "Meta24a", "Meta24b", "Guo16" },
  terms = { "ECMP", "pinned path", "clear to send" },

  scenes = {
    even = train {},
    hash = train { routing = "ecmp" },
    pairs = train { routing = "ecmp", queue_pairs = 16 },
    plan = train({ routing = "ecmp" }, { pins = pins }),
    cut = train({ routing = "ecmp", reroute = "10us" }, { pins = pins, faults = { { "link leaf1:9 down" } } }),
    server = server(0),
    asked = server(1),
    web_even = web "dmodk",
    web = web "ecmp",
  },

  -- 1, 2: from before
  weft.scene "even",
  weft.say "**From before.** {key:skip} skips.",
  weft.note [[
    Ask aloud: eight flows, eight cables. How many cables are idle? Likely answer: none. Have eight people
    choose a number from 1 to 8 in secret, then show hands. Short of time: cards 3 to 6, 15.
  ]],
  weft.recall {
    from = "microsoft-deadlock",
    ask = "How does a watchdog free a fabric?",
    choices = {
      { "it drops what is stuck",
        reply = "Yes." },
      { "it finds another path",
        belief = "a jam is driven round",
        reply = "It has none to offer." },
      { "it slows the senders",
        belief = "jams end when senders slow down",
        reply = "Dead senders did not help." },
    },
    right = 1,
    because = "Today: paths, before anything is stuck.",
  },

  weft.say "**And from the start.**",
  weft.recall {
    from = "one-lost-packet",
    ask = "By rack, no queue grew. Why?",
    choices = {
      { "PFC held it down",
        belief = "PFC prevents queues",
        reply = "It was never needed." },
      { "the GPUs were slow",
        belief = "a queue is a matter of speed",
        reply = "They sent at line rate." },
      { "no two flows shared a cable",
        reply = "Yes." },
    },
    right = 3,
    because = "Keep that in mind.",
  },

  -- 3: one each
  weft.say [[
    **Meta trains on Ethernet:** over 24,000 GPUs in one cluster [Meta24b]. Ours has {work.gpus}, in two racks.
    Each rack sends eight flows up eight cables, planned, one each. A step takes {steps[1].duration}.
  ]],
  weft.play { to = "barrier", gear = "step" },
  weft.claim("one flow a cable: no pause, all cables alike", function(r)
    local unused, most = uplinks(r)
    return unused == 0 and most > 0.8 and r.pfc.xoff_frames == 0, unused, most
  end),

  -- 4: hashed
  weft.scene "hash",
  weft.say "**A real switch hashes.** *ECMP*: addresses and ports choose the cable.",
  weft.predict {
    ask = "Rack 1: how many cables idle?",
    choices = {
      { "none",
        belief = "eight flows, eight cables: one each",
        reply = "Chance has no plan." },
      { "one",
        belief = "collisions are rare",
        reply = "Collisions are the rule." },
      { "two or more",
        reply = "Yes." },
    },
    because = idle .. " idle, so others carry two. {this.duration / scenes.even.steps[1].duration} times slower.",
    truth = function(r) return math.min(uplinks(r), 2) + 1 end,
  },
  weft.note "Stop here. All flows but those on the doubled cables were in time; the barrier does not care.",
  weft.play { to = "barrier", gear = "step" },
  -- V64: ECMP is some times slower than one flow a cable; how much is luck
  weft.claim("hashed flows collide: cables idle, others shared, a step at least 1.5 times as long", function(r)
    local unused = uplinks(r)
    return unused >= 1 and r.this.duration > 1.5 * r.scenes.even.steps[1].duration and r.pfc.xoff_frames > 0,
      unused, r.this.duration
  end),

  -- 5: not bad luck
  weft.say(([[
    **Bad luck?** No. Eight hashes that all differ: %.2f cases in a hundred. On average the fullest cable has
    %.1f flows, and each flow here is as big as a cable. Microsoft saw it in 2016 [Guo16]: three fifths of its
    capacity used.
  ]]):format(100 * lucky, mean)),
  weft.play { to = "barrier", gear = "step" },
  -- V66 and V67: 2.60 flows on the fullest of eight cables, no collision with .0024
  weft.claim("eight hashes on eight cables: 2.60 on the fullest, .0024 without a collision", function()
    return mean > 2.59 and mean < 2.61 and lucky > 0.0023 and lucky < 0.0025, mean, lucky
  end),

  -- 6: more to choose from
  weft.scene "pairs",
  weft.say "**Cut the flows up:** 16 queue pairs each, hashed one by one. Whole: {scenes.hash.steps[1].duration}.",
  weft.switch { knob = "queue_pairs", values = { 1, 4, 16 }, label = "queue pairs" },
  weft.predict {
    ask = "What does a step take now?",
    choices = {
      { "longer: more collisions",
        belief = "more flows, more collisions",
        reply = "More, but small ones." },
      { "the same",
        belief = "luck is luck",
        reply = "With many flows, luck evens out." },
      { "less: much is won back",
        reply = "Yes." },
    },
    because = "{this.duration}; planned, {scenes.even.steps[1].duration}.",
    truth = function(r)
      local ratio = r.this.duration / r.scenes.hash.steps[1].duration
      return ratio > 1.02 and 1 or ratio > 0.98 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  -- V64b: more queue pairs bring the busiest uplink nearer to the fair share
  weft.claim("sixteen queue pairs win back more than half of what hashing lost", function(r)
    local best, worst = r.scenes.even.steps[1].duration, r.scenes.hash.steps[1].duration
    return (r.this.duration - best) / (worst - best) < 0.5, r.this.duration
  end),

  -- 7: planned
  weft.scene "plan",
  weft.say [[
    **That is what Meta did** for its large clusters, and gained up to two fifths [Meta24a]. Before, it had
    tried a plan: each flow on a *pinned path*. Without trouble that is perfect: {steps[1].duration}.
  ]],
  weft.play { to = "barrier", gear = "step" },
  weft.claim("pinned, every flow has a cable of its own", function(r)
    return r.steps[1].duration == r.scenes.even.steps[1].duration
  end),

  -- 8: the plan meets a cut
  weft.scene "cut",
  weft.say "**Then a cable is cut.** Seven are left, for eight pinned flows.",
  weft.predict {
    ask = "What does a step take now?",
    choices = {
      { "an eighth more",
        belief = "the lost share spreads evenly",
        reply = "A pinned flow is not split." },
      { "about twice as much",
        reply = "Yes." },
      { "it never ends",
        belief = "a pinned flow has no other way",
        reply = "It takes another way." },
    },
    because = "{this.duration}: the homeless flow moves in with another, whole.",
    truth = function(r)
      local ratio = r.this.duration / r.scenes.even.steps[1].duration
      return ratio < 1.5 and 1 or 2
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("one cable less makes a pinned ring more than 1.7 times slower", function(r)
    local ratio = r.this.duration / r.scenes.even.steps[1].duration
    return ratio > 1.7 and ratio < 2, ratio
  end),

  -- 9
  weft.say [[
    **Plans break** on failures and half-filled racks, Meta found. A central planner that repairs them made
    collectives a little faster still, but suffered when several links failed: kept for the smaller ranking
    jobs [Meta24a].
  ]],
  weft.play { to = "barrier", gear = "step" },

  -- 10: many to one
  weft.scene "server",
  weft.say [[
    **And the receivers?** Eight senders, one server: {port("sw:9").queue_peak} in its queue, {pfc.xoff_frames}
    PAUSE frames. Meta tried DCQCN at 400 gigabits, found it hard to see into, and turned it off [Meta24a].
  ]],
  weft.plot { "queue sw:9" },
  weft.play { to = "barrier", gear = "step", rate = "500us" },

  -- 11: asked
  weft.scene "asked",
  weft.say "**It invites:** *clear to send*.",
  weft.plot { "queue sw:9" },
  weft.switch { knob = "admission", values = { 0, 1, 4 }, label = "invited at a time" },
  weft.predict {
    ask = "What does asking first cost?",
    choices = {
      { "about twice the time",
        belief = "one at a time is slow",
        reply = "One at a time fills it, too." },
      { "next to nothing",
        reply = "Yes." },
      { "it saves much time",
        belief = "queues cost throughput",
        reply = "The cable was full before." },
    },
    because = [[
      {this.duration}; it was {scenes.server.steps[1].duration}.
    ]],
    truth = function(r)
      local ratio = r.this.duration / r.scenes.server.steps[1].duration
      return ratio > 1.2 and 1 or ratio > 0.9 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "500us" },
  weft.claim("invited one by one: no pause, hardly a queue, 2 % more time", function(r)
    return r.pfc.xoff_frames == 0 and r.port("sw:9").queue_peak < "20KB"
      and r.scenes.server.port("sw:9").queue_peak > "1MB" and r.scenes.server.pfc.xoff_frames > 100
      and r.this.duration < 1.02 * r.scenes.server.steps[1].duration, r.this.duration
  end),

  -- 12: so there is control
  weft.say [[
    **So Meta has no congestion control?** It has: in the library, where receivers invite. The NICs ran on PFC
    alone, and here it has nothing to do: {pfc.xoff_frames} PAUSE frames.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "500us" },

  -- 13: another workload
  weft.scene "web_even",
  weft.say [[
    **Another workload** on the first fabric: 2,000 web requests on planned paths, all answered after
    {outcome == "done" and finish or "..."}.
  ]],
  weft.plot { "queue leaf2:11" },
  weft.play { to = "end", gear = "round", rate = "200us" },

  -- 14: transfer
  weft.scene "web",
  weft.say "**The same requests, hashed.**",
  weft.plot { "queue leaf2:11" },
  weft.predict {
    ask = "How much longer do they take?",
    choices = {
      { "nearly twice, like the ring",
        belief = "a hash collides, whatever it hashes",
        reply = "These are small, and many." },
      { "hardly at all",
        reply = "Yes." },
      { "several times",
        belief = "more flows, more collisions",
        reply = "More, but small ones." },
    },
    because = "{finish}. Hashing is fine for a crowd. Eight elephants are no crowd.",
    truth = function(r)
      local ratio = r.finish / r.scenes.web_even.finish
      return ratio > 2.5 and 3 or ratio > 1.2 and 1 or 2
    end,
  },
  weft.play { to = "end", gear = "round", rate = "200us" },
  weft.claim("two thousand small requests do not mind being hashed", function(r)
    local ratio = r.finish / r.scenes.web_even.finish
    return ratio > 0.95 and ratio < 1.05 and r.outcome == "done", ratio
  end),

  -- 15: in two sentences
  weft.say "**Aloud, in two sentences:** why do eight flows not fill eight cables?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "The hash is a bad one",
        belief = "a good hash spreads evenly",
        reply = "The best hash is chance." },
      { "Too few, too big",
        reply = "So would we." },
      { "The cables are too slow",
        belief = "a slow step needs faster cables",
        reply = "Some of them were idle." },
    },
    because = "Chance is even for crowds only, and a barrier waits for the unluckiest flow.",
    truth = function() return 2 end,
  },
}
