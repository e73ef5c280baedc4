-- Every fabric and every workload of the language, as lessons/README.md shows them.
local weft = require "weft"

local training = weft.training {
  collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "1us", steps = 1,
}
local function on(fabric, workload)
  return weft.scenario { fabric = fabric, workload = workload or training }
end
local server = weft.box { gpus = 8, nvlink = 4, pcie = 5, switches = 8, nics = 8 }

return weft.lesson {
  api = 1, id = "shapes", title = "Shapes", year = 2014, minutes = 1,
  scenes = {
    fat_tree = on(weft.fat_tree { ports = 4, rate = "100Gbps", delay = "500ns" }),
    ring = on(
      weft.ring { switches = 4, hosts = 1, rate = "40Gbps", delay = "25ns", clockwise = true },
      weft.flows { { src = "g1", dst = "g4", bytes = "1MiB" }, { src = "g2", dst = "g1", bytes = "1MiB" } }
    ),
    row = on(
      weft.ring { switches = 2, hosts = 2, rate = "40Gbps", trunk_rate = "10Gbps", delay = "25ns", open = true },
      weft.permutation { shift = 2, bytes = "64KiB" }
    ),
    cards = on(weft.box { gpus = 2, pcie = 2, memory = "25GB/s" }),
    servers = on(weft.leaf_spine {
      leaves = 2, spines = 2, hosts = 1, rate = "400Gbps", delay = "500ns", box = server,
    }),
    rails = on(
      weft.rail {
        boxes = 4, rate = "400Gbps", delay = "500ns", box = weft.box { gpus = 8, nvlink = 4, pcie = 5 },
      },
      weft.flows { { src = "g3", dst = "g27", bytes = "1MiB" } }
    ),
    placed = on(
      weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host", row = 1, column = 1 },
          weft.node { name = "g2", kind = "host", row = 2, column = 1 },
          weft.node { name = "old", kind = "switch", row = 1, column = 2 },
          weft.node { name = "new", kind = "switch", row = 1, column = 3 },
          weft.node { name = "g3", kind = "host", row = 1, column = 4 },
        },
        links = {
          weft.link { a = "g1", b = "old", rate = "40Gbps", delay = "25ns" },
          weft.link { a = "g2", b = "old", rate = "40Gbps", delay = "25ns" },
          weft.link { a = "old", b = "new", rate = "40Gbps", delay = "500ns" },
          weft.link { a = "new", b = "g3", rate = "100Gbps", delay = "25ns" },
        },
      },
      weft.incast { to = "g3", from = 2, bytes = "64KiB" }
    ),
    web = on(
      weft.star { hosts = 8, rate = "10Gbps", delay = "500ns" },
      weft.requests { count = 40, clients = 4, ask = "300B", answer = "20KB", gap = "10us" }
    ),
    poisson = on(
      weft.pair { rate = "56Gbps", delay = "25ns" },
      weft.poisson { load = "30%", bytes = "64KiB" }
    ),
  },

  weft.scene "fat_tree",
  weft.say [[ Sixteen hosts: {work.gpus}. ]],
  weft.play { to = "end" },
  weft.claim("16 GPUs train", function(r) return r.work.gpus == 16 end),

  weft.scene "ring",
  weft.say [[ Three switches on, all the way round. ]],
  weft.play { to = "end" },
  weft.claim("clockwise they share two trunks; the shorter ways would share none", function(r)
    return r.flow("g1>g4").goodput < "21Gbps" and r.flow("g2>g1").goodput < "21Gbps"
  end),

  weft.scene "row",
  weft.say [[ A narrow trunk between two switches. ]],
  weft.play { to = "end" },
  weft.claim("nobody is faster than half the trunk", function(r)
    return r.flow("g1>g3").goodput < "5Gbps" and r.flow("g2>g4").goodput < "5Gbps"
  end),

  weft.scene "cards",
  weft.say [[ Two cards on PCIe: {inside.pcie}. ]],
  weft.play { to = "end" },
  weft.claim("they are no boxes of a cluster: two GPUs", function(r) return r.work.gpus == 2 end),

  weft.scene "servers",
  weft.say [[ Two servers of eight. ]],
  weft.play { to = "end" },
  weft.claim("NVLink carries more than the fabric", function(r)
    return r.inside.nvlink.bytes > r.inside.pcie.bytes / 2
  end),

  weft.scene "rails",
  weft.say [[ GPU 3 of the first server to GPU 3 of the last. ]],
  weft.play { to = "end" },
  weft.claim("one rail apart: two cables of PCIe at each end", function(r)
    return r.inside.pcie.bytes == 4 * r.flow("g3>g27").bytes.bytes and r.inside.nvlink.bytes == 0
  end),

  weft.scene "placed",
  weft.say [[ Two senders, one cable. ]],
  weft.play { to = "end" },
  weft.claim("each gets half of it", function(r) return r.flow("g1>g3").goodput < "21Gbps" end),

  weft.scene "web",
  weft.say [[ Forty requests, nobody waits for another. ]],
  weft.play { to = "end" },
  weft.claim("all are answered", function(r) return r.packets.dropped == 0 and r.outcome == "done" end),

  weft.scene "poisson",
  weft.say [[ Messages at random times. ]],
  weft.play { time = "1ms" },
  weft.claim("something was sent", function(r) return r.packets.delivered > 0 end),
}
