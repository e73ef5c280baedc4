local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

-- Payload of a 100 Gb/s cable that is never idle.
local line = 100 * 4096 / 4126

-- Hosts g1, g2, g3 send to g4, each on a service level of its own, 3, 4 and 5; `shares` are what they
-- get of the cable to g4.
local function case(name, lanes, shares, paced)
  local flows, measures = {}, { common.none "dropped" }
  for i, share in ipairs(shares) do
    flows[i] = { src = "g" .. i, dst = "g4", bytes = common.endless, prio = 2 + i }
    measures[i + 1] = weft.measure {
      name = "g" .. i .. " on level " .. 2 + i, unit = "Gb/s", expected = share * line,
      tolerance = "0.1%",
      of = function(m) return common.goodput(m[1], m[2], i) end,
    }
  end
  if paced then flows[1].bytes, flows[1].load = "4096B", paced end
  return (weft.case {
    name = name,
    scenario = weft.scenario {
      fabric = common.star(4, "100Gbps"), workload = weft.flows(flows),
      vl_arbitration = lanes.tables, classes = lanes.classes,
      set = ib.set { mtu = "4096B", ack_every = 0 },
    },
    at = { "1ms", "21ms" }, measures = measures,
  })
end

-- Frames are 4122 bytes: a weight of 64 x 64 bytes lets one go, 192 three.
local acks = { vl = 6, weight = 1 }
local function tables(limit)
  return {
    tables = {
      high = { { vl = 3, weight = 192 }, { vl = 4, weight = 64 }, acks },
      low = { { vl = 5, weight = 64 } }, limit = limit,
    },
  }
end

-- Frames of the high table between two of the low one: those that begin below limit x 4096 bytes.
local function limited(limit)
  local high = math.max(1, (limit * 4096 + 4121) // 4122)
  local part = high / (high + 1)
  return case("limit " .. limit, tables(limit), { part * 3 / 4, part / 4, 1 - part })
end

local thirds = {
  tables = {
    high = { acks },
    low = { { vl = 3, weight = 64 }, { vl = 4, weight = 128 }, { vl = 5, weight = 255 } },
  },
}
local shared = {
  tables = { high = { { vl = 3, weight = 64 }, { vl = 1, weight = 64 } }, limit = 255 },
  classes = { [4] = { vl = 1 }, [5] = { vl = 1 }, [6] = { vl = 1 } },
}

-- Each message of g1 is acknowledged: credits for the room of the ACK take their part of the cable.
local wants, credits = .3, .3 * 8 / 4126

return weft.validation {
  id = "V78", source = "closed form",
  setup = "VL arbitration: three hosts and three lanes to a fourth, 100 Gb/s, MTU 4096",
  cases = {
    limited(0), limited(1), limited(2), limited(10),
    case("no limit", tables(255), { 3 / 4, 1 / 4, 0 }),
    case("one table, weights 64, 128, 255", thirds, { 1 / 7, 2 / 7, 4 / 7 }),
    case("levels 4 and 5 share lane 1", shared, { 1 / 2, 1 / 4, 1 / 4 }),
    case("a high lane that wants 30 % gets it", tables(255), { wants, 1 - wants - credits, 0 }, "30%"),
  },
}
