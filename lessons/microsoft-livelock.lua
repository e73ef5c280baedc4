-- Microsoft at scale, part one: what had to be mended before anything could go into production.
--
-- What it shows: with go-back-0 a loss of one packet in 256 is not 0.4 % less, it is nothing at all. And
-- that a packet's priority must be written where routers leave it alone.

local weft = require "weft"

-- Rows V50 and V52: 40 Gb/s, two cables of 20 m, an ACK for every packet.
local function wire(bytes, transport, at)
  return (weft.scenario {
    fabric = weft.star { hosts = 2, rate = "40Gbps", delay = "100ns" },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = bytes, load = "100%" } },
    set = {
      transport = transport, mtu = "1024B", switch_latency = "0ns", ack_every = 1, retry_limit = 1000,
    },
    faults = { { at = at, "drop_nth 256" } },
    true_size = "link, packet, message, loss",
  })
end

-- Four hosts send to one of another leaf.
local function incast(class)
  local flows = {}
  for i = 1, 4 do flows[i] = { src = "g" .. i, dst = "g5", bytes = "1MiB", prio = class } end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "40Gbps", delay = "500ns" },
    workload = weft.flows(flows),
    true_size = "link, packet, timers", shrunk = "the tag: classes are set by hand",
  })
end

return weft.lesson {
  api = 1,
  id = "microsoft-livelock",
  title = "All busy, nothing done",
  year = 2016,
  minutes = 7,
  level = 2,
  builds_on = { "one-lost-packet", "teaching-ethernet-to-wait" },
  sources = { "Guo16", "NVADP", "NVOOO", "SONiCqos", "SONiCtrim", "RoSR25" },
  terms = { "livelock", "go-back-0", "DSCP" },

  scenes = {
    wire = wire("4MiB", "go_back_0", "2ms"),
    small = wire("128KiB", "go_back_0", "0ms"),
    new = wire("4MiB", "go_back_n", "0ms"),
    dscp = incast(3),
    vlan = incast(0),
    routed = incast(3),
    ring = weft.scenario {
      fabric = weft.star { hosts = 8, rate = "40Gbps", delay = "100ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "16MiB" }, compute = "100us", steps = 3,
      },
      set = { transport = "go_back_0", retry_limit = 1000 },
      faults = { { "drop_nth 256" } },
      true_size = "link, packet, loss", shrunk = "gradient, compute",
    },
  },

  -- 1, 2: from before
  weft.scene "wire",
  weft.say "**From before.**",
  weft.note [[
    Ask aloud: what does a loss of one packet in 256 cost? Likely answer: one part in 256. Write it on the
    board and leave it there. Short of time: cards 3 to 5, 7, 13.
  ]],
  weft.recall {
    from = "one-lost-packet",
    ask = "A packet dies midway. Who says so?",
    choices = {
      { "the switch that lost it",
        belief = "who drops a packet reports it",
        reply = "It only counts." },
      { "the receiver: it sees a gap",
        reply = "Yes, with a NAK." },
      { "the sender's timer",
        belief = "every loss waits for a timer",
        reply = "Only when nothing follows." },
    },
    right = 2,
    because = "What the sender then does is a choice. See what it costs.",
  },

  weft.say "**And from 2011.**",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "PFC pauses one of eight ...",
    choices = {
      { "flows",
        belief = "PFC knows flows",
        reply = "It knows no flows." },
      { "senders",
        belief = "PFC picks the culprit",
        reply = "It knows its neighbour only." },
      { "classes",
        reply = "Yes." },
    },
    right = 3,
    because = "So every packet must carry its class. Where? You will see.",
  },

  -- 3: all is well
  weft.say [[
    **Microsoft wants RDMA over Ethernet** in production, and tests it in the lab first [Guo16]. One sender, one
    receiver, messages of some four thousand packets: {card.goodput} arrive.
  ]],
  weft.play { time = "2ms", gear = "round", rate = "400us" },
  weft.claim("without loss the line is full", function(r)
    return r.card.goodput > "36.9Gbps" and r.packets.dropped == 0
  end),

  -- 4: one in 256
  weft.say "**Now a switch drops one packet in 256,** on purpose.",
  weft.predict {
    ask = "What still arrives?",
    choices = {
      { "all but one in 256",
        belief = "0.4 % loss costs 0.4 %",
        reply = "So everybody thought." },
      { "about half",
        belief = "a loss costs its message once",
        reply = "Once more, and once more ..." },
      { "nothing",
        reply = "Yes." },
    },
    because = "{card.goodput}, and the link is {100 * port(\"g1:1\").load} % busy.",
    truth = function(r)
      local left = r.card.goodput.gbps / 37
      return left < 0.02 and 3 or left < 0.9 and 2 or 1
    end,
  },
  weft.note "Stop here. The link light is on, the counters run, the application waits.",
  weft.play { time = "6ms", gear = "round", rate = "1ms" },
  -- V52: no message completed, link 100 % busy
  weft.claim("one packet in 256 lost: no message more, and a busy link", function(r)
    return r.flow("g1>g2").acked == 2 * 4096 and r.card.goodput < "200Mbps"
      and r.port("g1:1").load > 0.999 and r.card.dropped > 50, r.flow("g1>g2").acked
  end),

  -- 5: why
  weft.say [[
    **Busy by rule:** a *livelock*, *go-back-0*. A NAK sends the whole message again, from packet 0. Four
    thousand must pass in one go, and one in 256 dies. {card.dropped} more losses on this card,
    {packets.refused} packets refused so far, messages done: still {flow("g1>g2").acked // 4096}.
  ]],
  weft.play { time = "3ms", gear = "round", rate = "1ms" },

  -- 6: the lab's blind spot
  weft.scene "small",
  weft.say "**Same rule, same loss.** Only messages are shorter: 128 packets.",
  weft.predict {
    ask = "Do they get through?",
    choices = {
      { "no: same rule, same loss",
        belief = "go-back-0 always fails",
        reply = "128 in a row often pass." },
      { "yes, at full speed",
        belief = "short messages are safe",
        reply = "Every loss still costs a try." },
      { "yes, at about half speed",
        reply = "Yes." },
    },
    because = "{card.goodput}. Test with short messages, and it looks slow, not broken.",
    truth = function(r)
      local left = r.card.goodput.gbps / 37
      return left < 0.1 and 1 or left < 0.9 and 3 or 2
    end,
  },
  weft.play { time = "5ms", gear = "round", rate = "1ms" },
  weft.claim("messages of 128 packets get through, at half speed", function(r)
    return r.card.goodput > "17Gbps" and r.card.goodput < "20Gbps"
  end),

  -- 7: go-back-N
  weft.scene "new",
  weft.say "**New firmware:** back to the lost packet, not to the first one.",
  weft.switch { knob = "transport", values = { "go_back_n", "go_back_0" }, label = "after a NAK" },
  weft.predict {
    ask = "What arrives now?",
    choices = {
      { "nothing: the loss is there",
        belief = "loss itself is the problem",
        reply = "As many are lost here." },
      { "about half",
        belief = "each repair costs half a message",
        reply = "A repair is short now." },
      { "nearly all",
        reply = "Yes." },
    },
    because = [[
      {card.goodput}. A loss costs {card.retransmitted / card.dropped} packets now: what was on its way.
    ]],
    truth = function(r)
      local left = r.card.goodput.gbps / 37
      return left < 0.1 and 1 or left < 0.9 and 2 or 3
    end,
  },
  weft.play { time = "6ms", gear = "round", rate = "1ms" },
  -- V50: 36.31 Gb/s
  weft.claim("go-back-N carries 36.3 Gb/s with the same loss", function(r)
    return r.card.goodput > "36.2Gbps" and r.card.goodput < "36.4Gbps" and r.card.dropped > 50, r.card.goodput
  end),

  -- 8: where the class is written
  weft.scene "dscp",
  weft.say [[
    **Second trouble: where does a packet say that it must not be lost?** In its VLAN tag, said the standard.
    With no router on the way that works: four send to one, {pfc.xoff_frames} PAUSE frames, {packets.dropped}
    lost, {outcome == "done" and finish or "..."}.
  ]],
  weft.play { to = "end", gear = "round", rate = "200us" },
  weft.claim("in a lossless class the incast loses nothing", function(r)
    return r.outcome == "done" and r.packets.dropped == 0 and r.pfc.xoff_frames > 10
  end),

  -- 9: behind a router
  weft.scene "vlan",
  weft.say "**Behind a router** the tag is gone, and the class.",
  weft.predict {
    ask = "What changes?",
    choices = {
      { "nothing: same cables",
        belief = "lossless is a property of the cable",
        reply = "It is a property of a class." },
      { "everybody is paused",
        belief = "without a class PAUSE stops all",
        reply = "Class 0 is never paused." },
      { "packets are lost",
        reply = "Yes." },
    },
    because = "{packets.dropped} lost, {finish} instead of {scenes.dscp.finish}.",
    truth = function(r)
      if r.packets.dropped > 0 then return 3 end
      return r.pfc.xoff_frames > 0 and 2 or 1
    end,
  },
  weft.play { to = "end", gear = "round", rate = "5ms" },
  weft.claim("the same incast in class 0 is dropped, not paused", function(r)
    return r.packets.dropped > 1000 and r.pfc.xoff_frames == 0 and r.timeouts > 0
      and r.finish > 10 * r.scenes.dscp.finish
  end),

  -- 10: the fix, and today
  weft.scene "routed",
  weft.say [[
    **So Microsoft wrote it elsewhere:** into the IP header, as *DSCP* [Guo16]. Routers keep DSCP:
    {packets.dropped} lost. Servers need no VLAN, PAUSE frames never had a tag. Today that is ordinary
    configuration [SONiCqos].
  ]],
  weft.play { to = "end", gear = "round", rate = "200us" },
  weft.note [[
    The tag had a second price: its ports must be trunks, and then servers no longer boot over the network
    [Guo16]. Ask: which of the two would you have noticed first?
  ]],

  -- 11
  weft.say [[
    **And the livelock?** Go-back-0 is gone. Go-back-N is what RoCE is still described with [SONiCtrim] [RoSR25]:
    a loss costs all that is on its way. On a long, fast cable that is a lot. Livelock solved, efficiency only
    partly.
  ]],
  weft.note [[
    What NICs have gained since: timeouts that adapt [NVADP], data placed out of order [NVOOO]. Which of them
    repeat selectively for RoCE we could not find out: do not claim it.
  ]],

  -- 12: transfer
  weft.scene "ring",
  weft.say [[
    **Old firmware,** {work.packets_per_message} packets a message. Choose a bucket.
  ]],
  weft.switch { knob = "bucket", values = { "auto", "8MiB", "1MiB" }, label = "bucket" },
  weft.fix {
    goal = "The training step ends.",
    check = function(r) return #r.steps > 1, r.work.packets_per_message end,
    solution = { bucket = "1MiB" },
    time = "30ms",
    hints = { "What must pass in one go?" },
    because = "{work.packets_per_message} packets a message: done in {steps[1].duration}.",
    reply = "{packets.retransmitted} sent again.",
  },
  weft.play { time = "9ms", gear = "round", rate = "2ms" },

  -- 13: in two sentences
  weft.say "**Aloud, in two sentences:** why did one in 256 cost everything?",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "The link was overloaded",
        belief = "what is busy is overloaded",
        reply = "It was busy with repeats." },
      { "Ethernet loses packets",
        belief = "loss itself is the problem",
        reply = "Go-back-N lost as many." },
      { "Each repair broke again",
        reply = "So would we." },
    },
    because = "A repair must be smaller than what breaks meanwhile. Else: busy for ever.",
    truth = function() return 3 end,
  },
}
