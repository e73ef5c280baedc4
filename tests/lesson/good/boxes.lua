-- Boxes of GPUs as a lesson sees them: two servers side by side, and what staging changes.
local weft = require "weft"

local function cluster(staging)
  return weft.scenario {
    fabric = weft.pair {
      rate = "100Gbps", delay = "500ns",
      box = weft.box { gpus = 2, nvlink = 4, pcie = 4, nics = 1, memory = "40GB/s" },
    },
    workload = weft.training {
      collective = weft.collective { kind = "hierarchical", bytes = "1MiB" },
      compute = "5us", steps = 1,
    },
    set = { staging = staging },
  }
end

return weft.lesson {
  api = 1, id = "boxes", title = "Boxes", year = 2014, minutes = 1,
  scenes = {
    direct = cluster "direct",
    staged = cluster "host",
    built = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host" }, weft.node { name = "g2", kind = "host" },
          weft.node { name = "h1", kind = "memory" }, weft.node { name = "root1", kind = "switch" },
        },
        links = {
          weft.link { a = "g1", b = "root1", kind = "pcie", gen = 3, lanes = 8 },
          weft.link { a = "g2", b = "root1", kind = "pcie", rate = "8GB/s" },
          weft.link { a = "h1", b = "root1", kind = "memory", rate = "25GB/s", delay = "2ns" },
        },
      },
      workload = weft.flows {
        { src = "g1", dst = "g2", bytes = "1MiB" }, { src = "h1", dst = "g1", bytes = "1MiB" },
      },
    },
  },

  weft.scene "direct",
  weft.say [[ Two servers, two GPUs each: {inside.nvlink} over NVLink. ]],
  weft.play { to = "end" },
  weft.claim("no memory is touched", function(r) return r.inside.memory.bytes == 0 end),
  weft.claim("what leaves a box crosses two cables of PCIe at each end", function(r)
    -- a leader sends and receives half of 1 MiB twice
    return r.inside.pcie.bytes == 4 * 2 * 1048576
  end),
  weft.claim("groups are boxes", function(r)
    return r.work.gpus == 4 and r.flow("g1>g3").bytes.bytes == 1048576
  end),

  weft.scene "staged",
  weft.say [[ The same by way of host memory: {inside.memory}. ]],
  weft.play { to = "end" },
  weft.claim("staging takes longer", function(r)
    return r.steps[1].duration > r.scenes.direct.steps[1].duration
  end),
  weft.claim("each leg has a name and carries it all", function(r)
    local all = r.flow("g1>g3").bytes
    return r.flow("g1>h1").bytes == all and r.flow("h1>h2").bytes == all
      and r.flow("h2>g3").bytes == all and r.flow("g1>g3").fct > r.flow("h1>h2").fct
  end),
  weft.claim("packets are those of the legs", function(r)
    -- inside each box one vector to the leader and back; between leaders two halves, three legs each
    return r.work.packets == 256 * (4 + 2 * 3) and r.packets.sent == r.work.packets
  end),
  weft.claim("into memory and out of it, at both ends, both ways", function(r)
    return r.inside.memory.bytes == 4 * 2 * 1048576
  end),

  weft.scene "built",
  weft.say [[ Two cards on one root. ]],
  weft.play { to = "end" },
  weft.claim("two crossings from card to card, one from memory", function(r)
    return r.inside.pcie_crossings == 1.5 and r.inside.memory.bytes == 1048576
  end),
}
