-- Inside the server.
--
-- What it shows: inside a box GPUs have NVLink, nine times what a 400-gigabit NIC carries one way. A second
-- box makes a ring as slow as one NIC; who sums inside first, well, gains; who sends all to all pays for
-- every byte that leaves. What lies between boxes decides.
--
-- NVLink 4: 450 GB/s one way, sold as 900 both ways (history.md 3.4). A box of eight has a NIC beside each
-- GPU, on PCIe 5. The tables of generations are secondary sources: say so.

local weft = require "weft"

local gradient = "16MiB"
local box = weft.box { gpus = 8, nvlink = 4 }
local two = weft.star {
  hosts = 2, rate = "400Gbps", delay = "500ns",
  box = weft.box { gpus = 8, nvlink = 4, pcie = 5, switches = 8, nics = 8 },
}

local function sum(fabric, kind, set)
  local all = { ack_every = 0, pieces = 64 }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return (weft.scenario {
    fabric = fabric,
    workload = weft.training {
      collective = weft.collective { kind = kind, bytes = gradient }, compute = "20us", steps = 60,
    },
    set = all,
    true_size = "NVLink, PCIe, links, packet", shrunk = "gradient, compute",
  })
end

local function times(r, scene) return r.this.exposed_comm / r.scenes[scene].steps[1].exposed_comm end

return weft.lesson {
  api = 1,
  id = "inside-the-server",
  title = "Inside the server",
  year = 2018,
  minutes = 6,
  level = 2,
  builds_on = { "the-ring", "out-of-the-box" },
  sources = { "NVLinkTbl" },
  terms = { "NVLink", "NVSwitch", "hierarchical all-reduce", "all-to-all" },

  scenes = {
    box = sum(box, "ring"),
    network = sum(weft.star { hosts = 8, rate = "400Gbps", delay = "500ns" }, "ring"),
    two = sum(two, "ring"),
    leaders = sum(two, "hierarchical"),
    sums = sum(two, "ring"),
    experts = sum(box, "all_to_all"),
    far_experts = sum(two, "all_to_all"),
  },

  -- 1, 2: recall
  weft.scene "box",
  weft.say "**From before.**",
  weft.note [[
    Ask aloud: a second box of eight GPUs, the same gradient; how much longer does the sum take? Likely
    wrong: twice as long. Stop before the answer of card 5. Short of time: cards 4, 5, 7 and 10.
  ]],
  weft.recall {
    from = "the-ring",
    ask = "What does busbw tell?",
    choices = {
      { "how full the cables were",
        reply = "Yes." },
      { "how fast the sum is done",
        belief = "algbw and busbw are the same",
        reply = "That is algbw." },
    },
    right = 1,
    because = "It stays as it is when GPUs join.",
  },

  weft.say "**The second,** about an old server.",
  weft.recall {
    from = "out-of-the-box",
    ask = "Why was NDR not seven times as fast as FDR there?",
    choices = {
      { "PCIe had become the limit",
        reply = "Yes." },
      { "InfiniBand was the limit",
        belief = "the network is the slow part everywhere",
        reply = "It had the rate." },
    },
    right = 1,
    because = "The narrowest part decides.",
  },
  weft.play { time = "22us", gear = "round" },

  -- 3: the box
  weft.say [[
    **A fabric in a box:** eight GPUs, each with *NVLink* to an *NVSwitch*. By published tables NVLink came in
    2016, the switch in 2018 [NVLinkTbl]. This sum takes {steps[1].exposed_comm}.
  ]],
  weft.note [[
    A box need not be a server: from 2024 on a rack of 72 GPUs shares one NVLink fabric, by the same tables
    [NVLinkTbl]. NVIDIA adds both directions in what it prints; halve it to compare with a NIC.
  ]],
  weft.play { to = "barrier", gear = "step" },
  -- V94's closed form with 16 MiB: 14 rounds of 513 slots of 4,352 bytes, two cables, the switch.
  weft.claim("eight GPUs on NVLink 4: V94's time", function(r)
    local form = 14 * (513 * 4352 / 450e3 + 0.202) -- us
    return math.abs(r.collective.mean.us / form - 1) < 0.0005, r.collective.mean.us, form
  end),

  -- 4: 900 or 400
  weft.scene "network",
  weft.say [[
    **Without NVLink:** eight servers, 400-gigabit NICs. NVLink 4 is sold as 900 gigabytes a second.
  ]],
  weft.predict {
    ask = "How many times longer?",
    choices = {
      { "about 2",
        belief = "900 and 400 are the same unit",
        reply = "900 bytes to 400 bits." },
      { "about 9",
        reply = "Yes." },
      { "about 18",
        belief = "900 gigabytes a second go each way",
        reply = "Both ways are added up there." },
    },
    because = [[
      {this.exposed_comm} instead of {scenes.box.steps[1].exposed_comm}. One way NVLink carries half of 900; a
      NIC fifty.
    ]],
    truth = function(r)
      local long = times(r, "box")
      return long < 4 and 1 or long < 13 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("NVLink 4 is 8 to 9.5 times as fast as a 400-gigabit NIC", function(r)
    return times(r, "box") > 8 and times(r, "box") < 9.5, times(r, "box")
  end),

  -- 5: two boxes
  weft.scene "two",
  weft.say [[
    **A second box.** Sixteen GPUs in one ring; it leaves a box only twice.
  ]],
  weft.predict {
    ask = "How long, against one box?",
    choices = {
      { "a little longer",
        belief = "the average cable counts, and 14 of 16 are NVLink",
        reply = "All wait for the other two." },
      { "twice as long",
        belief = "twice the GPUs, twice the time",
        reply = "A ring hardly minds more GPUs." },
      { "some nine times",
        reply = "Yes." },
    },
    because = [[
      {this.exposed_comm}. Two NICs of sixteen work, NVLink mostly waits.
    ]],
    truth = function(r)
      local long = times(r, "box")
      return long < 1.5 and 1 or long < 4 and 2 or 3
    end,
  },
  weft.play { time = "24us", gear = "packet", rate = "2us" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("a ring over two boxes takes 8.5 to 9.5 times as long as in one", function(r)
    return times(r, "box") > 8.5 and times(r, "box") < 9.5, times(r, "box")
  end),
  weft.claim("and about as long as sixteen GPUs without NVLink: within a tenth of eight", function(r)
    return times(r, "network") > 0.95 and times(r, "network") < 1.1, times(r, "network")
  end),

  -- 6: all NICs
  weft.say [[
    **Shuffle the ranks,** from the next step on: every message leaves its box. NVLink idles, all sixteen
    NICs work.
  ]],
  weft.set { rank_order = "mixed" },
  weft.switch { knob = "rank_order", values = { "rack", "mixed" }, label = "rank order" },
  weft.predict {
    ask = "How much slower?",
    choices = {
      { "eight times",
        belief = "more bytes outside, more time outside",
        reply = "Each cable carries as much as before." },
      { "hardly at all",
        reply = "Yes." },
      { "it gets faster",
        belief = "sixteen NICs do more than two",
        reply = "Each carries as much as before." },
    },
    because = [[
      {steps[3].exposed_comm}. A ring is as fast as its slowest cable, however many are slow.
    ]],
    truth = function(r)
      local change = r.steps[3].exposed_comm / r.steps[1].exposed_comm
      return change > 2 and 1 or change > 1 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("a ring all of whose messages leave takes 5 to 20 % longer", function(r)
    local change = r.steps[3].exposed_comm / r.steps[1].exposed_comm
    return change > 1.05 and change < 1.2, change
  end),

  -- 7: leaders
  weft.scene "leaders",
  weft.say [[
    **Sum inside first,** then a leader of each box talks: *hierarchical all-reduce*. All send to it at once.
  ]],
  weft.predict {
    ask = "How does it compare with the ring?",
    choices = {
      { "faster: less goes out",
        belief = "what leaves the box is all that counts",
        reply = "Half as much goes out. But first seven send to one." },
      { "slower",
        reply = "Yes." },
      { "the same",
        belief = "the NIC decides, so nothing changes",
        reply = "It does not decide here." },
    },
    because = [[
      {this.exposed_comm}, not {scenes.two.steps[1].exposed_comm}. An incast, even on NVLink.
    ]],
    truth = function(r)
      local change = times(r, "two")
      return change < 0.95 and 1 or change > 1.05 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  -- V86b: the sum of its phases. Seven gradients to a leader and back at 4,352 bytes a slot, and the leaders.
  weft.claim("the phases inside take more than half of it", function(r)
    local inside = 2 * 7 * 4096 * 4352 / 450e3 -- us
    return inside / r.this.exposed_comm.us > 0.5 and inside / r.this.exposed_comm.us < 0.7,
      inside / r.this.exposed_comm.us
  end),

  -- 8: repair
  weft.scene "sums",
  weft.say [[
    **Do better.** Choose the scheme, and the way inside: all at once to the leader, or along a chain.
  ]],
  weft.switch { knob = "collective", values = { "ring", "hierarchical", "halving_doubling" }, label = "scheme" },
  weft.switch { knob = "inside", values = { "direct", "chain" }, label = "inside" },
  weft.fix {
    goal = "The sum takes less than 500 us.",
    time = "2ms",
    check = function(r) return r.steps[1].exposed_comm < "500us", r.steps[1].exposed_comm end,
    solution = { collective = "hierarchical", inside = "chain" },
    hints = { "Nobody should take in seven at once." },
    because = "{steps[1].exposed_comm}. Piece follows piece down the chain: nobody takes in seven at once.",
    reply = "{steps[1].exposed_comm}.",
  },
  weft.play { to = "barrier", gear = "step" },

  -- 9: transfer
  weft.scene "experts",
  weft.say [[
    **Other traffic.** Networks of experts send *all-to-all*: everybody has something else for everybody.
    In one box: {steps[1].exposed_comm}.
  ]],
  weft.play { to = "barrier", gear = "step" },
  weft.scene "far_experts",
  weft.say "**The same over two boxes.** Half of it stays inside.",
  weft.predict {
    ask = "How many times as long?",
    choices = {
      { "hardly longer",
        belief = "half of the traffic still has NVLink",
        reply = "The other half has not." },
      { "about 5",
        reply = "Yes." },
      { "about 9, like the ring",
        belief = "a second box always costs a factor of nine",
        reply = "Here all NICs work, and half stays in." },
    },
    because = [[
      {this.exposed_comm}. And nothing can be summed inside first: each byte is for somebody else.
    ]],
    truth = function(r)
      local long = times(r, "experts")
      return long < 2 and 1 or long < 7 and 2 or 3
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("all-to-all over two boxes takes 4.5 to 5.5 times as long as in one", function(r)
    return times(r, "experts") > 4.5 and times(r, "experts") < 5.5, times(r, "experts")
  end),

  -- 11: in two sentences
  weft.say [[
    **Aloud, in two sentences:** why does the network between boxes decide?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "NVLink is too slow for it",
        belief = "the whole is limited by its fastest part",
        reply = "It waited nearly all the time." },
      { "The narrowest part sets the pace",
        reply = "So would we." },
      { "Most bytes go outside",
        belief = "the most traffic makes the time",
        reply = "Of the ring's, one in eight did." },
    },
    because = [[
      Inside is nine times as wide. Whatever leaves is waited for, so let little leave, and all NICs at once.
    ]],
    truth = function() return 2 end,
  },
  weft.play { to = "barrier", gear = "step" },
}
