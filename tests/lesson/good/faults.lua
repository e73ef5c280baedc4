-- Faults that a lesson makes happen, each with what it costs; the claims judge them.
local weft = require "weft"

local function scene(set)
  return (weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 2, rate = "100Gbps", delay = "500ns" },
    workload = weft.flows { { src = "g1", dst = "g3", bytes = "1MiB" } },
    set = set,
    pins = { { flow = "g1>g3", via = "spine2" } },
  })
end

return weft.lesson {
  api = 1, id = "faults", title = "Faults", year = 2026, minutes = 1,
  scenes = { main = scene {}, two = scene { queue_pairs = 2, reroute = "10us" } },

  weft.scene "main",
  weft.fault "burst 5 g1>g3:20",
  weft.say [[ Five packets in a row. ]],
  weft.play { to = "end" },
  weft.claim("five are lost, one NAK brings them back", function(r)
    return r.packets.dropped == 5 and r.naks == 1 and r.timeouts == 0
  end),

  weft.scene "main",
  weft.drop { flow = "g1>g3", which = 20 },
  weft.drop { flow = "g1>g3", which = "resend" },
  weft.say [[ A packet and what replaces it. ]],
  weft.play { to = "end" },
  weft.claim("only the timer brings it back", function(r)
    return r.packets.dropped == 2 and r.timeouts == 1 and r.flow("g1>g3").fct > r.timeout
  end),

  weft.scene "two",
  weft.fault "link leaf1:4 down",
  weft.say [[ The cable of the pinned queue pair. ]],
  weft.play { to = "end" },
  weft.claim("both carry half, one of them late", function(r)
    local pinned, free = r.flow("g1>g3"), r.flow("g1>g3/2")
    return pinned.bytes == free.bytes and pinned.dropped > 0 and free.dropped == 0
      and pinned.fct > free.fct and pinned.fct_all == pinned.fct and free.fct_all == pinned.fct
      and r.outcome == "done"
  end),
}
