local weft = require "weft"
local common = require "common"
local function cable(a, b)
  return weft.link { a = a, b = b, rate = "40Gbps", delay = "25ns" }
end
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "s1", kind = "swich" }, --> node.kind: no "swich"; did you mean "switch"?
          weft.node { kind = "host" }, --> weft.node needs `name`
          cable("h1", "s1"), --> entry 3 of this list is no weft.node
        },
        links = {
          weft.link { a = "h1", b = "s1", rate = "40Gbs", delay = "25ns" }, --> link.rate: "40Gbs"
        },
      },
      workload = weft.incast { to = "h1", from = 3, bytes = "1KB" },
    },
    b = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "sw", kind = "switch" },
          weft.node { name = "h1", kind = "host" },
          weft.node { name = "h1", kind = "host" }, --> there is already a node "h1"
        },
        links = {},
      },
      workload = weft.permutation { shift = 1, bytes = "1KB" },
    },
    c = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "sw", kind = "switch" },
          weft.node { name = "h1", kind = "host" },
          weft.node { name = "h2", kind = "host" },
        },
        links = {
          weft.link { a = "h1", b = "sw1", rate = "1Gbps", delay = "1ns" }, --> there is no node sw1 in this fabric; did you mean sw?
          weft.link { a = "h2", b = "sw", rate = 1, delay = "1ns" }, --> link.rate: a bare number has no unit
        },
      },
      workload = weft.flows {
        { src = "h1", dst = "sw", bytes = "1KB" }, --> there is no host sw in this fabric
        { src = "h1", dst = "h2", bytes = "1KB", poisson = true }, --> a poisson flow needs `gap` or `load`
        { src = "h1", dst = "h2", bytes = "1KB", load = 1.5 }, --> flow.load: a share is from 0 to 1
        { src = "h1", dst = "h2", bytes = "1KB", load = "0" }, --> flow.load must be more than 0
        { src = "h1", dst = "h2", bytes = "1KB", load = "1%", gap = "1us" }, --> say the same
      },
    },
    d = weft.scenario {
      fabric = common.fabric,
      workload = weft.incast { to = "g1", from = { "g2", "g77" }, bytes = "1KB" }, --> there is no host g77
      classes = { --> classes takes [0] to [7]
        [8] = { weight = 1 },
        [3] = { wieght = 1 }, -->any weft.class has no field `wieght`; did you mean `weight`?
      },
      routes = {
        { at = "leaf1", to = "g2", vie = "g1", via = "g1" }, --> weft.route has no field `vie`; did you mean `via`?
        { at = "leaf9", to = "g2", via = "g1" }, --> there is no node leaf9 in this fabric; did you mean leaf1?
        { at = "leaf1", to = "leaf2", via = "g1" }, --> there is no host leaf2 in this fabric
        { at = "leaf1", to = "g3" }, --> weft.route needs `via`
        "leaf1", --> routes holds tables
      },
      faults = {
        { at = "1us", "slo g2 50%" }, --> "slo" is not a command
        { at = "1us" }, --> a fault is one command
        { att = "1us", "pause g2" }, --> weft.faults has no field `att`; did you mean `at`?
        "pause g2", --> faults holds tables
        { at = "1us", "set mtu 512B" }, --> mtu belongs to the start
      },
    },
    e = weft.scenario {
      fabric = common.fabric,
      workload = weft.poisson { bytes = "1KB" }, --> weft.poisson needs `load`
    },
    f = weft.scenario {
      fabric = common.fabric,
      workload = weft.requests { --> 4 clients
        count = 10, clients = 4, ask = "1KB", answer = "1MB", gap = "1us",
      },
    },
  },
  weft.scene "a",
}
