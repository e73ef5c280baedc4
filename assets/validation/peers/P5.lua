local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"
local victim = require "victim"

local near, only, sizes = common.near, common.only, common.sizes

local function fct(name, of, rest)
  rest.name, rest.unit = name, "us"
  rest.of = function(m)
    local us = {}
    for i = 1, 7 do us[i] = (m.last.flow(i).acked_at - m.last.flow(i).start).ps / 1e6 end
    return of(us)
  end
  return (weft.measure(rest))
end

local function of_victim(us) return us[7] end
local function of_locals(us) return math.max(table.unpack(us, 1, 4)) end
local function of_remote(us) return math.max(us[5], us[6]) end
local function of_last(us) return math.max(table.unpack(us)) end

-- How many times longer than alone.
local function times(name, of, size, least, most, peers)
  local rest = { least = least, most = most, peers = peers }
  local alone = common.alone(size, 2048, 4)
  local measure = fct(name, function(us) return of(us) / alone end, rest)
  measure.fields.unit = "times"
  return measure
end

-- PFC alone: 6.2 to 6.7 and 4.8 to 5.0 times as long as alone; two in a window differ by its
-- width at most.
local function pfc(name, set, size, peers, tolerance)
  local alone = common.alone(size, 2048, 4)
  local function list(make)
    local out = {}
    for _, peer in ipairs(peers) do out[#out + 1] = make(peer) end
    return out
  end
  return (weft.case {
    name = name, scenario = victim.scenario(set),
    measures = {
      times("victim", of_victim, size, 6.2, 6.7, list(function(p)
        return near(p.name, p.victim / alone, 0.5)
      end)),
      times("locals, the last", of_locals, size, 4.8, 5.0, list(function(p)
        return near(p.name, p.locals / alone, 0.2)
      end)),
      fct("remote senders, the last", of_remote, {
        least = 6.2 * alone, most = 6.7 * alone,
        peers = list(function(p) return near(p.name, p.remote, 0.5 * alone) end),
      }),
      fct("mean of all", common.mean, {
        least = 4.8 * alone, most = 6.2 * alone,
        peers = list(function(p) return near(p.name, p.mean, 0.5 * alone) end),
      }),
      common.pauses {
        expected = tolerance.pauses, tolerance = "25%", peers = list(function(p)
          return near(p.name, p.pauses, "25%", p.why)
        end),
      },
      common.no_drops(),
    },
  })
end

local csg = { name = "csg", victim = 4447.2, locals = 3379.3, remote = 4445.6, mean = 3835.4, pauses = 1659 }
local uet = { name = "uet", victim = 4477.9, locals = 3361.3, remote = 4468.9, mean = 3832.3, pauses = 852 }
local hpcc = { name = "hpcc", victim = 4379.2, locals = 3362.0, remote = 4376.9, mean = 3794.6, pauses = 1467 }

-- With DCQCN clearly better, 1.9 to 4.5 times as long as alone, and 20 to 45 % of the pauses.
local function controlled(name, figures)
  local alone = common.alone(sizes.hpcc, 2048, 4)
  return (weft.case {
    name = "hpcc's, DCQCN " .. name .. ", median of 7 seeds", seeds = 7, over = "median",
    scenario = victim.scenario(common.hpcc(4, dcqcn.set(name))),
    measures = {
      times("victim", of_victim, sizes.hpcc, 1.9, 4.5, {
        only("hpcc", { figures.victim[1] / alone, figures.victim[2] / alone }, dcqcn.counts),
      }),
      -- who held the others up gives way to them
      fct("locals, the last", of_locals, {
        least = hpcc.locals, peers = { only("hpcc", figures.locals, dcqcn.luck) },
      }),
      fct("remote senders, the last", of_remote, {
        least = alone, peers = { only("hpcc", figures.remote, dcqcn.luck) },
      }),
      fct("mean of all", common.mean, { most = hpcc.victim, peers = { only("hpcc", figures.mean, dcqcn.counts) } }),
      fct("last of all", of_last, { least = hpcc.locals, peers = { only("hpcc", figures.last, dcqcn.counts) } }),
      common.pauses {
        least = 0.2 * hpcc.pauses, most = 0.45 * hpcc.pauses,
        peers = { only("hpcc", figures.pauses, dcqcn.counts) },
      },
      common.no_drops(),
    },
  })
end

-- A window of one bandwidth-delay product of four cables, twice 58,175 B, and nothing else.
local function windowed()
  local function close(name, of, figure)
    return fct(name, of, { most = hpcc.victim, peers = { near("hpcc", figure, "0.2%") } })
  end
  return (weft.case {
    name = "hpcc's, a window of 29 packets",
    scenario = victim.scenario(common.hpcc(4, { transport = "selective", window = 29 })),
    measures = {
      close("victim", of_victim, 991.1), close("locals, the last", of_locals, 3933),
      close("remote senders, the last", of_remote, 4073), close("mean of all", common.mean, 3552.3),
      close("last of all", of_last, 4073.7), common.pauses { expected = 0, peers = { near("hpcc", 0, 0) } },
    },
  })
end

return weft.validation {
  id = "P5", source = common.source "csg uet hpcc",
  setup = "victim: of 7 flows of 8 MiB, 4 from neighbours and 2 over the spine go to one host, the seventh over "
    .. "the same spine to another",
  cases = {
    pfc("csg's sizes and PAUSE", common.csg {}, sizes.csg, { csg }, { pauses = csg.pauses }),
    pfc("csg's sizes, PAUSE on the cable", common.uet {}, sizes.csg, { uet }, { pauses = uet.pauses }),
    pfc("hpcc's sizes and thresholds", common.hpcc(4), sizes.hpcc, { hpcc }, { pauses = hpcc.pauses }),
    controlled("fast", {
      victim = { 2071, 2716 }, locals = 4575, remote = 4466,
      mean = { 3980, 4225 }, last = { 4512, 4918 }, pauses = { 365, 602 },
    }),
    controlled("paper", {
      victim = { 1489, 2207 }, locals = 4593, remote = 3948,
      mean = { 3626, 3773 }, last = { 4549, 6010 }, pauses = { 342, 476 },
    }),
    windowed(),
  },
}
