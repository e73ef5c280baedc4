-- RDMA moves in: iWARP, RoCE, RoCEv2.
--
-- What it shows: RoCE is InfiniBand's transport in an Ethernet frame, not TCP. Each header is covered by a
-- check of its own, so who refuses a broken packet depends on the field. And what that transport does
-- about a loss (go-back-N) is cheap on a short cable, ruinous on a long and fast one.

local weft = require "weft"

-- g1 under leaf1, g2 under leaf2, a spine between them.
local function path(changes)
  local set = { timeout_exponent = 12 }
  for knob, value in pairs(changes or {}) do set[knob] = value end
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 1, hosts = 1, rate = "100Gbps", delay = "100ns" },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = "128KiB" } },
    set = set,
    true_size = "link, cable, packet, switch latency", shrunk = "message",
  })
end

-- As in rows V50, V51 and V56 of the validation table: every 256th packet is lost.
local function lossy(rate, delay, changes)
  local set = {
    mtu = "1024B", switch_latency = "0ns", ack_every = 1, timeout_exponent = 12, retry_limit = 1000,
    rto_low = "320us",
  }
  for knob, value in pairs(changes or {}) do set[knob] = value end
  return (weft.scenario {
    fabric = weft.star { hosts = 2, rate = rate, delay = delay },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = "8MiB" } },
    set = set, faults = { { "drop_nth 256" } },
    true_size = "link, cable, packet, timers", shrunk = "message, switch latency",
  })
end

-- Payload as a share of what the line could carry.
local function share(r, gbps) return r.flow("g1>g2").mean_rate.gbps / (gbps * 1024 / 1106) end

return weft.lesson {
  api = 1,
  id = "rdma-moves-in",
  title = "RDMA moves in",
  year = 2014,
  minutes = 8,
  level = 2,
  sources = { "RFC5040", "IRN18", "RoCE10", "A17", "IBTA14", "Cohen09", "InfoWorld03" },
  terms = { "iWARP", "RoCE", "ICRC", "go-back-N" },
  builds_on = { "one-lost-packet", "infinibands-promise", "teaching-ethernet-to-wait" },

  scenes = {
    open = path(),
    cable = path(),
    data = path(),
    address = path(),
    mac = path(),
    yours = path(),
    routed = path(),
    near = lossy("40Gbps", "100ns", { delay = "100ns" }),
    far = lossy("100Gbps", "5us"),
    selective = lossy("100Gbps", "5us", { transport = "selective" }),
  },

  -- before
  weft.scene "open",
  weft.say "**2007 to 2014. From before,** the first question:",
  weft.recall {
    from = "infinibands-promise",
    ask = "RDMA: who asks the other processor?",
    choices = {
      { "the NIC, each time",
        belief = "permission takes a round trip",
        reply = "The key was exchanged before." },
      { "nobody",
        reply = "Yes." },
    },
    right = 2,
    because = "The NIC writes where it may.",
  },

  weft.say "**The second:** P leaves, and packets still arrive.",
  weft.recall {
    from = "teaching-ethernet-to-wait",
    ask = "What holds them?",
    choices = {
      { "headroom",
        reply = "Yes." },
      { "the queue",
        belief = "PAUSE stops at once",
        reply = "It is full up to XOFF by then." },
    },
    right = 1,
    because = "With it Ethernet was ready for a guest.",
  },

  -- three ways
  weft.say [[
    **How to get in?** *iWARP* put RDMA on TCP, all of it in the NIC [RFC5040]. It works, and lost the market
    [IRN18]. In 2009 authors from both camps weighed another way [Cohen09]: keep InfiniBand's transport,
    change what is below it.
  ]],
  weft.play { time = "2us", gear = "packet" },
  weft.note [[
    The common story: iWARP failed for its TCP software. It was TCP in hardware, and three layers on top
    [IRN18]. And Ethernet did not fight back because of AI: RoCE is of 2010 [RoCE10], the transformer came
    later. Of Ethernet as a business model Metcalfe spoke in 2003 [InfoWorld03]; the sentence that goes round
    was not found.
  ]],

  weft.say [[
    **Layer by layer:** *RoCE*, second version. Ethernet 14 bytes, IP 20, UDP 8: new. BTH 12, *ICRC* 4:
    InfiniBand's own [A17]. FCS 4.
    Look inside: {key:cursor}, then {key:cursor-inspect} on a packet; {key:field-down} and {key:field-up} walk.
  ]],
  weft.play { time = "1us", gear = "packet" },

  -- on the cable
  weft.scene "cable",
  weft.say [[
    **A bit turns over on the cable.** The frame's check sum (FCS) is wrong, and leaf1 throws it away. Nobody
    tells g1; the next packet shows g2 the gap. Lost for a wrong FCS: {packets.by("fcs")}.
  ]],
  weft.play { time = "200ns", gear = "packet" },
  weft.fault "corrupt g1>g2 frame",
  weft.play { to = "drop", gear = "packet" },
  weft.play { to = "end", gear = "step" },
  weft.claim("a bit error on a cable is found at its end", function(r)
    return r.packets.by("fcs") == 1 and r.packets.dropped == 1 and r.naks == 1 and r.outcome == "done"
  end),

  -- in a switch
  weft.scene "data",
  weft.say "**A bit of the data, inside leaf1.** leaf1 sends it on with a new, correct FCS.",
  weft.predict {
    ask = "Who notices?",
    choices = {
      { "the next switch",
        belief = "each hop checks the whole packet",
        reply = "Its FCS is right." },
      { "g2's NIC",
        reply = "Yes." },
      { "nobody: g2 gets it",
        belief = "a frame that arrives is whole",
        reply = "Without the ICRC, yes." },
    },
    because = "The ICRC covers what no switch may change. Wrong ICRC: {packets.by(\"icrc\")}.",
    truth = function(r)
      return r.packets.by("fcs") + r.packets.by("ip-checksum") > 0 and 1
        or r.packets.by("icrc") > 0 and 2 or 3
    end,
  },
  weft.note [[
    Ask: how often does memory in a switch fail? Rarely, and there are many. Likely answer: TCP would have
    noticed. Yes, mostly, with sixteen bits. Fallback: draw what covers what.
  ]],
  weft.play { time = "200ns", gear = "packet" },
  weft.fault "corrupt g1>g2 payload",
  weft.play { to = "drop", gear = "packet" },
  weft.play { to = "end", gear = "step" },
  weft.claim("a bit error inside a switch is found by the ICRC at the receiver", function(r)
    return r.packets.by("icrc") == 1 and r.packets.dropped == 1 and r.outcome == "done"
  end),

  weft.scene "address",
  weft.say "**Now the IP address,** inside leaf1. The ICRC covers it.",
  weft.predict {
    ask = "Who notices first?",
    choices = {
      { "spine1",
        reply = "Yes." },
      { "g2's NIC, by the ICRC",
        belief = "only the end checks headers",
        reply = "It never gets there." },
      { "another host gets it",
        belief = "an address is taken as it is",
        reply = "Its header has a sum of its own." },
    },
    because = "Every router checks the IP header's sum. Refused: {packets.by(\"ip-checksum\")}.",
    truth = function(r)
      return r.packets.by("ip-checksum") > 0 and 1 or r.packets.by("icrc") > 0 and 2 or 3
    end,
  },
  weft.play { time = "200ns", gear = "packet" },
  weft.fault "corrupt g1>g2 address",
  weft.play { to = "drop", gear = "packet" },
  weft.play { to = "end", gear = "step" },
  weft.claim("a wrong IP header is refused by the next router", function(r)
    return r.packets.by("ip-checksum") == 1 and r.packets.dropped == 1 and r.outcome == "done"
  end),

  weft.scene "mac",
  weft.say "**And the MAC address,** inside leaf1.",
  weft.predict {
    ask = "Who notices?",
    choices = {
      { "spine1: not for it",
        belief = "a MAC address travels with the packet",
        reply = "leaf1 writes a new one anyway." },
      { "g2's NIC",
        belief = "the ICRC covers everything",
        reply = "Not what routers change." },
      { "nobody",
        reply = "Yes." },
    },
    because = [[
      {packets.dropped} lost: nothing was wrong any more.
    ]],
    truth = function(r) return r.packets.dropped == 0 and 3 or r.packets.by("icrc") > 0 and 2 or 1 end,
  },
  weft.play { time = "200ns", gear = "packet" },
  weft.fault "corrupt g1>g2 mac",
  weft.play { to = "end", gear = "step" },
  weft.claim("what each router writes anew cannot be wrong for long", function(r)
    return r.packets.dropped == 0 and r.outcome == "done"
  end),

  -- one's own
  weft.scene "yours",
  weft.say [[
    **Break one yourself.** Type :corrupt g1>g2 port (or frame, ttl, address, reserved, psn, payload), then
    space. Refused so far: FCS {packets.by("fcs")}, IP sum {packets.by("ip-checksum")}, UDP port
    {packets.by("udp-port")}, ICRC {packets.by("icrc")}.
  ]],
  weft.note [[
    Let the class bet before each Enter. Likely answer for the UDP port: the switch. It does not look; g2's
    NIC does not see RoCE, and nobody else listens there.
  ]],
  weft.play { time = "20us", gear = "packet" },

  -- routable
  weft.scene "routed",
  weft.say [[
    **Why IP and UDP?** The first RoCE (2010) lay in a bare Ethernet frame: one layer-2 network and no
    further [RoCE10]. With IP, routers carry it [IBTA14]. UDP's port 4791 says RoCE; its source port, one per
    queue pair, spreads flows over paths.
  ]],
  weft.play { to = "end", gear = "step" },

  -- go-back-N
  weft.scene "near",
  weft.say [[
    **A guest with old habits.** InfiniBand lost little; its transport repairs simply: *go-back-N*, all
    again from the gap on [IRN18]. Every 256th packet dies here, on forty gigabit:
    {outcome == "done" and flow("g1>g2").mean_rate or "..."} of a possible
    {string.format("%.1f", 40 * 1024 / 1106)}. Key 1 makes the cables longer.
  ]],
  weft.switch { knob = "delay", values = { "100ns", "1us", "5us" }, label = "cable" },
  weft.play { to = "drop", gear = "round", rate = "15us" },
  weft.play { to = "nak", gear = "packet" },
  weft.play { to = "end", gear = "step", rate = "400us" },
  weft.claim("on a short cable go-back-N wastes two percent", function(r) -- V50: .9805
    return share(r, 40) > 0.97 and share(r, 40) < 0.985 and r.timeouts == 0, share(r, 40)
  end),

  weft.scene "far",
  weft.say "**A hundred gigabit, one kilometre.** As many die.",
  weft.predict {
    ask = "What share of the line is left?",
    choices = {
      { "about the same",
        belief = "a loss costs what it loses",
        reply = "It costs all that is on its way." },
      { "about half",
        belief = "faster lines lose more",
        reply = "Worse: more is on its way." },
      { "a tenth",
        reply = "Yes." },
    },
    because = [[
      {flow("g1>g2").mean_rate}: before the NAK is back, {math.floor(packets.refused / packets.dropped)}
      packets have been sent in vain.
    ]],
    truth = function(r)
      return share(r, 100) > 0.8 and 1 or share(r, 100) > 0.25 and 2 or 3
    end,
  },
  weft.note [[
    Ask: whose fault is it, the loss or the distance? Likely answer: the loss. Multiply: rate times round
    trip, for each. That is why RoCE was given PFC. Stop at the second NAK.
  ]],
  weft.play { to = "drop", gear = "round", rate = "10us" },
  weft.play { to = "nak", gear = "round", rate = "5us" },
  weft.play { to = "end", gear = "step", rate = "1500us" },
  weft.claim("on a long, fast one a tenth is left", function(r) -- V51: .1016
    return share(r, 100) > 0.09 and share(r, 100) < 0.11 and r.timeouts == 0, share(r, 100)
  end),

  -- transfer
  weft.scene "selective",
  weft.say "**Another transport:** it keeps what comes and asks for what is missing.",
  weft.predict {
    ask = "What share of the line now?",
    choices = {
      { "still a tenth",
        belief = "loss and distance are to blame",
        reply = "Go-back-N was to blame." },
      { "about half",
        belief = "each loss still costs a round trip",
        reply = "Meanwhile it sends on." },
      { "nearly all",
        reply = "Yes." },
    },
    because = "{flow(\"g1>g2\").mean_rate}. RoCE needs few losses for its go-back-N, not for RDMA.",
    truth = function(r)
      return share(r, 100) < 0.25 and 1 or share(r, 100) < 0.8 and 2 or 3
    end,
  },
  weft.play { to = "drop", gear = "round", rate = "10us" },
  weft.play { to = "nak", gear = "round", rate = "5us" },
  weft.play { to = "end", gear = "step", rate = "150us" },
  weft.claim("selective repeat: at least eight times go-back-N", function(r) -- V56
    local times = r.flow("g1>g2").mean_rate / r.scenes.far.flow("g1>g2").mean_rate
    return times > 8 and share(r, 100) > 0.8, times
  end),

  -- in one sentence
  weft.say "**Aloud:** what is RoCE? Say it, then compare.",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "TCP with RDMA",
        belief = "RoCE is TCP with RDMA",
        reply = "That was iWARP." },
      { "InfiniBand's transport, housed by Ethernet",
        reply = "So would we." },
      { "a faster Ethernet",
        belief = "RoCE is a kind of cable",
        reply = "The cables are the same." },
    },
    because = "New below, old above, down to go-back-N. So it asks its host not to lose anything.",
    truth = function() return 2 end,
  },
}
