local weft = require "weft"
local work = weft.training {
  collective = weft.ring_allreduce { bytes = "1KB" }, compute = "1us", steps = 1,
}
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = weft.box { gpus = 2 }, --> what joins the GPUs of this box? set nvlink, pcie or both
      workload = work,
    },
    b = weft.scenario {
      fabric = weft.box {
        gpus = 2,
        nvlink = 9, --> NVLink generation 9, it must be from 1 to 5
      },
      workload = work,
    },
    h = weft.scenario {
      fabric = weft.box {
        gpus = 2, pcie = 3,
        memory = "50Gib/s", --> box.memory: "50Gib/s": "Gib/s" is no unit of rate
      },
      workload = work,
    },
    c = weft.scenario {
      fabric = weft.box {
        gpus = 2,
        pcie = "fast", --> box.pcie
      },
      workload = work,
    },
    d = weft.scenario {
      fabric = weft.box {
        gpus = 2,
        pcie = true, --> box.pcie wants a generation (a number) or a rate like "450GB/s"
      },
      workload = work,
    },
    e = weft.scenario {
      fabric = weft.leaf_spine { --> the boxes of this fabric need a NIC
        leaves = 1, spines = 1, hosts = 2, rate = "1Gbps", delay = "0ns",
        box = weft.box { gpus = 2, pcie = 3 },
      },
      workload = work,
    },
    f = weft.scenario {
      fabric = weft.fabric {
        nodes = {
          weft.node { name = "g1", kind = "host" }, weft.node { name = "g2", kind = "host" },
          weft.node { name = "nvs1", kind = "switch" },
        },
        links = {
          weft.link { a = "g1", b = "nvs1", kind = "nvlnk", gen = 4 }, --> link.kind: no "nvlnk"; did you mean "nvlink"?
          weft.link { a = "g1", b = "nvs1", kind = "nvlink", gen = 6 }, --> NVLink generation 6, it must be from 1 to 5
          weft.link { a = "g1", b = "nvs1", gen = 4, delay = "1ns" }, --> only PCIe and NVLink have generations: give a rate
          weft.link { a = "g2", b = "nvs1", kind = "pcie", gen = 3, rate = "1GB/s" }, --> weft.link: rate or gen, not both
          weft.link { a = "g2", b = "nvs1", rate = "1GB/s" }, --> weft.link needs `delay`
          weft.link { a = "g2", b = "nvs1", kind = "pcie" }, --> weft.link needs `rate` (or `gen`)
        },
      },
      workload = work,
    },
    g = weft.scenario { --> staging is host, but no box of this fabric has a memory
      fabric = weft.box { gpus = 2, nvlink = 4 }, workload = work, set = { staging = "host" },
    },
  },
  weft.scene "a",
}
