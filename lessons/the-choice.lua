-- The choice: InfiniBand or Ethernet.
--
-- What it shows: a decision table with empty cells. What can be measured is measured: latency, queueing, loss,
-- step time, inference. What cannot is cited and dated, or stays empty. The label decides less than the traffic.

local weft = require "weft"

local fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "50ns" }

-- Cut-through both; a switch takes what is published for one of its kind.
local kinds = {
  ib = { link = "infiniband", flow_control = "credits", switch_latency = "130ns", cut_through = true },
  eth = { flow_control = "pfc", switch_latency = "300ns", cut_through = true },
}

local function scene(kind, workload, more)
  local set = { }
  for knob, value in pairs(kinds[kind]) do set[knob] = value end
  for knob, value in pairs(more or {}) do set[knob] = value end
  return (weft.scenario {
    fabric = fabric, workload = workload, set = set,
    true_size = "packet, cable, switch", shrunk = "GPUs, rate, gradient; no NICs",
  })
end

local function alone() return (weft.flows { { src = "g1", dst = "g5", bytes = "4KiB" } }) end

-- The same message while three others send to g5.
local function busy()
  local flows = { { src = "g1", dst = "g5", bytes = "4KiB", start = "200us" } }
  for i = 2, 4 do flows[i] = { src = "g" .. i, dst = "g5", bytes = "4MiB" } end
  return (weft.flows(flows))
end

local function job()
  return (weft.training {
    collective = weft.ring_allreduce { bytes = "8MiB" }, compute = "100us", steps = 5,
  })
end

local function web()
  return (weft.requests { count = 1000, clients = 4, ask = "2KB", answer = "20KB", gap = "1us" })
end

local mixed = { rank_order = "mixed" }

return weft.lesson {
  api = 1,
  id = "the-choice",
  title = "The choice",
  year = 2024,
  minutes = 9,
  level = 2,
  builds_on = { "infinibands-promise", "the-price-of-a-pause", "spread-it-out" },
  sources = {
    "NextPlat25", "QM9700", "LabCX3", "Potter", "Meta24b", "Llama3", "RSC22", "Selene", "Colossus24", "rdma-core",
    "Guo16", "DellOro25a", "DellOro26", "NVcust",
  },
  terms = { "LID", "in-network reduction" },

  scenes = {
    ib = scene("ib", alone()), eth = scene("eth", alone()),
    ib_busy = scene("ib", busy()), eth_busy = scene("eth", busy()),
    ib_job = scene("ib", job(), mixed), eth_job = scene("eth", job(), mixed),
    ib_web = scene("ib", web()), eth_web = scene("eth", web()),
  },

  -- 1, 2: from before
  weft.scene "ib",
  weft.say "**From before.** {key:skip} skips.",
  weft.note [[
    Ask aloud: what is the difference? Draw a table: latency, loss, step time, inference, size, people, price;
    a column each for InfiniBand and Ethernet. All cells empty. Fill one only when it was measured or has a
    source and a year. Likely answer: latency. Short of time: cards 3 to 6, 8, 9, 18.
  ]],
  weft.recall {
    from = "infinibands-promise",
    ask = "What does InfiniBand promise?",
    choices = {
      { "never to lose a packet",
        belief = "lossless means never lost",
        reply = "Lifetimes discard some." },
      { "room, before you send",
        reply = "Yes." },
      { "to be fast",
        belief = "a lossless network is a fast one",
        reply = "It promises no speed." },
    },
    right = 2,
    because = "Today it competes.",
  },

  weft.say "**And from Spectrum-X.**",
  weft.recall {
    from = "spread-it-out",
    ask = "Who has adaptive routing?",
    choices = {
      { "InfiniBand only",
        belief = "clever paths belong to InfiniBand",
        reply = "Spectrum-X has it." },
      { "Ethernet only",
        belief = "clever paths belong to Ethernet",
        reply = "InfiniBand has it, too." },
      { "both",
        reply = "Yes." },
    },
    right = 3,
    because = "Ideas flow both ways. So what does a label say?",
  },

  -- 3: latency, unloaded
  weft.say [[
    **A table with empty cells.** Row one: latency. InfiniBand's switches take {set.switch_latency} [NextPlat25].
    A small message through three, and its ACK back: {flow("g1>g5").fct}, without NICs. A $ on a cable is a credit.
  ]],
  weft.play { to = "end", gear = "packet" },
  weft.claim("unloaded, InfiniBand carries a message and its ACK in less than 2 us", function(r)
    return r.flow("g1>g5").fct < "2us" and r.set.switch_latency == r.set.switch_latency, r.flow("g1>g5").fct
  end),

  -- 4
  weft.scene "eth",
  weft.say "**Ethernet,** {set.switch_latency} a switch: six of them, there and back.",
  weft.switch { knob = "switch_latency", values = { "300ns", "500ns", "250ns" }, label = "switch" },
  weft.predict {
    ask = "How much more?",
    choices = {
      { "hardly anything",
        belief = "switches do not matter",
        reply = "Six of them do." },
      { "about a microsecond",
        reply = "Yes." },
      { "many microseconds",
        belief = "Ethernet is slow",
        reply = "That is a queue, not a switch." },
    },
    because = "{flow(\"g1>g5\").fct - scenes.ib.flow(\"g1>g5\").fct} more. A clear point for InfiniBand.",
    truth = function(r)
      local more = r.flow("g1>g5").fct - r.scenes.ib.flow("g1>g5").fct
      return more < "200ns" and 1 or more < "4us" and 2 or 3
    end,
  },
  weft.note [[
    The common story gives one microsecond to InfiniBand and two to five to RoCE. Back to back, about one was
    measured on either [Potter] [LabCX3]. What differs is the switch. Its time is our choice: ordinary
    chips are said to take some hundred nanoseconds, the maker of a newer one claims a quarter of a
    microsecond [NextPlat25].
  ]],
  weft.play { to = "end", gear = "packet" },
  weft.claim("unloaded, Ethernet takes about a microsecond more", function(r)
    local more = r.flow("g1>g5").fct - r.scenes.ib.flow("g1>g5").fct
    return more > "700ns" and more < "1500ns", more
  end),

  -- 5: loaded
  weft.scene "ib_busy",
  weft.say [[
    **Who is ever alone?** Three others send to g5 as well. On InfiniBand the small message now takes
    {flow("g1>g5").fct}: it waits behind theirs, and they wait for credits.
  ]],
  weft.play { to = "end", gear = "round", rate = "200us" },

  weft.scene "eth_busy",
  weft.say "**The same crowd on Ethernet.**",
  weft.predict {
    ask = "And the small message here?",
    choices = {
      { "a microsecond more",
        belief = "the switch decides",
        reply = "The queue decides." },
      { "twice as long",
        belief = "Ethernet is slow",
        reply = "Queues have no label." },
      { "about the same",
        reply = "Yes." },
    },
    because = "{flow(\"g1>g5\").fct} here, {scenes.ib_busy.flow(\"g1>g5\").fct} there: buffers decide.",
    truth = function(r)
      local ratio = r.flow("g1>g5").fct / r.scenes.ib_busy.flow("g1>g5").fct
      return ratio > 1.4 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "round", rate = "200us" },
  -- V10's point: at load, waiting in queues dwarfs what a switch takes
  weft.claim("in a crowd both take more than ten times as long, and about the same", function(r)
    local ib, eth = r.scenes.ib_busy.flow("g1>g5").fct, r.flow("g1>g5").fct
    return ib > 10 * r.scenes.ib.flow("g1>g5").fct and eth > 10 * r.scenes.eth.flow("g1>g5").fct
      and eth / ib > 0.7 and eth / ib < 1.4, ib, eth
  end),

  weft.note "Stop here. Cover the title: which of the two fabrics was this? Nobody can tell.",

  -- 7: loss
  weft.say "**Row two: loss.** That was an incast, on both.",
  weft.predict {
    ask = "Who lost packets in it?",
    choices = {
      { "Ethernet did",
        belief = "Ethernet drops",
        reply = "PFC held, well tuned." },
      { "InfiniBand did",
        belief = "lifetimes discard all the time",
        reply = "Not in so short a crowd." },
      { "neither",
        reply = "Yes." },
    },
    because = "{packets.dropped} and {scenes.ib_busy.packets.dropped}. PFC must be tuned for that, credits need not.",
    truth = function(r)
      if r.packets.dropped > 0 then return 1 end
      return r.scenes.ib_busy.packets.dropped > 0 and 2 or 3
    end,
  },
  weft.play { time = "1us" },
  weft.claim("neither loses a packet in the incast", function(r)
    return r.packets.dropped == 0 and r.scenes.ib_busy.packets.dropped == 0 and r.pfc.xoff_frames > 10
      and r.scenes.ib_busy.credits.stalled > "100us"
  end),

  -- 8: step time
  weft.scene "ib_job",
  weft.say [[
    **Row three: the step.** Eight GPUs, a ring, two flows a cable. On InfiniBand: {steps[1].duration}.
  ]],
  weft.play { to = "barrier", gear = "step" },

  weft.scene "eth_job",
  weft.say "**The same job on Ethernet,** the same cables.",
  weft.predict {
    ask = "How much longer is its step?",
    choices = {
      { "a third, or more",
        belief = "InfiniBand trains faster",
        reply = "The cable decides." },
      { "a few per cent",
        reply = "Yes." },
      { "it is shorter",
        belief = "Ethernet has won, so it is faster",
        reply = "Its headers are larger." },
    },
    because = "{steps[1].duration}, not {scenes.ib_job.steps[1].duration}: headers, a little latency.",
    truth = function(r)
      local ratio = r.steps[1].duration / r.scenes.ib_job.steps[1].duration
      return ratio < 1 and 3 or ratio < 1.1 and 2 or 1
    end,
  },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("the same job takes one to three per cent longer on Ethernet", function(r)
    local ratio = r.steps[1].duration / r.scenes.ib_job.steps[1].duration
    return ratio > 1.005 and ratio < 1.03, ratio
  end),

  -- 10: what cannot be measured here; the job trains on
  weft.say [[
    **Rows we cannot measure.** Adding: InfiniBand's switches can add up gradients themselves, *in-network
    reduction* [QM9700]. Size: one InfiniBand subnet has 49,151 addresses, *LID*s [rdma-core].
  ]],
  weft.note [[
    "InfiniBand does not scale" is an opinion that goes round. What is hard: that number of addresses, and that
    one fabric of 24,576 GPUs exists [Meta24b]. Ask: what would you have to see to believe either?
  ]],
  weft.play { to = "barrier", gear = "step" },

  -- 11
  weft.say "**People and price.** A subnet manager there; PFC, ECN and watchdogs here [Guo16].",
  weft.predict {
    ask = "So which one costs more?",
    choices = {
      { "InfiniBand",
        belief = "what everybody says is a source",
        reply = "Maybe. Says who, of what?" },
      { "Ethernet",
        belief = "the opposite of a rumour is knowledge",
        reply = "Maybe. Says who, of what?" },
      { "nobody here knows",
        reply = "Yes." },
    },
    because = "What large buyers pay is not public. We have no source, so the cell stays empty.",
    truth = function() return 3 end,
  },

  -- 12: the market
  weft.say [[
    **What others buy** proves nothing, but has a date. Of the money for switches between AI servers, says
    Dell'Oro, InfiniBand got over four fifths in late 2023 [DellOro25a], Ethernet over two thirds in 2025
    [DellOro26].
  ]],
  weft.play { to = "barrier", gear = "step" },

  -- 13: who chose what
  weft.say [[
    **Who chose what?** InfiniBand: Selene 2020 [Selene], RSC 2022 [RSC22], Azure's GB300 2025 [NVcust].
    Ethernet: Colossus 2024 [Colossus24]. And Meta, in 2024, built one of each, equally large [Meta24b].
  ]],
  weft.note [[
    Who says that the largest clusters run InfiniBand, and names Selene and RSC, is right about 2020 to 2023.
    Date every superlative. InfiniBand's sales grew in 2025, too, only more slowly. Colossus was announced with
    100,000 GPUs; what it makes of its cables is the vendor's figure.
  ]],
  weft.play { to = "barrier", gear = "step" },

  -- 14
  weft.say "**Meta's two** have 24,576 GPUs each, RoCE here, InfiniBand there.",
  weft.predict {
    ask = "Which trained Llama 3 405B?",
    choices = {
      { "InfiniBand, the safe one",
        belief = "the largest models need InfiniBand",
        reply = "Smaller ones ran there." },
      { "the RoCE one",
        reply = "Yes." },
      { "both together",
        belief = "one job fills all there is",
        reply = "They are two fabrics." },
    },
    because = "It took 16,384 GPUs [Llama3]. The common story keeps RoCE for inference.",
    truth = function() return 2 end,
  },

  -- 15: inference
  weft.scene "ib_web",
  weft.say [[
    **Another workload:** inference, a thousand small questions and larger answers. On InfiniBand all are
    answered after {outcome == "done" and finish or "..."}.
  ]],
  weft.play { to = "end", gear = "round", rate = "200us" },

  weft.scene "eth_web",
  weft.say "**The same questions on Ethernet.**",
  weft.predict {
    ask = "What changes?",
    choices = {
      { "hardly anything",
        reply = "Yes." },
      { "Ethernet is faster here",
        belief = "RoCE is for inference",
        reply = "Nobody shares a full cable." },
      { "InfiniBand is faster here",
        belief = "InfiniBand is fast because of its latency",
        reply = "By one microsecond of many." },
    },
    because = "{finish} here, {scenes.ib_web.finish} there. No barrier, no crowd, no difference.",
    truth = function(r)
      local ratio = r.finish / r.scenes.ib_web.finish
      return ratio < 0.97 and 2 or ratio > 1.03 and 3 or 1
    end,
  },
  weft.play { to = "end", gear = "round", rate = "200us" },
  weft.claim("inference takes as long on either, within 3 %", function(r)
    local ratio = r.finish / r.scenes.ib_web.finish
    return ratio > 0.97 and ratio < 1.03 and r.outcome == "done", ratio
  end),

  -- 17: the table
  weft.say [[
    **The table,** InfiniBand and Ethernet:

    - Alone: {scenes.ib.flow("g1>g5").fct}, {scenes.eth.flow("g1>g5").fct}
    - Crowd: {scenes.ib_busy.flow("g1>g5").fct}, {scenes.eth_busy.flow("g1>g5").fct}
    - Lost: {scenes.ib_busy.packets.dropped}, {scenes.eth_busy.packets.dropped}
    - Step: {scenes.ib_job.steps[1].duration}, {scenes.eth_job.steps[1].duration}
    - Inference: {scenes.ib_web.finish}, {finish}
    - Price: not public
  ]],

  -- 18: in two sentences
  weft.say "**Aloud, in two sentences:** InfiniBand or Ethernet?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "InfiniBand: it is faster",
        belief = "InfiniBand is fast because of its latency",
        reply = "Alone, by a microsecond." },
      { "Ethernet: it has won",
        belief = "who sells most is right",
        reply = "That cell is dated, too." },
      { "Ask: traffic, size, people",
        reply = "So would we." },
    },
    because = "Both stop losing, both queue, both spread. Measure your own traffic, then ask who runs it.",
    truth = function() return 3 end,
  },
}
