-- Rows P2-4, P2-16, P2-64 and their variants: so many hosts send 1 MiB each to one, through one switch.

local weft = require "weft"
local common = require "common"

local incast = {}

local near, only, sizes = common.near, common.only, common.sizes

-- By number of senders: FCT of the last flow, mean, first, us; pauses; peak output queue, MB.
local csg = {
  [4] = { last = 345.130, mean = 343.050, first = 340.804, pauses = 100, queue = 0.30 },
  [16] = { last = 1367.49, mean = 1360.84, first = 1353.18, pauses = 417, queue = 1.24 },
  [64] = { last = 5456.94, mean = 5419.58, first = 5378.73, pauses = 1713, queue = 5.03 },
}
local uet = {
  [4] = { last = 346.129, pauses = 50 }, [16] = { last = 1372.150, pauses = 355 },
  [64] = { last = 5477.570, pauses = 1459 },
}
local hpcc = {
  [4] = { last = 343.283, mean = 340.801, first = 338.649, pauses = 56, queue = 1.44 },
  [16] = { last = 1360.115, mean = 1346.79, first = 1334.63, pauses = 334, queue = 2.88 },
  [64] = { last = 5427.443, mean = 5396.83, first = 5364.55, pauses = 1280, queue = 3.67 },
}
local hpcc1000 = { -- 1000 B of payload
  [4] = { last = 352.223, mean = 351.734, first = 350.914, pauses = 68 },
  [16] = { last = 1396.619, mean = 1386.70, first = 1369.08, pauses = 428 },
  [64] = { last = 5574.203, mean = 5493.09, first = 5400.30, pauses = 1470 },
}
local roomy_pauses = { [4] = 0, [16] = 0, [64] = 1206 } -- hpcc with 32 MiB

local one_too_many = "uet sends one packet more than each flow needs"
local travels = "csg's PAUSE frames were at the other end at once: its record of how much one port held, "
  .. "79,040 B at most, is the 15 packets that make a switch pause and the 4 that were on the cable"
local who_first = "who ends first depends on the order of a few PAUSE frames"

-- ---- measures --------------------------------------------------------------------------------

-- The last byte is there when the line has carried all of them: no threshold, no buffer moves that.
local function last(n, size, packets, peers, tolerance)
  return common.fct(n, "last FCT", common.last, {
    expected = common.incast_last(size, n, packets), tolerance = tolerance or "0.01%",
    peers = peers,
  })
end

-- 98.5 to 99.9 % of the last: two in this window differ by 1.4 at most.
local function mean(n, peer, figures)
  return (weft.measure {
    name = "mean FCT as a share of the last", unit = "%", least = 98.5, most = 99.9,
    peers = { near(peer, 100 * figures.mean / figures.last, 1.4) },
    of = function(m)
      local fct = common.fcts(m.last, n)
      return 100 * common.mean(fct) / common.last(fct)
    end,
  })
end

local function first(n, peer, figures)
  return common.fct(n, "first FCT", common.first, {
    most = figures.last, peers = { only(peer, figures.first, who_first) },
  })
end

-- The same rule and thresholds: within a quarter.
local function pauses(figure, ...)
  return common.pauses { expected = figure, tolerance = "25%", peers = { ... } }
end

local function queue(peer, figure, bound, within)
  return (weft.measure {
    name = "peak output queue", unit = "MB", most = bound, peers = { near(peer, figure, within) },
    of = function(m) return m.last.port "sw:1".max end,
  })
end

-- ---- without congestion control, PFC on ------------------------------------------------------

local function with_csg(n)
  return (weft.case {
    name = "csg's sizes and PAUSE", scenario = common.incast(n, common.csg {}),
    measures = {
      last(n, sizes.csg, 256, {
        near("csg", csg[n].last, "0.01%"), near("uet", uet[n].last, "0.01%", one_too_many),
      }),
      mean(n, "csg", csg[n]), first(n, "csg", csg[n]),
      pauses(csg[n].pauses, near("csg", csg[n].pauses, "25%")),
      -- 19 packets from each at most
      queue("csg", csg[n].queue, n * 0.07904, 0.01), common.no_drops(),
    },
  })
end

local function with_uet(n)
  return (weft.case {
    name = "csg's sizes, PAUSE on the cable", scenario = common.incast(n, common.uet {}),
    measures = {
      last(n, sizes.csg, 256, { near("csg", csg[n].last, "0.01%") }),
      pauses(uet[n].pauses, near("uet", uet[n].pauses, "25%"), near("csg", csg[n].pauses, "25%", travels)),
      common.no_drops(),
    },
  })
end

local function with_hpcc(n)
  return (weft.case {
    name = "hpcc's sizes and thresholds", scenario = common.incast(n, common.hpcc(4)),
    measures = {
      last(n, sizes.hpcc, 256, { near("hpcc", hpcc[n].last, "0.2%") }),
      mean(n, "hpcc", hpcc[n]), first(n, "hpcc", hpcc[n]),
      pauses(hpcc[n].pauses, near("hpcc", hpcc[n].pauses, "25%")),
      queue("hpcc", hpcc[n].queue, 4.194304, 0.01), common.no_drops(),
    },
  })
end

local function with_hpcc_1000(n)
  local figures = hpcc1000[n]
  -- 1,049 packets each, the last of 576 B: less than the line is early, more than nothing is late
  local bytes = n * (1048576 + 1049 * 48)
  return (weft.case {
    name = "hpcc's, 1000 B of payload", scenario = common.incast(n, common.hpcc(4, { mtu = "1000B" })),
    measures = {
      common.fct(n, "last FCT", common.last, {
        expected = bytes * 80e-6 + 1048 * 80e-6 + 4 + 2 * 60 * 80e-6, tolerance = "0.02%",
        peers = { near("hpcc", figures.last, "0.2%", common.whole_ns_1000) },
      }),
      mean(n, "hpcc", figures),
      pauses(figures.pauses, near("hpcc", figures.pauses, "25%")), common.no_drops(),
    },
  })
end

local function roomy(n)
  local figure = roomy_pauses[n]
  return (weft.case {
    name = "hpcc's, a buffer of 32 MiB", scenario = common.incast(n, common.hpcc(32)),
    measures = {
      last(n, sizes.hpcc, 256, { near("hpcc", hpcc[n].last, "0.2%") }),
      pauses(figure, near("hpcc", figure, "25%")), common.no_drops(),
    },
  })
end

-- A window of one bandwidth-delay product, 58,175 B: a packet may go while fewer are out, so 15 may be.
local function windowed(n)
  local figures = ({ [4] = 0.19, [16] = 0.94 })[n]
  if not figures then return nil end
  return (weft.case {
    name = "hpcc's, a window of 15 packets",
    scenario = common.incast(n, common.hpcc(4, { transport = "selective", window = 15 })),
    measures = {
      last(n, sizes.hpcc, 256, { near("hpcc", hpcc[n].last, "0.2%") }),
      common.pauses { expected = 0, peers = { near("hpcc", 0, 0) } },
      queue("hpcc", figures, n * 15 * 0.004144, 0.01), common.no_drops(),
    },
  })
end

-- Whatever a switch does about its buffer, the line is never idle and the last FCT is the same.
local function unmoved(n)
  local function variant(set) return common.incast(n, common.csg(set)) end
  return (weft.case {
    name = "csg's sizes, six kinds of PAUSE", scenarios = {
      variant {}, variant { pfc_travel = "cable" }, variant { xoff = "30000B", xon = "auto" },
      variant { xoff = "200000B", xon = "150000B" }, variant { flow_control = "none" },
      variant { xon = "auto", alpha = "12.5%", headroom = "37500B", buffer = "8MiB" },
    },
    measures = {
      weft.measure {
        name = "last FCT, longest against shortest", unit = "ps", expected = 0,
        of = function(m)
          local least, most = math.huge, 0
          for i = 1, #m do
            local x = common.last(common.fcts(m[i].last, n))
            least, most = math.min(least, x), math.max(most, x)
          end
          return math.floor((most - least) * 1e6 + 0.5)
        end,
      },
    },
  })
end

function incast.row(n)
  local cases = {
    with_csg(n), with_uet(n), with_hpcc(n), with_hpcc_1000(n), roomy(n), unmoved(n),
  }
  cases[#cases + 1] = windowed(n)
  return (weft.validation {
    id = "P2-" .. n, source = common.source "csg uet hpcc",
    setup = n .. " hosts send 1 MiB each to one through one switch, 100 Gb/s, PFC, no congestion control",
    cases = cases,
  })
end

return incast
