local weft = require "weft"
local common = require "common"
local victim = require "victim"

local near, sizes = common.near, common.sizes

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

return weft.validation {
  id = "P5", source = common.source "csg uet hpcc",
  setup = "victim: of 7 flows of 8 MiB, 4 from neighbours and 2 over the spine go to one host, the seventh over "
    .. "the same spine to another",
  cases = {
    pfc("csg's sizes and PAUSE", common.csg {}, sizes.csg, { csg }, { pauses = csg.pauses }),
    pfc("csg's sizes, PAUSE on the cable", common.uet {}, sizes.csg, { uet }, { pauses = uet.pauses }),
    pfc("hpcc's sizes and thresholds", common.hpcc(4), sizes.hpcc, { hpcc }, { pauses = hpcc.pauses }),
  },
}
