-- What the rows about TCP have in common.

local weft = require "weft"
local common = require "common"

local tcp = {}

-- Two hosts round a switch, one flow.
function tcp.flow(bytes, rate, delay, changes, faults)
  changes.transport = "tcp"
  return (weft.scenario {
    fabric = common.star(2, rate, delay), workload = common.one_flow(bytes),
    set = common.set(changes), faults = faults,
  })
end

local sru = 256000 -- bytes of one server's part of a block

-- Incast: n servers send a client their parts of a block, 1 Gb/s, cables of 5 km, 64 KB of queue;
-- the next block begins when this one is complete.
function tcp.incast(n, blocks, rto_min, class)
  return (weft.scenario {
    fabric = common.star(n + 1, "1Gbps", "25us"),
    workload = weft.incast { to = "g" .. n + 1, from = n, bytes = sru .. "B", blocks = blocks },
    set = common.set {
      transport = "tcp", rto_min = rto_min, queue_cap = "64KB", tcp_class = class or "lossy",
    },
  })
end

-- Payload of a whole incast, Mb/s.
function tcp.goodput(moment, n, blocks)
  return n * blocks * sru * 8e6 / common.last_byte(moment, n).ps
end

function tcp.incast_case(n, blocks, rto_min, bound, class, more)
  local share = weft.measure {
    name = "goodput of the line", unit = "%", least = bound.least, most = bound.most,
    of = function(m) return tcp.goodput(m.last, n, blocks) / 10 end,
  }
  return (weft.case {
    name = n .. " servers, RTOmin " .. rto_min, scenario = tcp.incast(n, blocks, rto_min, class),
    measures = { share, table.unpack(more or {}) },
  })
end

return tcp
