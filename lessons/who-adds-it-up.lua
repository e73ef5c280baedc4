-- Who adds it up?
--
-- What it shows: a server that adds everybody's gradients receives what all of them send, over one
-- cable. A faster server, or a second one, moves the point where that hurts; a tree grows with
-- the logarithm. Workers have 10 Gb/s, as a server of 2014 might; FireCaffe's own network, Cray Gemini,
-- a three-dimensional torus, is not simulated.

local weft = require "weft"

local gradient = "1MiB"

local function hosts(count)
  return weft.star { hosts = count, rate = "10Gbps", delay = "25ns" }
end

-- A server of twice the line rate, and 14 workers.
local function big_server()
  local nodes, links = { weft.node { name = "sw", kind = "switch" } }, {}
  for i = 1, 15 do
    local name = "g" .. i
    nodes[#nodes + 1] = weft.node { name = name, kind = "host" }
    links[#links + 1] = weft.link {
      a = name, b = "sw", rate = i == 15 and "20Gbps" or "10Gbps", delay = "25ns",
    }
  end
  return weft.fabric { nodes = nodes, links = links }
end

local function sum(fabric, kind, set)
  return (weft.scenario {
    fabric = fabric,
    workload = weft.training {
      collective = weft.collective { kind = kind, bytes = gradient }, compute = "100us", steps = 40,
    },
    set = set,
    true_size = "links, packet", shrunk = "gradient, compute",
  })
end

local function times(r, scene) return r.this.exposed_comm / r.scenes[scene].steps[1].exposed_comm end

local function worst(r) return r.collective.max / r.scenes.eight.steps[1].exposed_comm end

return weft.lesson {
  api = 1,
  id = "who-adds-it-up",
  title = "Who adds it up?",
  year = 2014,
  minutes = 8,
  level = 1,
  builds_on = { "one-lost-packet", "two-cards" },
  sources = { "DeepDSE", "DistBelief12", "FireCaffe16", "Li14", "Paleo", "TitanTbl" },
  terms = { "parameter server", "incast", "reduction tree" },

  scenes = {
    alone = sum(hosts(2), "parameter_server"),
    eight = sum(hosts(8), "parameter_server"),
    big = sum(big_server(), "parameter_server"),
    sixteen = sum(hosts(16), "parameter_server", { servers = 1 }),
    tree = sum(hosts(8), "tree", { pieces = 1 }),
    many = sum(hosts(64), "parameter_server"),
    tall = sum(hosts(64), "tree", { pieces = 1 }),
    lossy = sum(hosts(8), "parameter_server", { transport = "tcp", queue_cap = "64KB" }),
  },

  -- 1: recall
  weft.scene "alone",
  weft.say "**Two questions from before.** {key:skip} skips them.",
  weft.note [[
    Ask aloud: the server is too slow, what do you buy? Likely wrong: a faster server. Stop before the
    answer of card 4, and let them count the workers. Short of time: cards 3, 4, 7 and 8.
  ]],
  weft.recall {
    from = "out-of-the-box",
    ask = "Why did staging take so long?",
    choices = {
      { "memory is slow",
        belief = "the slowest part explains the time",
        reply = "It was the fastest part of all." },
      { "copy and cable took turns",
        reply = "Yes." },
    },
    right = 2,
    because = "In chunks they worked at once, and it cost nothing.",
  },
  weft.recall {
    from = "one-lost-packet",
    ask = "What does PFC do when a queue fills?",
    choices = {
      { "it pauses the senders",
        reply = "Yes." },
      { "it drops the newest packet",
        belief = "a full queue always drops",
        reply = "That is what happens without PFC." },
    },
    right = 1,
    because = "Nothing is lost, somebody waits.",
  },
  weft.play { time = "120us", gear = "round" },

  -- 2: one worker
  weft.say [[
    **2014: one machine adds.** A *parameter server* takes in gradients and gives back the sum
    [DistBelief12] [Li14]. Here g2 serves one worker. There and back: {steps[1].exposed_comm}.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "500us" },

  -- 3: eight
  weft.scene "eight",
  weft.say [[
    **Seven workers,** and g8 serves. All send to it at once: *incast*.
  ]],
  weft.predict {
    ask = "How long, there and back?",
    choices = {
      { "as long as for one",
        belief = "seven cables carry seven times as much",
        reply = "Only one of them leads to g8." },
      { "seven times as long",
        reply = "Yes." },
      { "longer: packets collide",
        belief = "on Ethernet, packets collide",
        reply = "In a switch they queue." },
    },
    because = [[
      {this.exposed_comm}. One cable carries seven gradients, then seven sums.
    ]],
    truth = function(r)
      local long = times(r, "alone")
      return long < 4 and 1 or long < 8 and 2 or 3
    end,
  },
  weft.plot { "queue sw:8", "goodput g8" },
  weft.play { to = "xoff", gear = "round" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },
  -- V85: push and pull in V23's form, with N times the bytes.
  weft.claim("seven workers take 6.9 to 7.1 times as long as one, and nothing is lost", function(r)
    return times(r, "alone") > 6.9 and times(r, "alone") < 7.1 and r.packets.dropped == 0,
      times(r, "alone")
  end),

  -- 4: a faster server
  weft.scene "big",
  weft.focus { view = "timeline" },
  weft.say [[
    **"Buy a faster server."** Done: its cable has twice the rate. By then there are fourteen workers.
  ]],
  weft.predict {
    ask = "How long, there and back?",
    choices = {
      { "faster than before",
        belief = "a faster server fixes it",
        reply = "Twice the rate, twice the load." },
      { "as before",
        reply = "Yes." },
      { "slower than before",
        belief = "more senders collide more",
        reply = "They queue longer, at a cable twice as fast." },
    },
    because = [[
      {this.exposed_comm}; it was {scenes.eight.steps[1].exposed_comm}. A purchase buys one doubling, and
      workers keep doubling.
    ]],
    truth = function(r)
      local change = times(r, "eight")
      return change < 0.8 and 1 or change < 1.2 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },
  weft.claim("twice the rate and twice the workers: the same time", function(r)
    return times(r, "eight") > 0.98 and times(r, "eight") < 1.02, times(r, "eight")
  end),

  -- 5: more servers
  weft.scene "sixteen",
  weft.say [[
    **Many servers,** each for a part of the weights [Li14]. Sixteen machines; switch 1: how many of
    them serve.
  ]],
  weft.switch { knob = "servers", values = { 1, 4, 8 }, label = "servers" },
  weft.fix {
    goal = "There and back in less than 2 ms.",
    check = function(r) return r.steps[1].exposed_comm < "2ms", r.steps[1].exposed_comm end,
    solution = { servers = 8 },
    hints = { "Every server brings a cable." },
    because = "{steps[1].exposed_comm}, and half of your machines learn nothing.",
    reply = "{steps[1].exposed_comm}. Still too few cables.",
  },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },

  -- 6: the tree
  weft.scene "tree",
  weft.say [[
    **2016: FireCaffe** adds in a *reduction tree* [FireCaffe16]. In ours each machine adds what two below it
    send. All eight work: {steps[1].exposed_comm}. The server took {scenes.eight.steps[1].exposed_comm}.
  ]],
  weft.note [[
    The authors' numbers [FireCaffe16]: 128 GPUs, 47 times the speed of one for GoogLeNet, 39 times for
    Network-in-Network, about a third of 128. They call it near-linear.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "2ms" },
  weft.claim("with eight machines a tree is faster than a server", function(r)
    return times(r, "eight") > 0.6 and times(r, "eight") < 0.8, times(r, "eight")
  end),

  -- 7: many workers, one server
  weft.scene "many",
  weft.say [[
    **Sixty-four machines,** one of them serves. Eight took {scenes.eight.steps[1].exposed_comm}, these
    take {steps[1].exposed_comm}.
  ]],
  weft.play { to = "barrier", gear = "step", rate = "25ms" },

  -- 8: many workers, a tree
  weft.scene "tall",
  weft.say [[
    **And the tree?** From eight machines to sixty-four, the server's time grew
    {string.format("%.0f", scenes.many.steps[1].exposed_comm / scenes.eight.steps[1].exposed_comm)} times.
  ]],
  weft.predict {
    ask = "And the tree's time?",
    choices = {
      { "about twofold",
        reply = "Yes." },
      { "ninefold, too",
        belief = "more workers, more time for all schemes alike",
        reply = "No cable of a tree sees more than two below it." },
      { "it stays the same",
        belief = "in a tree all works in parallel",
        reply = "Each level waits for the one below." },
    },
    because = [[
      {this.exposed_comm}, it was {scenes.tree.steps[1].exposed_comm}: twice the levels. The server:
      {scenes.many.steps[1].exposed_comm}.
    ]],
    truth = function(r)
      local growth = times(r, "tree")
      return growth > 4 and 2 or growth > 1.5 and 1 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.claim("from 8 to 64 a tree takes 2 to 2.4 times as long", function(r)
    return times(r, "tree") > 2 and times(r, "tree") < 2.4, times(r, "tree")
  end),
  weft.claim("and a server nine times", function(r)
    local growth = r.scenes.many.steps[1].exposed_comm / r.scenes.eight.steps[1].exposed_comm
    return growth > 8.9 and growth < 9.1, growth
  end),

  -- 9: what it ran on
  weft.say [[
    **On which network?** The common story says InfiniBand. FireCaffe ran on Titan, whose Cray Gemini is
    a torus [DeepDSE] [TitanTbl]; its abstract asks for "Infiniband or Cray". weft has no torus: above you
    saw the tree, not the machine.
  ]],
  weft.note [[
    How the story may have come about: a performance model of FireCaffe puts in InfiniBand as its network
    [Paleo].
  ]],
  weft.play { to = "barrier", gear = "step", rate = "5ms" },

  -- 10: transfer
  weft.scene "lossy",
  weft.say [[
    **Plain Ethernet:** TCP, no PFC, a shallow queue. Four steps.
  ]],
  weft.predict {
    ask = "How long is the slowest?",
    choices = {
      { "as before: TCP shares",
        belief = "congestion control makes an incast harmless",
        reply = "It learns from loss." },
      { "about twice as long",
        belief = "what is lost is simply sent again",
        reply = "Sending is cheap. Waiting is not." },
      { "ten times, or more",
        reply = "Yes." },
    },
    because = [[
      {collective.max}: {packets.dropped} packets lost, and a timer to wait for.
    ]],
    truth = function(r)
      local long = worst(r)
      return long < 1.5 and 1 or long < 6 and 2 or 3
    end,
  },
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.play { to = "barrier", gear = "step", rate = "5ms" },
  weft.claim("over TCP and a shallow queue the same sum may take more than ten times as long", function(r)
    return worst(r) > 10 and r.timeouts > 0 and r.packets.dropped > 50, worst(r)
  end),

  -- 11: in two sentences
  weft.say [[
    **Aloud, in two sentences:** why did the parameter server go?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "It adds too slowly",
        belief = "a server is short of arithmetic",
        reply = "Adding was free here." },
      { "Its cable carries all",
        reply = "So would we." },
      { "Ethernet was too slow",
        belief = "a faster network would have saved it",
        reply = "Workers double, too." },
    },
    because = [[
      No purchase keeps up. What if all cables shared the load?
    ]],
    truth = function() return 2 end,
  },
}
