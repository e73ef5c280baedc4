-- Teaching Ethernet to wait: PFC, and the headroom that makes it true.
--
-- What it shows: pausing costs nothing while the cable behind never idles; but a PAUSE arrives late, and
-- what is sent until then needs room. One byte too few, and a lossless class loses.

local weft = require "weft"

local frame = 1086 -- bytes of a data frame: 1024 of payload, 62 of headers
local xoff = 20    -- frames

local function bytes(frames) return frames * frame .. "B" end

-- How long the cable to g5 is busy with four times a megabyte, in microseconds.
local busy = 4 * 1024 * (frame + 20) * 8 / 100e3

-- As in rows V20 to V28 of the validation table: 1 KB packets, a switch without latency, ports that obey
-- at once; unless a scene says otherwise.
local function set(changes)
  local all = {
    mtu = "1024B", switch_latency = "0ns", pfc_response = "0ns", xoff = bytes(xoff), xon = bytes(10),
    headroom = bytes(12), timeout_exponent = 12,
  }
  for knob, value in pairs(changes) do all[knob] = value end
  return all
end

-- n servers send to one more, all at once.
local function incast(n, size, changes)
  return (weft.scenario {
    fabric = weft.star { hosts = n + 1, rate = "100Gbps", delay = "500ns" },
    workload = weft.incast { to = "g" .. n + 1, from = n, bytes = size },
    set = set(changes),
    true_size = "link, cable, packet, timers", shrunk = "message, XOFF, switch latency",
  })
end

-- g1 sends at line rate to g2, whose cable is blocked. `back`: when g3 begins to fill the way back to g1.
local function blocked(delay, changes, back)
  local flows = { { src = "g1", dst = "g2", bytes = "1MiB" } }
  if back then flows[2] = { src = "g3", dst = "g1", bytes = "1MiB", start = back } end
  return (weft.scenario {
    fabric = weft.star { hosts = back and 3 or 2, rate = "100Gbps", delay = delay },
    workload = weft.flows(flows),
    set = set(changes), faults = { { "hold g2 on" } },
    true_size = "link, cable, packet", shrunk = "message, XOFF, switch latency",
  })
end

-- Packets that were sent although sw had asked to stop.
local function landed(r) return r.packets.sent - xoff end

return weft.lesson {
  api = 1,
  id = "teaching-ethernet-to-wait",
  title = "Teaching Ethernet to wait",
  year = 2011,
  minutes = 8,
  level = 2,
  sources = { "DCB", "DCBdates", "NVPFC", "Guo16", "RoCE10" },
  terms = { "PAUSE", "XOFF", "headroom", "XON" },
  builds_on = { "one-lost-packet", "ethernet-drops" },

  scenes = {
    lossy = incast(4, "1MiB", { flow_control = "none" }),
    pfc = incast(4, "1MiB", {}),
    count = blocked("500ns", { headroom = bytes(20) }),
    long = blocked("1500ns", { headroom = bytes(40) }),
    short = blocked("500ns", { headroom = "13031B" }),
    lab = incast(2, "256KiB", { headroom = bytes(7) }),
    live = incast(4, "256KiB", { headroom = bytes(7) }),
    slow = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host", row = 1, column = 1 },
          weft.node { name = "sw", kind = "switch", row = 1, column = 2 },
          weft.node { name = "g2", kind = "host", row = 1, column = 3 },
        },
        links = {
          weft.link { a = "g1", b = "sw", rate = "100Gbps", delay = "1us" },
          weft.link { a = "sw", b = "g2", rate = "50Gbps", delay = "1us" },
        },
      },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "4MiB" } },
      set = set { headroom = "auto", xoff = "100KB", xon = "0B" },
      true_size = "link, cable, packet", shrunk = "message, switch latency",
    },
    bill = weft.scenario {
      fabric = weft.star { hosts = 32, rate = "40Gbps", delay = "1500ns" },
      workload = weft.incast { to = "g32", from = 4, bytes = "64KiB" },
      set = set { headroom = "auto", pfc_response = "auto" },
      true_size = "link, cable, ports", shrunk = "message, XOFF, switch latency",
    },
    classes = weft.scenario {
      fabric = weft.star { hosts = 3, rate = "10Gbps", delay = "50ns" },
      workload = weft.flows {
        { src = "g1", dst = "g2", bytes = "4MiB", prio = 3 },
        { src = "g1", dst = "g3", bytes = "4MiB", prio = 0 },
      },
      classes = { [3] = { weight = 3, lossless = true }, [0] = { weight = 1 } },
      set = set { headroom = "auto" },
      true_size = "link, cable, packet", shrunk = "message, XOFF, switch latency",
    },
    task = blocked("1us", { headroom = bytes(12) }, "0ns"),
    credits = blocked("500ns", {
      flow_control = "credits", link = "infiniband", vl_buffer = "34816B",
    }),
  },

  -- before
  weft.scene "lossy",
  weft.say "**2011. Two questions from before,** the first:",
  weft.recall {
    from = "one-lost-packet",
    ask = "Which loss needs a timer?",
    choices = {
      { "every loss",
        belief = "only a timer notices a loss",
        reply = "A gap is noticed at once." },
      { "one that nothing follows",
        reply = "Yes." },
    },
    right = 2,
    because = "No gap, no NAK: then only time tells.",
  },

  weft.say "**The second:** sixteen servers, and one cable hardly used.",
  weft.recall {
    from = "ethernet-drops",
    ask = "What was on it most of the time?",
    choices = {
      { "packets sent again",
        belief = "a loss costs what it loses",
        reply = "That was a small part." },
      { "silence",
        reply = "Yes." },
    },
    right = 2,
    because = "All waited for a few timers. Now Ethernet learns another way.",
  },

  -- nobody waits
  weft.say [[
    **Four send one megabyte each. Nobody waits.** The queue to g5 takes {set.queue_cap}; what does not fit is
    dropped: {packets.dropped} so far. The cable to g5 has work for
    {string.format("%.0f", 4 * 1024 * 1106 * 8 / 100e3)} microseconds. All is there after
    {outcome == "done" and finish or "..."}.
  ]],
  weft.note [[
    Ask: where does the time go? Likely answer: into sending again. Stop in a silence: no cable is busy.
    Short of time: begin at card 4, the drops are in the lesson before.
  ]],
  weft.plot { "queue sw:5" },
  weft.play { to = "drop", gear = "round", rate = "4us" },
  weft.play { to = "end", gear = "timeout" },
  -- V57: without PFC, go-back-N takes at least ten times the ideal
  weft.claim("without flow control it takes over ten times what the cable needs", function(r)
    return r.packets.dropped > 100 and r.timeouts > 0 and r.finish > "3.65ms", r.finish
  end),

  -- PFC
  weft.scene "pfc",
  weft.say [[
    **The new answer: wait.** A *PAUSE* stops a neighbour [DCBdates].
  ]],
  weft.predict {
    ask = "How long with pauses?",
    choices = {
      { "as long as the cable needs",
        reply = "Yes." },
      { "twice as long",
        belief = "a sender that stands still delays the whole",
        reply = "They stand still, g5's cable never." },
      { "nearly as with drops",
        belief = "waiting costs as much as losing",
        reply = "Waiting wastes nothing." },
    },
    because = [[
      {finish}, {packets.dropped} lost. The cable to g5 was always busy.
    ]],
    truth = function(r)
      local times = r.finish.us / busy
      return times < 1.02 and 1 or times < 4 and 2 or 3
    end,
  },
  weft.note [[
    Ask: whose time does a pause waste? Likely answer: the sender's. Stop at the first P and ask which cable
    matters. Fallback: the plot; the queue never empties.
  ]],
  weft.plot { "queue sw:5", "held sw:1" },
  weft.play { to = "xoff", gear = "packet" },
  weft.play { to = "end", gear = "step" },
  -- V23 with cables of 100 m: the last byte after 363.5 us as with endless buffers, then its ACK
  weft.claim("pausing costs nothing and loses nothing", function(r)
    return r.packets.dropped == 0 and r.finish > "364.5us" and r.finish < "364.9us"
      and r.pfc.xoff_frames > 10, r.finish
  end),

  -- where the mark is
  weft.scene "count",
  weft.say [[
    **When to say stop.** g2 is blocked, g1 sends at line rate. sw counts what it holds *from g1*. At
    {set.xoff}, which is {set.xoff.bytes / 1086} packets, it says stop: that mark is *XOFF*.
  ]],
  weft.plot { "held sw:1" },
  weft.play { to = "xoff", gear = "packet" },
  weft.claim("PAUSE follows what is held from the neighbour", function(r)
    return r.pfc.xoff_frames == 1 and r.port("sw:1").held == r.set.xoff
  end),

  -- how many land
  weft.say "**PAUSE (P) is on its way,** through one hundred metres of cable.",
  weft.predict {
    ask = "How many packets still arrive?",
    answer = "number", unit = "count", tolerance = "1%",
    low = "Count both: those in the cable, and those g1 sends until it hears.",
    high = "Fewer: a packet is about twenty metres long.",
    because = [[
      {packets.sent - 20}: half are in the cable already, half g1 sends before P is there.
    ]],
    truth = function(r) return landed(r) end,
  },
  weft.note [[
    Let them count the marks on the lane, twice: now, and when P has arrived. Likely answer: those on the
    cable, half of it. Fallback: cable there and back, in packets, rounded up.
  ]],
  weft.play { time = "2us", gear = "packet" },
  weft.claim("after XOFF twelve frames land", function(r) -- V20
    return landed(r) == 12 and r.packets.dropped == 0 and r.port("sw:1").held.bytes == 32 * frame
  end),

  -- one byte
  weft.scene "short",
  weft.say [[
    **Room for them:** *headroom*. Twelve packets are {12 * 1086} bytes. Here are {set.headroom.bytes}.
  ]],
  weft.switch { knob = "headroom", values = { bytes(12), "13031B", bytes(11), bytes(6) } },
  weft.predict {
    ask = "One byte less. What is lost?",
    choices = {
      { "nothing",
        belief = "a byte is within the margin",
        reply = "There is no margin." },
      { "that byte",
        belief = "a packet can lose a part of itself",
        reply = "A packet fits, or it does not." },
      { "one packet",
        reply = "Yes." },
      { "all from there on",
        belief = "once over, a class is no longer lossless",
        reply = "Only what does not fit." },
    },
    because = "{packets.dropped} lost, of a class called lossless. It says: headroom.",
    truth = function(r)
      local lost = r.packets.dropped
      return lost == 0 and 1 or lost <= 6 and 3 or 4
    end,
  },
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "2us", gear = "packet" },
  weft.claim("one byte less than twelve frames, and one packet is lost", function(r) -- V20
    return r.packets.dropped == 1
  end),

  -- the cable
  weft.scene "long",
  weft.say "**Three times the cable.** With 100 m it took {scenes.count.packets.sent - 20} packets of room.",
  weft.predict {
    ask = "How many packets of room now?",
    choices = {
      { "as many: XOFF is the same",
        belief = "headroom depends on the buffer",
        reply = "It depends on the way." },
      { "about three times as many",
        reply = "Yes." },
      { "nine times as many",
        belief = "there and back multiply",
        reply = "There and back add." },
    },
    because = "{packets.sent - 20}: cable there and back, plus a little for P and a packet.",
    truth = function(r)
      local times = landed(r) / landed(r.scenes.count)
      return times < 1.5 and 1 or times < 5 and 2 or 3
    end,
  },
  weft.play { time = "8us", gear = "round" },
  -- section 2.5 of the model, 100 Gb/s, MTU 1024, 300 m, column A: 36,924 bytes
  weft.claim("with 300 m thirty-four frames land", function(r)
    return landed(r) == 34 and r.packets.dropped == 0
  end),

  -- the trap
  weft.scene "lab",
  weft.say [[
    **Tuned in the lab.** Two senders, headroom for {set.headroom.bytes / 1086} packets: less than we counted.
    {packets.dropped} lost, all there after {outcome == "done" and finish or "..."}: it works. Memory saved,
    everybody pleased.
  ]],
  weft.play { to = "end", gear = "step" },
  weft.claim("with two senders seven frames are enough", function(r)
    return r.packets.dropped == 0 and r.pfc.xoff_frames > 0 and r.finish < "50us", r.finish
  end),

  weft.scene "live",
  weft.say "**Then it goes live.** Two more senders, nothing else.",
  weft.predict {
    ask = "What happens?",
    choices = {
      { "twice the time, none lost",
        belief = "headroom that was enough stays enough",
        reply = "The lab had two, and sw let half of it out." },
      { "a few lost, hardly slower",
        belief = "a loss costs what it loses",
        reply = "It was not a few." },
      { "many lost, far slower",
        reply = "Yes." },
    },
    because = "{packets.dropped} lost, {finish}. It worked in the lab.",
    truth = function(r)
      local times = r.finish / r.scenes.lab.finish
      return r.packets.dropped == 0 and 1 or times < 3 and 2 or 3
    end,
  },
  weft.note [[
    Ask: who has tuned a buffer by trying? Likely answer: silence, then a story. Stop at the first headroom
    drop. The formula knows no number of senders: it takes the worst case.
  ]],
  weft.play { to = "drop", gear = "round" },
  weft.play { to = "end", gear = "timeout" },
  weft.claim("with four senders the same headroom loses packets, and time", function(r)
    return r.packets.dropped > 100 and r.finish / r.scenes.lab.finish > 10, r.packets.dropped, r.finish
  end),

  -- XON
  weft.scene "slow",
  weft.say [[
    **And when to go on?** At *XON*, now {set.xon}. g2 could get {50 * 1024 / 1106} Gb/s. It got
    {outcome == "done" and flow("g1>g2").mean_rate or "..."}.
  ]],
  weft.switch { knob = "xon", values = { "0B", bytes(6), bytes(12), bytes(24) }, label = "XON" },
  weft.plot { "queue sw:2" },
  weft.play { to = "xoff", gear = "round", rate = "8us" },
  weft.play { to = "end", gear = "step" },
  weft.claim("XON 0 wastes one slot in twenty", function(r) -- V28: 94.6 %
    local share = r.flow("g1>g2").mean_rate / "50Gbps" / (1024 / 1106)
    return r.packets.dropped == 0 and share > 0.94 and share < 0.952, share
  end),
  weft.fix {
    goal = "g2 gets all, at the least XON.",
    check = function(r) -- V28: twelve frames give all
      local share = r.flow("g1>g2").mean_rate / "50Gbps" / (1024 / 1106)
      return share > 0.995 and r.set.xon < bytes(13), share
    end,
    solution = { xon = bytes(12) },
    hints = { "G takes its time." },
    because = "{flow(\"g1>g2\").mean_rate}: what is held lasts until more comes.",
    reply = "{flow(\"g1>g2\").mean_rate} with {set.xon}.",
  },

  -- what it takes
  weft.scene "bill",
  weft.say [[
    **The bill.** Real NICs react late too. Forty gigabit, three hundred metres, as in 2016:
    {port("sw:1").headroom_limit} a port and priority; 32 ports, eight priorities:
    {32 * 8 * port("sw:1").headroom_limit}, and Microsoft's switches had nine or twelve MB in all: two lossless
    classes fitted [Guo16].
  ]],
  weft.plot { "held sw:1", "queue sw:32" },
  weft.play { to = "end", gear = "step" },
  weft.claim("eight lossless priorities take more than half of twelve megabytes", function(r)
    local all = 32 * 8 * r.port("sw:1").headroom_limit
    return all > "6MB" and all < "7MB" and r.packets.dropped == 0, all
  end),

  -- one of eight
  weft.scene "classes",
  weft.say [[
    **Whom was it for?** Not AI. The charter names storage, supercomputers and LAN on one wire [DCB]. ETS
    shares the wire, three to one: disk traffic {flow("g1>g2").mean_rate}, LAN {flow("g1>g3").mean_rate}.
  ]],
  weft.note [[
    The common story says that AI made Ethernet lossless. Date it: PFC 2011 [DCBdates], RoCE 2010 [RoCE10].
    QCN, of about 2010, warns senders inside one layer-2 network, for protocols that have no control of their
    own, such as FCoE [DCB]. That trading floors asked for it too is often told; the slides said to show it
    could not be opened.
  ]],
  weft.plot { "goodput g2", "goodput g3" },
  weft.play { time = "500us", gear = "step" },
  weft.claim("ETS shares three to one", function(r) -- V14
    local share = r.flow("g1>g2").mean_rate / r.flow("g1>g3").mean_rate
    return share > 2.9 and share < 3.1, share
  end),

  -- the other seven
  weft.say "**Now g2, the disk, is stuck,** and sw pauses the storage priority.",
  weft.predict {
    ask = "What becomes of the LAN traffic?",
    choices = {
      { "it stops: same cable",
        belief = "a PAUSE stops a cable",
        reply = "The old PAUSE of 802.3x did." },
      { "it goes on as before",
        belief = "ETS is a fixed share",
        reply = "A share counts while both have work." },
      { "it gets all of the cable",
        reply = "Yes." },
    },
    because = [[
      {card.goodput} since then. PFC stops one priority of eight [NVPFC].
    ]],
    truth = function(r)
      local lan = r.card.goodput -- nothing else moves
      return lan < "1Gbps" and 1 or lan < "5Gbps" and 2 or 3
    end,
  },
  weft.fault "hold g2 on",
  weft.play { to = "xoff", gear = "round" },
  weft.play { time = "1500us", gear = "step" },
  weft.claim("a paused priority leaves the others alone", function(r)
    return r.card.goodput > "9Gbps" and r.flow("g1>g2").mean_rate < "3Gbps" and r.packets.dropped == 0,
      r.card.goodput
  end),

  -- a task
  weft.scene "task",
  weft.plot { "held sw:1" },
  weft.say "**Your turn.** 200 m, the way back is full. Room: {set.headroom.bytes // 1086} packets.",
  weft.switch { knob = "headroom", values = { bytes(12), bytes(22), bytes(23), bytes(24), bytes(36) } },
  weft.play { time = "8us", gear = "packet", rate = "1500ns" },
  weft.fix {
    goal = "Nothing lost, no room wasted.",
    check = function(r)
      return r.packets.dropped == 0 and r.set.headroom < bytes(25), r.packets.dropped, r.set.headroom
    end,
    solution = { headroom = bytes(24) },
    time = "40us",
    hints = { "Can P leave at once?" },
    because = "One more than the cable asks for: P waits for a frame.",
    reply = "Lost: {packets.dropped}. Room: {set.headroom.bytes // 1086} packets.",
  },

  -- transfer
  weft.scene "credits",
  weft.say "**Another fabric: InfiniBand.** Same cable, no PAUSE. sw has told g1 how much room it has.",
  weft.predict {
    ask = "g2 is stuck. How much finds no room?",
    choices = {
      { "as much as before",
        belief = "the way back decides, whatever the protocol",
        reply = "Nobody says stop here." },
      { "nothing",
        reply = "Yes." },
      { "a little",
        belief = "some overshoot is unavoidable",
        reply = "Without credits, nobody sends." },
    },
    because = [[
      {packets.sent} sent, {packets.dropped} lost, {pfc.xoff_frames} PAUSE: g1 sends only into room that
      was promised.
    ]],
    truth = function(r)
      return r.packets.dropped == 0 and r.port("sw:1").headroom.bytes == 0 and 2 or 1
    end,
  },
  weft.plot { "held sw:1" },
  weft.play { time = "20us", gear = "round", rate = "4us" },
  weft.claim("with credits nothing lands that has no room", function(r) -- V73
    return r.packets.dropped == 0 and r.pfc.xoff_frames == 0 and r.packets.sent > 0
      and r.port("sw:1").held <= r.set.vl_buffer, r.port("sw:1").held
  end),

  -- in one sentence
  weft.say "**Aloud:** what is headroom for? Say it, then compare.",
  weft.predict {
    ask = "Which would you sign?",
    choices = {
      { "a reserve for bursts",
        belief = "headroom is spare buffer",
        reply = "Bursts go below XOFF." },
      { "room for what is on its way",
        reply = "So would we." },
      { "a safety factor",
        belief = "headroom is a matter of caution",
        reply = "One byte decided." },
    },
    because = "Stop arrives late; until then the cable keeps delivering. Lossless is a matter of arithmetic.",
    truth = function() return 2 end,
  },
}
