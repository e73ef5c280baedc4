local weft = require "weft"
local common = require "common"
local incast = weft.incast { to = "g1", from = { "g2" }, bytes = "1KB" }
local credits = { link = "infiniband", flow_control = "credits" }
local acks = { vl = 6, weight = 1 }
return weft.lesson {
  api = 1, id = "x", title = "X", year = 2014, minutes = 5,
  scenes = {
    a = weft.scenario {
      fabric = common.fabric, workload = incast, set = credits,
      vl_arbitration = {
        high = {
          { vl = 8, weight = 1 }, --> vl_entry.vl must be a whole number from 0 to 7
          { vl = 1, weight = 256 }, --> vl_entry.weight must be a whole number from 0 to 255
          { vl = 1, wait = 1, weight = 1 }, --> weft.vl_entry has no field `wait`; did you mean
          { vl = 1 }, --> weft.vl_entry needs `weight`
          3, --> vl_arbitration.high holds tables
        },
      },
      classes = { --> class.vl must be a whole number from 0 to 7
        [1] = { vl = 8 },
      },
    },
    b = weft.scenario {
      fabric = common.fabric, workload = incast, set = credits,
      vl_arbitration = {
        low = 3, --> vl_arbitration.low wants a table
        limit = 256, --> vl_arbitration.limit must be a whole number from 0 to 255
      },
    },
    c = weft.scenario {
      fabric = common.fabric, workload = incast, set = credits,
      vl_arbitration = { limit = 3 }, --> vl_arbitration has no entries
    },
    d = weft.scenario { --> vl_arbitration: that is for InfiniBand
      fabric = common.fabric, workload = incast,
      vl_arbitration = { high = { acks } },
    },
    e = weft.scenario { --> class 3 keeps lane 3
      fabric = common.fabric, workload = incast, set = credits,
      classes = { [3] = { vl = 1 } },
    },
    f = weft.scenario { --> lane 3 (of a flow) is in neither table
      fabric = common.fabric, workload = incast, set = credits,
      vl_arbitration = { high = { acks, { vl = 3, weight = 0 } } },
    },
  },
  weft.scene "a",
}
