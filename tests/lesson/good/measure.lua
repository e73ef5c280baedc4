-- The report as Lua sees it, tested by claims: `weft check` runs them, tests/lesson/test_course.c reads
-- the verdicts.
local weft = require "weft"

local kept -- a report that somebody keeps longer than allowed

-- What f(r) says when it fails.
local function failure(r, f)
  local ok, message = pcall(f, r)
  return ok and "no error" or tostring(message)
end

local function says(text, f)
  return function(r) return failure(r, f):find(text, 1, true) ~= nil end
end

local fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" }

return weft.lesson {
  api = 1, id = "measure", title = "The report", year = 2026, minutes = 1,
  scenes = {
    main = weft.scenario {
      fabric = fabric,
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB", bucket = "32KiB" }, compute = "5us", steps = 4,
      },
    },
    messages = weft.scenario {
      fabric = fabric,
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "64KiB", start = "1us" } },
    },
    answers = weft.scenario {
      fabric = fabric, set = { transport = "tcp" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "64KiB", answer = "8KiB" } },
    },
  },

  weft.scene "main",
  weft.say [[
    {{braces}} {1 + 1} {work.bytes} {work.packets} {steps[1].slowest:upper()} {math.max(1, 2)}
    {steps[1].duration / steps[1].compute > 1 and "longer" or "no longer"} {1000000} {2 / 3} {-1.5}
  ]],
  weft.play { to = "barrier" },

  weft.claim("times compare with their kind and with unit strings", function(r)
    local d = r.steps[1].duration
    return d > "5us" and "5us" < d and d <= d and d == r.steps[1].duration and (d < "5us") == false
      and d ~= r.steps[1].compute
  end),
  weft.claim("sums are exact", function(r)
    local s = r.steps[1]
    return s.compute + s.exposed_comm == s.duration and s.duration - s.compute == s.exposed_comm
      and 2 * s.compute == s.compute + s.compute and s.compute * 0.5 + s.compute / 2 == s.compute
      and s.duration / s.duration == 1 and -(-s.compute) == s.compute and s.compute + "1us" > s.compute
  end),
  weft.claim("parts are plain numbers", function(r)
    return r.steps[1].compute.us == 5 and r.steps[1].compute.ns == 5000 and r.work.bytes.bytes == 65536
      and r.collective.busbw.gbps > 1
  end),
  weft.claim("they read as a person writes them", function(r)
    return tostring(r.steps[1].compute) == "5 us" and "it took " .. r.steps[1].compute == "it took 5 us"
      and tostring(r.work.bytes) == "64 KiB" and tostring(r.steps[1].compute - "8us") == "-3 us"
  end),
  weft.claim("a bare number is refused", says('write a quantity of time like "10us"', function(r)
    return r.steps[1].duration > 5
  end)),
  weft.claim("kinds do not mix", says("a time and a size do not go together", function(r)
    return r.steps[1].duration + r.work.bytes
  end)),
  weft.claim("a bad unit string is refused", says("5 parsecs", function(r)
    return r.steps[1].duration > "5 parsecs"
  end)),
  weft.claim("dividing by nothing is refused", says("zero", function(r)
    return r.steps[1].duration / (r.steps[1].compute - r.steps[1].compute)
  end)),
  weft.claim("a wrong part is refused", says("a time has no `.bytes`", function(r)
    return r.steps[1].duration.bytes
  end)),
  weft.claim("a mistyped field names the nearest", says("did you mean `duration`?", function(r)
    return r.steps[1].durration
  end)),
  weft.claim("a mistyped switch names the nearest", says("did you mean `xoff`?", function(r)
    return r.set.xof
  end)),
  weft.claim("a step that the scene does not have", says("this scene has 4 training steps", function(r)
    return r.steps[5]
  end)),
  weft.claim("a flow that is not there", says("there is no such flow", function(r)
    return r.flow("g1>g9")
  end)),
  weft.claim("a scene that is not there", says("the lesson has no such scene", function(r)
    return r.scenes.nowhere
  end)),
  weft.claim("nobody writes to it", says("can only be read", function(r) r.timeouts = 0 end)),
  weft.claim("nobody reaches its metatable", function(r)
    return getmetatable(r) == false and getmetatable(r.steps[1].duration) == false
  end),
  weft.claim("switches are what they are set to", function(r)
    return r.set.flow_control == "pfc" and r.set.timeout_exponent == 12
      and r.set.switch_latency == r.set.switch_latency and r.set.switch_latency <= "500ns"
      and r.set.headroom == "auto"
  end),
  weft.claim("the workload is described", function(r)
    return r.work.gpus == 4 and r.work.rounds == 6 and r.work.buckets == 2
      and r.work.packets == 4 * r.work.packets_per_gpu
      and r.work.packets_per_gpu == 12 * r.work.packets_per_message
  end),
  weft.claim("counters count", function(r)
    return r.packets.sent == r.work.packets and r.packets.delivered == r.work.packets
      and r.packets.dropped == 0 and r.timeouts == 0 and r.naks == 0 and r.pfc.xoff_frames == 0
  end),
  weft.claim("this step is step 1", function(r)
    return r.this.step == 1 and r.this.duration == r.steps[1].duration and #r.steps >= 1
  end),
  weft.claim("a report is gone when its function has returned", function(r)
    kept = kept or r
    return true
  end),
  weft.claim("and says so", says("the report is gone", function() return kept.timeouts end)),

  weft.scene "messages",
  weft.say [[ {flow("g1>g2").bytes} took {flow("g1>g2").fct}. ]],
  weft.play { to = "end" },
  weft.claim("a flow is described", function(r)
    local f = r.flow("g1>g2")
    return f.name == "g1>g2" and f.bytes == r.scenes.main.work.bytes and f.start.us == 1
      and f.fct > "5us" and f.goodput > "10Gbps" and f.retransmitted == 0 and f.dropped == 0
      and r.outcome == "done"
  end),
  weft.claim("what has arrived, and how fast", function(r)
    local f = r.flow("g1>g2")
    return f.arrived == f.bytes and f.mean_rate > f.goodput and f.mean_rate < "100Gbps"
  end),
  weft.claim("a port is described", function(r)
    local p = r.port("sw:2")
    return p.queue.bytes == 0 and p.queue_peak > "0B" and p.dropped == 0 and p.pause == 0
      and p.load > 0.5 and p.load < 1 and r.port("sw:1").load < 0.1
      and r.port("sw:1").held.bytes == 0 and r.port("sw:1").headroom.bytes == 0
      and r.port("sw:1").headroom_limit > "10KB", p.queue_peak
  end),
  weft.claim("losses have reasons", function(r) return r.packets.by("full") == 0 end),
  weft.claim("a reason that is none", says("nothing is lost for that", function(r)
    return r.packets.by("boredom")
  end)),
  weft.claim("a port that is not there", says("there is no such port", function(r)
    return r.port("sw:99")
  end)),
  weft.claim("a card counts from where it began", function(r)
    return r.card.time == r.finish and r.card.delivered == r.packets.delivered and r.card.dropped == 0
      and r.card.timeouts == 0 and r.card.xoff_frames == 0 and r.card.retransmitted == 0
      and r.card.goodput > "10Gbps"
  end),
  weft.claim("nothing stands still", function(r)
    return r.stall == "none" and r.cycle == 0 and r.watchdogs == 0
  end),
  weft.say [[ Nothing more comes. ]],
  weft.play { time = "1us" },
  weft.claim("the next card counts anew", function(r)
    return r.card.delivered == 0 and r.card.time <= "1us" and r.packets.delivered > 0
  end),
  weft.scene "messages",
  weft.say [[ Once more: {flow("g1>g2").fct}. ]],
  weft.play { to = "end" },
  weft.claim("it says how long it would wait", function(r)
    return r.flow("g1>g2").rto == r.timeout
  end),
  weft.claim("it has no congestion window", says("only transport tcp has one", function(r)
    return r.flow("g1>g2").cwnd
  end)),
  weft.claim("nothing limits its rate", says("takes cc dcqcn", function(r)
    return r.flow("g1>g2").rate
  end)),
  weft.claim("there is no training here", says("no training", function(r) return r.work.gpus end)),
  weft.claim("nor a busy GPU", says("no training", function(r) return r.gpu_busy end)),
  weft.claim("the other scene is still there", function(r)
    return r.scenes.main.steps[1].duration > "5us" and r.scenes.messages.outcome == r.outcome
  end),

  weft.scene "answers",
  weft.say [[ {flow("g2>g1").bytes} in answer to {flow("g1>g2").bytes}. ]],
  weft.play { to = "end" },
  weft.claim("an answer is sent when its question has arrived", function(r)
    local ask, answer = r.flow("g1>g2"), r.flow("g2>g1")
    return answer.bytes.bytes == 8192 and answer.start > ask.start + ask.rtt and r.outcome == "done"
      and answer.start < ask.start + ask.fct
  end),
  weft.claim("a sender's window grows by what is acknowledged", function(r)
    return r.flow("g1>g2").cwnd == 10 + 45 and r.flow("g1>g2").ssthresh > 55
      and r.flow("g1>g2").rto == r.timeout
  end),
}
