-- Rows P3...: every host of a three-tier fat tree sends 2 MiB to one other. Shift: to the one half of all
-- hosts further on, so every way has six cables. Random: all in one cycle, shuffled as the peers did.
-- Under ECMP two, three, four flows share their worst cable, so FCTs cluster near multiples of the 172 us
-- that one takes.

local weft = require "weft"
local common = require "common"

local permutation = {}

local function cycle(hosts)
  local p, x = {}, 12345
  for i = 0, hosts - 1 do p[i] = i end
  for i = hosts - 1, 1, -1 do
    x = x * 6364136223846793005 + 1442695040888963407
    local j = (x >> 32) % (i + 1)
    p[i], p[j] = p[j], p[i]
  end
  local flows = {}
  for i = 0, hosts - 1 do
    flows[i + 1] = {
      src = "g" .. p[i] + 1, dst = "g" .. p[(i + 1) % hosts] + 1, bytes = "2MiB",
    }
  end
  return (weft.flows(flows))
end

-- `ports`: of a switch. `kind`: "shift" or "random".
function permutation.scenario(ports, kind, set)
  local hosts = ports ^ 3 // 4 | 0
  return (weft.scenario {
    fabric = common.fat_tree(ports), set = set,
    workload = kind == "random" and cycle(hosts) or weft.permutation { shift = hosts // 2, bytes = "2MiB" },
  })
end

function permutation.median(fct) return common.quantile(fct, 0.5) end
function permutation.p99(fct) return common.quantile(fct, 0.99) end

local names = { { "min", common.first }, { "mean", common.mean }, { "p50", permutation.median },
  { "p99", permutation.p99 }, { "max", common.last } }

-- What each of some peers has under a name; the hash is another one everywhere. `beyond`: why ours may
-- be outside the window, in which theirs is.
local function beside(peers, name, window, beyond)
  local list = {}
  for _, peer in ipairs(peers) do
    local figure = peer[name]
    if figure and beyond then
      local within = math.min(figure - window[1], window[2] - figure)
      list[#list + 1] = common.near(peer[1], figure, within, beyond)
    elseif figure then
      list[#list + 1] = common.only(peer[1], figure, common.hash)
    end
  end
  return list
end

-- One measure for each of min, mean, p50, p99 and max. `bounds`: least and most by name; nothing ends
-- sooner than alone.
local function distribution(n, bounds, case, alone)
  local measures = {}
  for i, name in ipairs(names) do
    local bound = bounds[name[1]] or { alone }
    local beyond = case.beyond and case.beyond[name[1]]
    measures[i] = common.fct(n, name[1], name[2], {
      least = beyond and alone or bound[1], most = not beyond and bound[2] or nil,
      peers = beside(case.peers, name[1], bound, beyond),
    })
  end
  return measures
end

-- Flows of n whose FCT lies within 15 % of a multiple of what 2 MiB take on a cable; of evenly spread
-- ones it would be 30 %.
local function clusters(n, size)
  local one = 512 * size.packet * 80e-6
  return (weft.measure {
    name = "flows near a multiple of " .. ("%.0f us"):format(one), unit = "%", least = 50,
    of = function(m)
      local near = 0
      for _, x in ipairs(common.fcts(m.last, n)) do
        local times = x / one
        if math.abs(times - math.floor(times + 0.5)) < 0.15 then near = near + 1 end
      end
      return 100 * near / n
    end,
  })
end

-- What nobody can beat: 2 MiB over six cables; a shuffled cycle has shorter ways, two at least.
function permutation.alone(kind, size) return common.alone(size, 512, kind == "shift" and 6 or 2) end

-- ECMP, the median of some seeds.
local function ecmp(ports, kind, seeds, bounds, case)
  local n = ports ^ 3 // 4 | 0
  local measures = distribution(n, bounds, case, permutation.alone(kind, case.size))
  if case.clusters then measures[#measures + 1] = clusters(n, case.size) end
  measures[#measures + 1] = common.pauses { least = 0, peers = beside(case.peers, "pauses") }
  measures[#measures + 1] = common.no_drops()
  return (weft.case {
    name = ("%s, median of %d seeds"):format(case.name, seeds), seeds = seeds, over = "median",
    scenario = permutation.scenario(ports, kind, case.set), measures = measures,
  })
end

-- `kind`: "shift" or "random". `bounds`: of the distribution. `cases`: { name, peers, set, size,
-- bounds, beyond, clusters } each; a peer is { name, min, mean, p50, p99, max, pauses }.
function permutation.row(row)
  local sources, all = "", {}
  for i, case in ipairs(row.cases) do
    all[i] = ecmp(row.ports, row.kind, row.seeds, case.bounds or row.bounds, case)
    for _, peer in ipairs(case.peers) do
      if not sources:find(peer[1]) then sources = sources .. " " .. peer[1] end
    end
  end
  return (weft.validation {
    id = row.id, source = common.source(sources), full = row.full, cases = all,
    setup = ("%d hosts in a fat tree of %d-port switches, 100 Gb/s: each sends 2 MiB to %s, ECMP, PFC"):format(
      row.ports ^ 3 // 4 | 0, row.ports,
      row.kind == "shift" and "the one half of all further on" or "the next of a random cycle"),
  })
end

-- The peers' conventions with paths by hash. In fat trees csg's PAUSE frames do travel, like uet's.
function permutation.csg() return common.uet { routing = "ecmp" } end

function permutation.hpcc(set)
  local all = { routing = "ecmp" }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return common.hpcc(16, all)
end

-- Packets take any way, the receiver takes them in any order; an ACK for every fourth in order, as uet.
function permutation.spraying(set)
  local all = {
    routing = "spray", transport = "selective", reorder_window = "1ms", rto_low = "10ms",
    rto_high = "10ms", ack_every = 4,
  }
  for knob, value in pairs(set or {}) do all[knob] = value end
  return common.uet(all)
end

return permutation
