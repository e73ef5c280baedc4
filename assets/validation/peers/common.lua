-- What the rows beside other simulators have in common: who they are, their conventions as switches,
-- the fabrics, and the usual measures. FCT: from a flow's start until its sender has the last ACK.

local weft = require "weft"

local common = {}

-- ---- who they are ----------------------------------------------------------------------------

local who = {
  csg = "csg: Broadcom's csg-htsim, commit 841d9e7, its RoCE program",
  uet = "uet: Ultra Ethernet's uet-htsim, commit 40ccb05, its RoCE program, a fork of csg",
  uec = "uec: the same commit, its Ultra Ethernet program (NSCC congestion control, trimming)",
  hpcc = "hpcc: the ns-3 model of the HPCC paper, alibaba-edu, commit 9f4be2a",
  cw = "cw: ConWeave's ns-3, commit 236a801, a fork of hpcc with DRILL and IRN",
}

-- "csg hpcc" as a row's source.
function common.source(names)
  local said = {}
  for name in names:gmatch("%S+") do said[#said + 1] = assert(who[name], name) end
  return table.concat(said, "; ")
end

-- ---- their conventions -----------------------------------------------------------------------

local function merged(first, second)
  local all = {}
  for knob, value in pairs(first) do all[knob] = value end
  for knob, value in pairs(second or {}) do all[knob] = value end
  return all
end

-- All of them: 4096 B of payload, an ACK for each, which queues with the data in switches; switches and
-- NICs take no time; no timeout.
local everywhere = {
  mtu = "4096B", ack_every = 1, ack_class = "data", switch_latency = "0ns", pfc_response = "0ns",
  buffer = "unlimited", queue_cap = "unlimited", timeout_exponent = 20,
}

-- Ours where the peers' sizes do not matter: headers, preamble and gap of RoCEv2 on Ethernet.
function common.ours(changes) return merged(everywhere, changes) end

-- csg, uet: 64 B of headers, nothing between frames; PAUSE above 61,440 B from one neighbour, RESUME
-- below 49,152 B, room without end behind. csg's PAUSE is at the other end at once.
function common.csg(changes)
  return merged(merged(everywhere, {
    wire_overhead = "64B", wire_gap = "0B", wire_ack = "64B", xoff = "61440B", xon = "49152B",
    headroom = "200000B", pfc_travel = "instant",
  }), changes)
end

function common.uet(changes) return common.csg(merged({ pfc_travel = "cable" }, changes)) end

-- hpcc and its forks: 48 B of headers; a switch shares what headroom (37,500 B a port) and a reserve
-- (4,096 B a port) leave of its buffer; PAUSE when a port uses an eighth of what is free of that, above
-- its reserve, RESUME 3,072 B below. An eighth of 8 reserves more is one reserve: this is how the rule
-- is put in terms of what a port uses in all (the one that only sends takes nothing of its reserve).
function common.hpcc(mib, changes)
  return merged(merged(everywhere, {
    wire_overhead = "48B", wire_gap = "0B", wire_ack = "60B", headroom = "37500B", alpha = "12.5%",
    xon = "auto", xon_offset = "3072B", buffer = mib * 1048576 + 7 * 4096 .. "B",
  }), changes)
end

-- Bytes on the wire of a full packet and of an ACK; us each at 100 Gb/s.
common.sizes = {
  csg = { packet = 4160, ack = 64 }, hpcc = { packet = 4144, ack = 60 },
  hpcc1000 = { packet = 1048, ack = 60 },
}

local function us(bytes) return bytes * 80 / 1e6 end

-- n packets over so many cables of 1 us, alone.
function common.alone(size, n, cables)
  return n * us(size.packet) + (cables - 1) * us(size.packet) + 2 * cables + cables * us(size.ack)
end

-- n packets from each of so many senders to one, two cables each.
function common.incast_last(size, senders, n)
  return senders * n * us(size.packet) + us(size.packet) + 4 + 2 * us(size.ack)
end

-- Why hpcc is always a little early.
common.whole_ns = "hpcc counts in whole nanoseconds and cuts off the rest: a packet of 4,144 B takes "
  .. "331 ns instead of 331.52, so its links are 0.16 % faster than 100 Gb/s"
common.whole_ns_1000 = "hpcc counts in whole nanoseconds and cuts off the rest: a packet of 1,048 B takes "
  .. "83 ns instead of 83.84, so its links are 1 % faster than 100 Gb/s"
common.hash = "which flows share a link is decided by another hash in every simulator: the same lottery, "
  .. "another draw; only the window that holds all draws can be compared"

-- ---- fabrics and work ------------------------------------------------------------------------

function common.star(hosts) return (weft.star { hosts = hosts, rate = "100Gbps", delay = "1us" }) end

function common.fat_tree(ports)
  return (weft.fat_tree { ports = ports, rate = "100Gbps", delay = "1us" })
end

-- Every host but g1 sends to g1.
function common.incast(senders, set, bytes)
  return (weft.scenario {
    fabric = common.star(senders + 1), set = set,
    workload = weft.incast { to = "g1", from = senders, bytes = bytes or "1MiB" },
  })
end

-- ---- measures --------------------------------------------------------------------------------

-- FCTs of flows 1 to n in us, shortest first.
function common.fcts(moment, n)
  local fct = {}
  for i = 1, n do
    local flow = moment.flow(i)
    fct[i] = (flow.acked_at - flow.start).ps / 1e6
  end
  table.sort(fct)
  return fct
end

function common.mean(fct)
  local sum = 0
  for _, x in ipairs(fct) do sum = sum + x end
  return sum / #fct
end

-- The FCT below which a share of the flows lies.
function common.quantile(fct, share) return fct[math.max(1, math.ceil(share * #fct))] end

-- A measure in us from the sorted FCTs of flows 1 to n.
function common.fct(n, name, of, rest)
  rest.name, rest.unit = name, "us"
  rest.of = function(m) return of(common.fcts(m.last, n)) end
  return (weft.measure(rest))
end

function common.last(fct) return fct[#fct] end
function common.first(fct) return fct[1] end

-- One peer's figure and how far ours may be off.
function common.near(name, figure, within, why)
  return { name = name, figure = figure, within = within, why = why }
end

-- A figure, or the range of several runs, of which only the direction can be compared.
function common.only(name, figure, why)
  if type(figure) == "table" then
    return { name = name, least = figure[1], most = figure[2], why = why }
  end
  return { name = name, figure = figure, why = why }
end

-- PAUSE frames that stop somebody: repeated ones are not counted, as peers do not repeat them.
function common.pauses(rest)
  rest.name, rest.unit = "pauses", "frames"
  rest.of = function(m) return m.last.xon_frames end
  return (weft.measure(rest))
end

function common.no_drops()
  return (weft.measure {
    name = "packets lost", unit = "packets", expected = 0,
    of = function(m) return m.last.dropped end,
  })
end

return common
