local weft = require "weft"
local common = require "common"
local victim = require "victim"

local function case(name, set, size, peer)
  return (weft.case {
    name = name, scenario = victim.scenario(set, { victim.flow }),
    measures = {
      common.fct(1, "FCT", common.last,
        { expected = common.alone(size, 2048, 4), tolerance = 0.001, peers = { peer } }),
    },
  })
end

return weft.validation {
  id = "P5solo", source = common.source "csg hpcc",
  setup = "one flow of 8 MiB over two leaves and a spine, 100 Gb/s",
  cases = {
    case("csg's sizes", common.csg {}, common.sizes.csg, common.near("csg", 690.593, "0.01%")),
    case("hpcc's sizes", common.hpcc(4), common.sizes.hpcc,
      common.near("hpcc", 686.897, "0.2%")),
  },
}
