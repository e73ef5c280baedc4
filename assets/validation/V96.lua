local weft = require "weft"
local common = require "common"

-- A server sends without end to a GPU whose NIC has a fast cable to the fabric and slow PCIe behind it.
local function case(name, pcie, gigabytes)
  local set = common.set { ack_every = 16 }
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host" }, weft.node { name = "sw", kind = "switch" },
          weft.node { name = "nic1", kind = "switch" }, weft.node { name = "root1", kind = "switch" },
          weft.node { name = "g2", kind = "host" },
        },
        links = {
          weft.link { a = "g1", b = "sw", rate = "100Gbps", delay = "25ns" },
          weft.link { a = "sw", b = "nic1", rate = "100Gbps", delay = "25ns" },
          weft.link { a = "nic1", b = "root1", kind = "pcie", gen = pcie[1], lanes = pcie[2] },
          weft.link { a = "root1", b = "g2", kind = "pcie", gen = pcie[1], lanes = pcie[2] },
        },
      },
      workload = common.one_flow(common.endless), set = set,
    },
    at = { "2ms", "42ms", "82ms" },
    measures = {
      weft.measure {
        name = "payload", unit = "Gb/s", expected = gigabytes * 8 * 1024 / 1120, tolerance = "0.1%",
        of = function(m) return common.goodput(m[1], m[2], 1) end,
      },
      weft.measure { -- of the switch's port and of the server's: both are paused
        name = "pause duty", unit = "share", tolerance = .04,
        expected = 1 - gigabytes * 8 / 100 * 1106 / 1120,
        of = function(m) return (m[3].paused - m[2].paused) / (m[3].now - m[2].now) / 2 end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V96", source = "closed form: PCIe carries 1024 of 1120 bytes; a packet's slot in the fabric is"
    .. " 1106 bytes",
  setup = "a NIC on 100 Gb/s whose PCIe is slower: it pauses its switch",
  cases = { case("PCIe 2 x8", { 2, 8 }, 4), case("PCIe 3 x8", { 3, 8 }, 7.876923077) },
}
