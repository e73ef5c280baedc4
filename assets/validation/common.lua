-- What the rows of the validation table have in common: conventions, fabrics, and ways to measure.

local weft = require "weft"

local common = {}

-- Unless a row says otherwise: MTU 1024, no latencies, an ACK for every packet, XOFF 100,000 B, XON
-- 97,000 B, headroom 200,000 B, no response time, no buffer limit.
local conventions = {
  mtu = "1024B", switch_latency = "0ns", ack_every = 1, xoff = "100000B", xon = "97000B",
  headroom = "200000B", pfc_response = "0ns", buffer = "unlimited", queue_cap = "unlimited",
}

-- The conventions and what a row changes about them.
function common.set(changes)
  local set = {}
  for knob, value in pairs(conventions) do set[knob] = value end
  for knob, value in pairs(changes or {}) do set[knob] = value end
  return set
end

-- g1, g2, ... round one switch `sw`; cables of 5 m.
function common.star(hosts, rate, delay)
  return (weft.star { hosts = hosts, rate = rate, delay = delay or "25ns" })
end

-- g1 - s1 - s2 ... - g2 over cables of these rates, 5 m each.
function common.chain(rates)
  local nodes = { (weft.node { name = "g1", kind = "host" }) }
  local links, last = {}, "g1"
  for i, rate in ipairs(rates) do
    local name = i == #rates and "g2" or "s" .. i
    nodes[#nodes + 1] = weft.node { name = name, kind = i == #rates and "host" or "switch" }
    links[#links + 1] = weft.link { a = last, b = name, rate = rate, delay = "25ns" }
    last = name
  end
  return (weft.fabric { nodes = nodes, links = links })
end

-- A fabric from "a-b" cables of one rate, 5 m each: nodes that begin with s, t or l are switches.
-- `more` gives a cable another rate or delay: { ["a-b"] = { rate = ..., delay = ... } }.
function common.net(rate, cables, more)
  local nodes, links, known = {}, {}, {}
  for cable in cables:gmatch("%S+") do
    local a, b = cable:match("^(%w+)-(%w+)$")
    for _, name in ipairs { a, b } do
      if not known[name] then
        known[name] = true
        local kind = name:match("^[stl]") and "switch" or "host"
        nodes[#nodes + 1] = weft.node { name = name, kind = kind }
      end
    end
    local own = more and more[cable] or {}
    links[#links + 1] = weft.link {
      a = a, b = b, rate = own.rate or rate, delay = own.delay or "25ns",
    }
  end
  return (weft.fabric { nodes = nodes, links = links })
end

-- One message of `bytes` from each of the sources.
function common.to(dst, bytes, sources)
  local flows = {}
  for src in sources:gmatch("%S+") do flows[#flows + 1] = { src = src, dst = dst, bytes = bytes } end
  return (weft.flows(flows))
end

function common.one_flow(bytes)
  return (weft.flows { { src = "g1", dst = "g2", bytes = bytes } })
end

common.endless = "1024GiB"

-- Payload of a flow between two moments, Gb/s.
function common.goodput(a, b, flow)
  return (b.flow(flow).delivered - a.flow(flow).delivered).bytes * 8000 / (b.now - a.now).ps
end

-- The same with headers, packets of 1024 B payload and 1086 B in all.
function common.gross(a, b, flow)
  return common.goodput(a, b, flow) * 1086 / 1024
end

-- When the last payload byte of flows 1 to n arrived.
function common.last_byte(moment, n)
  local last = moment.flow(1).delivered_at
  for i = 2, n do
    local at = moment.flow(i).delivered_at
    if at > last then last = at end
  end
  return last
end

-- Jain's index of what flows 1 to n got between two moments: 1 is fair.
function common.jain(a, b, n)
  local sum, squares = 0, 0
  for i = 1, n do
    local x = (b.flow(i).delivered - a.flow(i).delivered).bytes
    sum, squares = sum + x, squares + x * x
  end
  return sum * sum / (n * squares)
end

-- Mean bytes that waited at a port between two moments.
function common.mean_queue(a, b, port)
  local before = a.port(port).mean_bytes * a.now.ps
  return (b.port(port).mean_bytes * b.now.ps - before) / (b.now - a.now).ps
end

-- Moments from..to, so many us apart.
function common.every(us, from, to)
  local at = {}
  for t = from, to, us do at[#at + 1] = t .. "us" end
  return at
end

-- When ports first wait for each other in a circle, among the moments looked at.
function common.locked(name, most)
  return (weft.measure {
    name = name or "locked after", unit = "us", most = most,
    of = function(m)
      for i = 1, #m do
        if m[i].cycle > 0 then return m[i].now end
      end
      error("it never locked")
    end,
  })
end

-- At no moment looked at do ports wait for each other in a circle.
function common.never_locked()
  return (weft.measure {
    name = "moments at which it is locked", unit = "moments", expected = 0,
    of = function(m)
      local count = 0
      for i = 1, #m do count = count + (m[i].cycle > 0 and 1 or 0) end
      return count
    end,
  })
end

-- Gb/s of all flows together between two moments, packets of 1086 B.
function common.total(a, b)
  return (b.delivered - a.delivered) * 1086 * 8000 / (b.now - a.now).ps
end

-- 1 when a condition holds at the end, for a measure that expects it.
function common.holds(name, condition)
  return (weft.measure {
    name = name, unit = "times", expected = 1,
    of = function(m) return condition(m) and 1 or 0 end,
  })
end

-- A measure that must be exactly 0 at the end: "dropped", "marked" ...
function common.none(counter, unit)
  return (weft.measure {
    name = counter, unit = unit or "packets", expected = 0,
    of = function(m) return m.last[counter] end,
  })
end

return common
