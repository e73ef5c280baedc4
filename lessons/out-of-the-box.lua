-- Out of the box.
--
-- What it shows: when a network outgrows a PC, the cable between servers decides. The same bytes over
-- gigabit Ethernet, ten gigabit Ethernet and FDR InfiniBand; copied through host memory, and not; and
-- what a modern cable gains in an old box. The numbers are of the cables: what sockets cost in software
-- is not in the model.
--
-- FDR is sold as 56 Gb/s and carries 54.545 (history.md 3.2 and 3.5). GTX 680 cards sit on PCIe 3; that
-- the NIC does, too, and 25 GB/s of host memory are choices.

local weft = require "weft"

local gradients = 60965224 * 4 -- AlexNet's, bytes (model.md 6)

local function transfer(rate, set)
  return (weft.scenario {
    fabric = weft.pair {
      rate = rate, delay = "25ns", box = weft.box { gpus = 1, nics = 1, pcie = 3, memory = "25GB/s" },
    },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = gradients .. "B" } },
    set = set,
    true_size = "links, PCIe, bytes",
    shrunk = "servers: one GPU each",
  })
end

local function infiniband(rate, staging)
  return transfer(rate, { link = "infiniband", flow_control = "credits", staging = staging })
end

return weft.lesson {
  api = 1,
  id = "out-of-the-box",
  title = "Out of the box",
  year = 2013,
  minutes = 6,
  level = 1,
  builds_on = { "two-cards" },
  sources = { "Coates13", "GDR", "Le12", "NVNDR", "PCWorld13", "rdma-core", "SlashGear13", "WWT" },
  terms = { "InfiniBand", "GPUDirect", "staging", "NIC" },

  scenes = {
    cluster = weft.scenario {
      fabric = weft.star {
        hosts = 16, rate = "54.545Gbps", delay = "25ns",
        box = weft.box { gpus = 4, nics = 1, pcie = 3, memory = "25GB/s" },
      },
      workload = weft.permutation { shift = 4, bytes = "4MiB" },
      set = { link = "infiniband", flow_control = "credits" },
      true_size = "servers, links, PCIe", shrunk = "messages",
    },
    fdr = infiniband("54.545Gbps", "direct"),
    gigabit = transfer("1Gbps", { transport = "tcp" }),
    ten = transfer("10Gbps", { transport = "tcp" }),
    staged = infiniband("54.545Gbps", "host"),
    ndr = infiniband("400Gbps", "direct"),
  },

  -- 1: recall
  weft.scene "cluster",
  weft.say "**Two questions from before.** {key:skip} skips them.",
  weft.note [[
    Ask aloud: how much slower than InfiniBand was Ethernet in 2013? Likely wrong: a thousand times. Stop
    before the answers of cards 4 and 6. Short of time: cards 3, 4, 6 and 8.
  ]],
  weft.recall {
    from = "two-cards",
    ask = "What do two halves of a network exchange?",
    choices = {
      { "weights",
        belief = "traffic follows the weights",
        reply = "Those stay at home." },
      { "activations",
        reply = "Yes." },
    },
    right = 2,
    because = "What one layer says, the next one reads.",
  },
  weft.recall {
    from = "two-cards",
    ask = "And two copies?",
    choices = {
      { "gradients of all weights",
        reply = "Yes." },
      { "only their results",
        belief = "copies hardly need each other",
        reply = "The result is a gradient for every weight." },
    },
    right = 1,
    because = "As many bytes as the network has weights.",
  },
  weft.play { time = "10us", gear = "packet" },

  -- 2: the machine
  weft.say [[
    **2013: sixteen servers,** four GTX 680 each, joined by *InfiniBand* [Coates13] [SlashGear13]. The
    year before, a smaller network kept a thousand machines busy, and no graphics card [Le12] [PCWorld13].
  ]],
  weft.note [[
    The press wrote of a network 6.5 times as large as that of the thousand machines [PCWorld13]. What
    travelled was presumably activations: layers cut over GPUs. We send gradients here, as much as AlexNet
    has, to compare with the lesson before. PCIe 3 and the speed of the memory are our choices.
  ]],
  weft.play { time = "60us", gear = "round" },

  -- 3: two of them
  weft.scene "fdr",
  weft.say [[
    **Two of the servers,** one GPU each. Through PCIe and *NICs*, the network cards, g1 sends g2 as much as
    AlexNet has gradients. Over FDR, the InfiniBand of the day, it takes {outcome == "done" and finish or "..."}.
  ]],
  weft.play { to = "end", gear = "step" },
  -- History 4: 35 ms at 54.5 Gb/s; headers and PCIe add the rest.
  weft.claim("FDR: between 35.7 and 36.5 ms", function(r)
    return r.finish > "35.7ms" and r.finish < "36.5ms" and r.packets.dropped == 0, r.finish
  end),

  -- 4: gigabit
  weft.scene "gigabit",
  weft.say [[
    **What every office had:** gigabit Ethernet, and TCP.
  ]],
  weft.predict {
    ask = "How many times longer?",
    choices = {
      { "about 5",
        belief = "a cable is a cable",
        reply = "Compare the rates." },
      { "about 60",
        reply = "Yes." },
      { "thousands",
        belief = "Ethernet was several orders of magnitude slower",
        reply = "So the story goes." },
    },
    because = [[
      {string.format("%.0f", finish / scenes.fdr.finish)} times: {finish}. The rates differ by a
      factor of 55 [rdma-core].
    ]],
    truth = function(r)
      local times = r.finish / r.scenes.fdr.finish
      return times < 20 and 1 or times < 200 and 2 or 3
    end,
  },
  weft.note [[
    The common story quotes Coates et al. with "several orders of magnitude". Which speeds that compares we could
    not check; between these cables it is 55. Software is not in the model: kernel sockets cost some fifty
    microseconds a message [WWT], which matters to small messages only.
  ]],
  weft.play { to = "end", gear = "step" },
  weft.claim("gigabit Ethernet takes 55 to 65 times as long as FDR", function(r)
    local times = r.finish / r.scenes.fdr.finish
    return times > 55 and times < 65 and r.packets.dropped == 0, times
  end),

  -- 5: ten gigabit
  weft.scene "ten",
  weft.say [[
    **Ten gigabit Ethernet** could be bought, too.
  ]],
  weft.predict {
    ask = "How many times as long as FDR?",
    answer = "number", unit = "count", tolerance = "20%",
    low = "Not that near: count the bits.",
    high = "Count the bits.",
    because = [[
      {string.format("%.1f", finish / scenes.fdr.finish)}: {finish}. Neither was slow by magic, nor FDR fast
      by it.
    ]],
    truth = function(r) return r.finish / r.scenes.fdr.finish end,
  },
  weft.play { to = "end", gear = "step" },
  weft.claim("ten gigabit Ethernet takes 5.5 to 6.5 times as long as FDR", function(r)
    local times = r.finish / r.scenes.fdr.finish
    return times > 5.5 and times < 6.5, times
  end),

  -- 6: staging
  weft.scene "staged",
  weft.say [[
    **GPUDirect,** NIC to GPU memory, was for dearer cards [GDR]. These, it seems, went by host memory (h1,
    h2): *staging*.
  ]],
  weft.predict {
    ask = "How long now?",
    choices = {
      { "as long: memory is fast",
        belief = "only the slowest cable counts",
        reply = "If all were busy at once. They take turns." },
      { "about twice as long",
        reply = "Yes." },
      { "five times as long",
        belief = "every copy costs as much as the network",
        reply = "PCIe is faster than FDR." },
    },
    because = [[
      {finish}, not {scenes.fdr.finish}: copy, send, copy, one after the other.
    ]],
    truth = function(r)
      local times = r.finish / r.scenes.fdr.finish
      return times < 1.3 and 1 or times < 3 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "step", rate = "12ms" },
  -- V95: the legs one after the other.
  weft.claim("staged whole, it takes 1.8 to 2.1 times as long", function(r)
    local times = r.finish / r.scenes.fdr.finish
    return times > 1.8 and times < 2.1, times
  end),

  -- 7: in chunks
  weft.say [[
    **Repair it.** Switch 1: so much is copied at once.
  ]],
  weft.switch { knob = "stage_chunk", values = { "auto", "64MiB", "1MiB" }, label = "chunk" },
  weft.fix {
    goal = "It takes less than 40 ms.",
    check = function(r) return r.finish < "40ms" and r.outcome == "done", r.finish end,
    solution = { stage_chunk = "1MiB" },
    hints = { "Send one piece, copy the next." },
    because = "{finish}: all three legs work at once, each on another piece.",
    reply = "{finish}. Who is idle?",
  },
  weft.play { to = "end", gear = "step" },

  -- 8: transfer
  weft.scene "ndr",
  weft.say [[
    **A newer cable, an old server:** NDR has seven times the rate of FDR [NVNDR]. No staging.
  ]],
  weft.note [[
    A table that goes round gives HDR 400 gigabits and NDR 800. Kindly: on four lanes it is HDR 200, NDR 400,
    XDR 800 [NVNDR] [rdma-core]. A likely origin of the slip: one cage of an NDR switch holds two ports. And
    FDR's 56 counts the coding, its 54.5 the data.
  ]],
  weft.predict {
    ask = "The transfer gets faster...",
    choices = {
      { "seven times",
        belief = "a faster cable makes everything faster",
        reply = "PCIe 3 cannot feed it." },
      { "about twice",
        reply = "Yes." },
      { "not at all",
        belief = "the old box was the limit all along",
        reply = "With FDR the cable was." },
    },
    because = [[
      {finish} instead of {scenes.fdr.finish}. Now PCIe is the narrowest part. The limit moves; it never leaves.
    ]],
    truth = function(r)
      local times = r.scenes.fdr.finish / r.finish
      return times > 4 and 1 or times > 1.3 and 2 or 3
    end,
  },
  weft.play { to = "end", gear = "step" },
  weft.claim("NDR in that server is 2 to 2.3 times as fast as FDR", function(r)
    local times = r.scenes.fdr.finish / r.finish
    return times > 2 and times < 2.3, times
  end),

  -- 9: in two sentences
  weft.scene "cluster",
  weft.say [[
    **Aloud, in two sentences:** why did sixteen servers want InfiniBand?
  ]],
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "Ethernet was a thousand times slower",
        belief = "several orders of magnitude",
        reply = [[{string.format("You saw %.0f, and %.0f.", scenes.gigabit.finish / scenes.fdr.finish,
          scenes.ten.finish / scenes.fdr.finish)}]] },
      { "Its NICs wrote into the GPUs",
        belief = "RDMA to GPU memory came with it",
        reply = "Not into game cards [GDR]." },
      { "They had much to say, every step",
        reply = "So would we." },
    },
    because = [[
      What FDR moves in a blink takes gigabit seconds, each step.
    ]],
    truth = function() return 3 end,
  },
  weft.play { time = "30us", gear = "round" },
}
