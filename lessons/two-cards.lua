-- Two cards, one network.
--
-- What it shows: a network that is cut talks only where a layer reads what the other half made. Whoever
-- cuts it chooses how much that is. AlexNet's authors let four layers talk, for a hundredth of a step.
-- Also: copies instead of halves (data parallelism) move all gradients, however few the images.
--
-- Floats that one card needs from the other for one image (history.md 3.1, model.md 6): conv3 reads
-- 13x13 of 128 maps, the full layers 6x6 of 128 maps, 2,048 and 2,048 neurons. That the last layer is
-- cut too is an assumption: the paper does not say.

local weft = require "weft"

local images, float = 128, 4
local talks = { 13 * 13 * 128, 6 * 6 * 128, 2048, 2048 }
-- What convolutions 2, 4 and 5 would read from the other card, were they to read both.
local silent = { 27 * 27 * 48, 13 * 13 * 192, 13 * 13 * 192 }
local gradients = 60965224 * float

local function sum(floats)
  local all = 0
  for _, count in ipairs(floats) do all = all + count end
  return all
end

-- Each of two sends half of an all-to-all to the other one; forward, and backward as much again.
local function both_ways(floats) return 2 * 2 * sum(floats) * float * images .. "B" end

local all_read = sum(talks) + sum(silent)
local as_built = both_ways(talks)
local everywhere = both_ways { all_read }

-- One kind of layer copied, the other cut: of an all-to-all of two each sends half.
local convolutions = 34944 + 307456 + 885120 + 663936 + 442624 -- weights (model.md 5)
local conv3, full = talks[1], sum(talks) - talks[1]
local function mixed(weights, floats) return 2 * (weights * float + 2 * floats * float * images) .. "B" end
local convolutions_copied = mixed(convolutions, full)
local full_layers_copied = mixed(60965224 - convolutions, conv3)

local function layer(number, start)
  local bytes = talks[number] * float * images .. "B"
  return { src = "g1", dst = "g2", bytes = bytes, start = start },
    { src = "g2", dst = "g1", bytes = bytes, start = start }
end

local layers = {}
for number, start in ipairs { "0us", "1.6ms", "2ms", "2.2ms" } do
  local there, back = layer(number, start)
  layers[#layers + 1], layers[#layers + 2] = there, back
end

local pc = weft.box { gpus = 2, pcie = 2 }

-- A step took 0.56 s: 5.5 days by 90 passes of 9,375 steps.
local function step(fabric, kind, bytes, true_size, compute)
  return (weft.scenario {
    fabric = fabric,
    workload = weft.training {
      collective = weft.collective { kind = kind, bytes = bytes },
      compute = compute or "560ms", steps = 12,
    },
    set = { bytes = bytes },
    true_size = true_size,
  })
end

-- The share of a step in which nobody computes.
local function talk(r, n) return r.steps[n].exposed_comm / r.steps[n].duration end

return weft.lesson {
  api = 1,
  id = "two-cards",
  title = "Two cards, one network",
  year = 2012,
  minutes = 7,
  level = 1,
  builds_on = { "one-lost-packet" },
  sources = { "AlexNet12", "Weird14" },
  terms = { "PCIe", "model parallelism", "activation", "data parallelism" },

  scenes = {
    layers = weft.scenario {
      fabric = pc, workload = weft.flows(layers),
      true_size = "PCIe, bytes of 128 images", shrunk = "the computing between layers",
    },
    step = step(pc, "all_to_all", as_built, "PCIe, bytes, computing"),
    -- The same again: what is switched here is not to change what later cards compare with.
    asked = step(pc, "all_to_all", as_built, "PCIe, bytes, computing"),
    copies = step(pc, "ring", gradients .. "B", "PCIe, bytes, computing"),
    double = step(pc, "all_to_all", both_ways { 2 * sum(talks) }, "PCIe, bytes, computing", "1120ms"),
    mixed = step(pc, "all_to_all", convolutions_copied, "PCIe, bytes, computing"),
    lan = step(weft.pair { rate = "1Gbps", delay = "25ns" }, "all_to_all", as_built,
      "link, bytes, computing"),
  },

  -- 1: recall
  weft.scene "layers",
  weft.say "**Two questions from before.** {key:skip} skips them.",
  weft.note [[
    Ask aloud: how much does a network that is cut in two have to say? Likely wrong: everything, all the
    time. Stop before the answer to "Who sends most?". Short of time: cards 3, 4, 6 and 7 suffice.
  ]],
  weft.recall {
    from = "one-lost-packet",
    ask = "Which lost packet costs a timeout?",
    choices = {
      { "any",
        belief = "one lost packet stalls the cluster",
        reply = "Most cost microseconds." },
      { "one that nothing follows",
        reply = "Yes." },
    },
    right = 2,
    because = "Without a later packet nobody sees the gap.",
  },
  weft.recall {
    from = "one-lost-packet",
    ask = "And who pays for it?",
    choices = {
      { "the one GPU that waits for it",
        belief = "in a training, a delay stays where it happens",
        reply = "That is the web." },
      { "all, at the barrier",
        reply = "Yes." },
    },
    right = 2,
    because = "Nobody starts a step before all are done.",
  },
  weft.play { time = "20us", gear = "packet" },

  -- 2: the machine
  weft.say [[
    **2012: AlexNet,** on a PC with two game cards, GTX 580. Too big for the three gigabytes of one, it is
    cut in half: *model parallelism* [AlexNet12]. Between them: *PCIe*, the PC's bus. In the rows,
    convolution 3 comes first, then the fully connected layers.
  ]],
  weft.note [[
    The story is often told of Hinton and of animals. The first author is Krizhevsky, and the contest has a
    thousand classes of things, animals among them. Two cards also beat one with half the kernels: 1.7 points
    less of top-1 error, in slightly less time [AlexNet12]. The paper names no bus: PCIe 2 is our assumption,
    and that the last layer is cut, too.
  ]],
  weft.play { time = "60us", gear = "packet" },

  -- 3: who talks
  weft.say [[
    **Which layers talk?** Only convolution 3 and the three fully connected ones read from both cards
    [AlexNet12].
  ]],
  weft.predict {
    ask = "Who sends most over PCIe?",
    choices = {
      { "those with most weights",
        belief = "traffic follows the weights",
        reply = "Weights stay at home." },
      { "convolution 3",
        reply = "Yes." },
      { "all four alike",
        belief = "a cut costs the same wherever it is made",
        reply = "It depends on what is read." },
    },
    because = [[
      What travels are *activations*, what neurons say: {flow("g1>g2").bytes} for convolution 3,
      {string.format("%.1f MB",
      inside.pcie.mb / 4 - flow("g1>g2").bytes.mb)} for the others.
    ]],
    truth = function(r)
      local third, all = r.flow("g1>g2").bytes, r.inside.pcie / 4
      if third > 0.6 * all then return 2 end
      return third > 0.4 * all and 3 or 1
    end,
  },
  weft.play { to = "end", gear = "step" },
  -- V89: the bytes of the exchange, here forward only. They cross two PCIe cables, both ways.
  weft.claim("forward, each card sends 15,532,032 bytes", function(r)
    return (r.inside.pcie / 4).bytes == 15532032 and r.packets.dropped == 0, (r.inside.pcie / 4).bytes
  end),
  weft.claim("convolution 3 alone is 71 % of that", function(r)
    local share = r.flow("g1>g2").bytes / (r.inside.pcie / 4)
    return share > 0.705 and share < 0.72, share
  end),

  -- 4: what it costs
  weft.scene "step",
  weft.say [[
    **A whole step:** as much comes back, as gradients. In between, both cards compute.
  ]],
  weft.predict {
    ask = "How much of a step is talk?",
    choices = {
      { "about half",
        belief = "two cards spend their time on each other",
        reply = "Then one card would be nearly as fast." },
      { "about a tenth",
        belief = "PCIe is slow",
        reply = "They talk less than you fear." },
      { "about a hundredth",
        reply = "Yes." },
    },
    because = [[
      {steps[1].exposed_comm} of {steps[1].duration}. Not by luck: the authors chose which layers talk.
    ]],
    truth = function(r)
      local share = talk(r, 1)
      return share > 0.25 and 1 or share > 0.03 and 2 or 3
    end,
  },
  weft.play { time = "561ms", gear = "step", rate = "3ms" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },
  -- V93: the exchange takes 4.2 ms on PCIe 2 x16.
  weft.claim("crossing the bus takes between 0.5 and 1.5 % of a step", function(r)
    return talk(r, 1) > 0.005 and talk(r, 1) < 0.015 and r.steps[1].exposed_comm > "4.1ms"
      and r.steps[1].exposed_comm < "4.4ms", talk(r, 1), r.steps[1].exposed_comm
  end),

  -- 5: had all layers talked
  weft.scene "asked",
  weft.say [[
    **What if every layer read both halves?** Press switch 1 to see. Now a step talks for
    {steps[1].exposed_comm}, each card sending {work.bytes / 2}. A $ on a cable is a credit: room for more.
  ]],
  weft.note [[
    Let them press 1 and count the seconds: the same network, the same answer, another bill. Cards 4 to 7 play
    at one speed, so a longer wait is more talk.
  ]],
  weft.switch { knob = "bytes", values = { as_built, everywhere }, label = "both cards send" },
  weft.play { time = "561ms", gear = "step", rate = "3ms" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },

  -- 6: copies
  weft.scene "copies",
  weft.say [[
    **Or two whole copies,** half of the images each: *data parallelism*. Then they add up their
    gradients.
  ]],
  weft.predict {
    ask = "How much talk is that?",
    choices = {
      { "less: only results travel",
        belief = "copies hardly need each other",
        reply = "The result is a gradient for every weight." },
      { "much the same",
        belief = "the same work needs the same talk",
        reply = "Halves send what is read; copies send all they learned." },
      { "some eight times as much",
        reply = "Yes." },
    },
    because = [[
      Each sends {inside.pcie / 4}: {steps[1].exposed_comm}, not {scenes.step.steps[1].exposed_comm}.
    ]],
    truth = function(r)
      local times = r.steps[1].exposed_comm / r.scenes.step.steps[1].exposed_comm
      return times < 0.8 and 1 or times < 2 and 2 or 3
    end,
  },
  weft.play { time = "562ms", gear = "step", rate = "3ms" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },
  -- model.md 6: 60,965,224 weights of 4 bytes; a ring of two sends all of them once (model.md 5).
  weft.claim("copies send 243,860,896 bytes each", function(r)
    return (r.inside.pcie / 4).bytes == 243860896, (r.inside.pcie / 4).bytes
  end),
  weft.claim("that takes about eight times as long", function(r)
    local times = r.steps[1].exposed_comm / r.scenes.step.steps[1].exposed_comm
    return times > 7.5 and times < 8.2, times
  end),

  -- 7: what grows with what
  weft.scene "double",
  weft.say "**Twice the images in a step,** and twice the computing.",
  weft.predict {
    ask = "Whose talk doubles?",
    choices = {
      { "both",
        belief = "more images, more of everything",
        reply = "A weight has one gradient, however many images." },
      { "that of the two halves",
        reply = "Yes." },
      { "that of the two copies",
        belief = "who has half of the images feels it when there are more",
        reply = "Copies exchange gradients, not images." },
    },
    because = [[
      Halves: {steps[1].exposed_comm}, not {scenes.step.steps[1].exposed_comm}. Copies stay at
      {scenes.copies.steps[1].exposed_comm}: as many weights as before.
    ]],
    truth = function(r)
      if r.steps[1].exposed_comm / r.scenes.step.steps[1].exposed_comm > 1.9 then return 2 end
    end,
  },
  weft.play { time = "1121ms", gear = "step", rate = "3ms" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },
  weft.claim("twice the images, twice the talk between halves", function(r)
    local times = r.steps[1].exposed_comm / r.scenes.step.steps[1].exposed_comm
    return times > 1.98 and times < 2.02, times
  end),

  -- 8: some copied, some cut
  weft.scene "mixed",
  weft.say [[
    **Convolutions** have few weights, many activations; fully connected layers, the reverse. Copy one,
    cut the other.
  ]],
  weft.switch { knob = "bytes", values = { convolutions_copied, full_layers_copied }, label = "both cards send" },
  weft.predict {
    ask = "Which would you copy?",
    choices = {
      { "the convolutions",
        reply = "Yes, and so did the sequel [Weird14]." },
      { "the fully connected ones",
        belief = "copy what is largest, then nobody has to send it",
        reply = "Their gradients would all travel: switch 1." },
      { "it does not matter",
        belief = "what one saves the other costs",
        reply = "Try both: switch 1." },
    },
    because = [[
      {steps[1].exposed_comm} a step, where all in halves took {scenes.step.steps[1].exposed_comm}.
    ]],
    truth = function(r)
      local time = r.steps[1].exposed_comm
      local other = time > "10ms" -- the fully connected ones are copied: no better, seen from there
      return (other or time < r.scenes.step.steps[1].exposed_comm) and 1 or 3
    end,
  },
  weft.play { time = "561ms", gear = "step", rate = "3ms" },
  weft.play { to = "barrier", gear = "step", rate = "3ms" },

  -- 9: transfer
  weft.scene "lan",
  weft.say [[
    **Other cables:** the same halves, one card in each of two PCs, and gigabit Ethernet between them.
  ]],
  weft.predict {
    ask = "How much of a step is talk?",
    choices = {
      { "a hundredth, as before",
        belief = "a little talk stays a little talk",
        reply = "The same bytes, but a far slower cable." },
      { "about a third",
        reply = "Yes." },
      { "nearly all of it",
        belief = "Ethernet is orders of magnitude too slow",
        reply = "Slower, but count the bytes." },
    },
    because = [[
      {steps[1].exposed_comm} of {steps[1].duration}. And that is two cards. What did people with sixteen
      servers do?
    ]],
    truth = function(r)
      local share = talk(r, 1)
      return share < 0.1 and 1 or share < 0.6 and 2 or 3
    end,
  },
  weft.play { time = "561ms", gear = "step", rate = "80ms" },
  weft.play { to = "barrier", gear = "step", rate = "80ms" },
  weft.claim("over gigabit Ethernet the same halves talk for a third of a step", function(r)
    return talk(r, 1) > 0.28 and talk(r, 1) < 0.36, talk(r, 1)
  end),

  -- 10: in two sentences
  weft.say [[
    **Aloud, in two sentences:** why did two cards in one PC work so well?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "PCIe is fast enough for anything",
        belief = "a fast bus makes the design irrelevant",
        reply = ("Had all layers talked: %.0f times as much."):format(all_read / sum(talks)) },
      { "They chose where to talk",
        reply = "So would we." },
      { "Two cards are twice as fast",
        belief = "one splits for speed",
        reply = "They split for memory." },
    },
    because = [[
      The cut decides the bytes, the cable their price. It is the famous split, not the first
      [AlexNet12].
    ]],
    truth = function() return 2 end,
  },
  weft.play { to = "barrier", gear = "step", rate = "80ms" },
}
