local weft = require "weft"
local common = require "common"

-- g1 of one box sends 1 MiB to g2 of another. Times in ps; 256 packets of 4096 bytes. PCIe 10 GB/s and
-- 4480 bytes a packet, memory 20 GB/s, fabric 100 Gb/s. PCIe is the slowest cable of every way.
local pcie, memory = 4480 * 100, 4096 * 50
local hop = 1000 + 200000 -- a cable of the box and the latency of the node behind it
local fabric = (4158 + 8) * 80 + 25000

-- The last of n packets on: GPU, root, memory (and memory, root, GPU); memory, root, NIC, switch, NIC,
-- root, memory.
local function end_leg(n) return n * pcie + memory + hop + 1000 end
local function middle_leg(n) return (n - 1) * pcie + 2 * memory + 2 * pcie + 2 * fabric + 4 * hop end

local ack = 64 * 50        -- of a leg, out of memory, before what follows there
local update_fc = 8 * 100  -- credits for an ACK of the middle leg, in the way of data on PCIe

-- Where GPU and NIC share a PCIe switch, direct traffic turns round there; staged traffic goes up to
-- the root and comes down again.
local function crossings(name, staging, expected)
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = weft.star {
        hosts = 2, rate = "100Gbps", delay = "25ns",
        box = weft.box { gpus = 1, nics = 1, switches = 1, pcie = "10GB/s", memory = "20GB/s" },
      },
      workload = common.one_flow("1MiB"), set = common.set { staging = staging },
    },
    measures = {
      weft.measure {
        name = "PCIe cables a byte crosses", unit = "times", expected = expected,
        of = function(m) return m.last.pcie_bytes.bytes / 1048576 end,
      },
    },
  })
end

local function case(name, set, expected, memories)
  set.mtu, set.ack_every, set.inside_latency = "4096B", 0, "200ns"
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = weft.star {
        hosts = 2, rate = "100Gbps", delay = "25ns",
        box = weft.box { gpus = 1, nics = 1, pcie = "10GB/s", memory = "20GB/s" },
      },
      workload = common.one_flow("1MiB"), set = common.set(set),
    },
    measures = {
      weft.measure {
        name = "last byte", unit = "ps", expected = expected,
        of = function(m) return m.last.flow("g1>g2").delivered_at end,
      },
      weft.measure {
        name = "PCIe cables a byte crosses", unit = "times", expected = 4,
        of = function(m) return m.last.pcie_bytes.bytes / 1048576 end,
      },
      weft.measure {
        name = "times it goes into or out of host memory", unit = "times", expected = memories,
        of = function(m) return m.last.memory_bytes.bytes / 1048576 end,
      },
    },
  })
end

return weft.validation {
  id = "V95", source = "closed form: the legs one after the other; in chunks of c of n packets the legs"
    .. " of one chunk, and (n - c) packets at the pace of PCIe",
  setup = "1 MiB from a GPU to one in another box: direct, staged whole, staged in chunks",
  cases = {
    case("direct", { staging = "direct" }, 259 * pcie + 2 * fabric + 4 * hop, 0),
    case("staged whole", { staging = "host" }, 2 * end_leg(256) + middle_leg(256) + 2 * ack, 4),
    case("staged in chunks of 64 KiB", { staging = "host", stage_chunk = "64KiB" },
      2 * end_leg(16) + middle_leg(16) + 240 * pcie + ack + 16 * update_fc, 4),
    crossings("under a PCIe switch, direct", "direct", 4),
    crossings("under a PCIe switch, staged", "host", 8),
  },
}
