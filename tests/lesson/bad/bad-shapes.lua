local weft = require "weft"
local work = weft.training {
  collective = weft.ring_allreduce { bytes = "1KB" }, compute = "1us", steps = 1,
}
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = weft.rail { --> on rails each GPU has a NIC of its own: the box has 4 GPUs, so nics must be 4, it is 2
        boxes = 2, rate = "100Gbps", delay = "500ns",
        box = weft.box { gpus = 4, nics = 2, pcie = 4 },
      },
      workload = work,
    },
    b = weft.scenario {
      fabric = weft.rail { --> weft.rail needs `box`
        boxes = 2, rate = "100Gbps", delay = "500ns",
        spine = 2, --> weft.rail has no field `spine`; did you mean `spines`?
      },
      workload = work,
    },
    c = weft.scenario {
      fabric = weft.ring { --> a ring has 3 to 4096 switches, not 2
        switches = 2, hosts = 1, rate = "100Gbps", delay = "500ns",
      },
      workload = work,
    },
    d = weft.scenario {
      fabric = weft.ring { --> an open ring has no way round: open or clockwise, not both
        switches = 4, hosts = 1, rate = "100Gbps", delay = "500ns", open = true, clockwise = true,
      },
      workload = work,
    },
    e = weft.scenario {
      fabric = weft.ring { switches = 4, hosts = 1, rate = "100Gbps",
        delay = 5, --> ring.delay
      },
      workload = work,
    },
    f = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host", row = 1, column = 1 },
          weft.node { name = "g2", kind = "host", row = 1, column = 1 }, --> g1 and g2 stand at the same place: row 1, column 1
          weft.node { name = "g3", kind = "host", row = 1 }, --> weft.node: row and column, or neither
          weft.node { name = "g4", kind = "host", row = 17, column = 1 }, --> node.row
          weft.node { name = "g5", kind = "host", row = 2, colum = 1 }, --> weft.node has no field `colum`; did you mean `column`?
        },
        links = {},
      },
      workload = work,
    },
    g = weft.scenario { --> g2 has a place in the picture and g1 has none
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host" },
          weft.node { name = "g2", kind = "host", row = 1, column = 2 },
        },
        links = { weft.link { a = "g1", b = "g2", rate = "10Gbps", delay = "5ns" } },
      },
      workload = work,
    },
  },
  weft.scene "a",
}
