local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

local only = common.only

-- Without PFC. Buffers, timeouts and what is dropped when differ too much to compare figures; what must
-- be: goodput falls, losses grow faster than the number of senders, and every flow ends.
local lossy = {
  flow_control = "none", buffer = "4MiB", queue_alpha = "100%", retry_limit = 1000,
  timeout_exponent = 10, -- 4.2 ms
}

local function set(changes)
  local all = {}
  for knob, value in pairs(lossy) do all[knob] = value end
  for knob, value in pairs(changes or {}) do all[knob] = value end
  return common.hpcc(4, all)
end

local no_timeout = "hpcc has no timeout: a flow whose last packets are lost never ends, and it drops by what each "
  .. "neighbour holds; ours by what waits for one cable, and a timer of 4.2 ms finds a lost tail"
local cw_timer = "cw, with a timeout like ours; its switches drop by rules of their own"
local selective = "cw, selective repeat with at most 25 packets out and DCQCN; its switches drop by rules of their own"

local figures = {
  [4] = { last = 406.8, dropped = 578, cw = 4317, irn = 343.3, slowed = 12 },
  [16] = { last = 1454.8, dropped = 9714, cw = 25104, irn = 1682.8, slowed = 1909 },
  [64] = { last = 3794, dropped = 97441, cw = 95513, irn = 7651.6, slowed = 55842 },
}

local function ended(n)
  return (weft.measure {
    name = "flows that end", unit = "flows", expected = n,
    of = function(m)
      local count = 0
      for i = 1, n do count = count + (m.last.flow(i).acked == 256 and 1 or 0) end
      return count
    end,
  })
end

local function go_back_n(n)
  local f = figures[n]
  return (weft.case {
    name = n .. " senders, go-back-N", scenario = common.incast(n, set()),
    measures = {
      common.fct(n, "last FCT", common.last, {
        least = common.incast_last(common.sizes.hpcc, n, 256),
        peers = { only("cw", f.cw, cw_timer), only("hpcc", f.last, no_timeout) },
      }),
      weft.measure {
        name = "packets lost", unit = "packets", least = 1,
        of = function(m) return m.last.dropped end, peers = { only("hpcc", f.dropped, no_timeout) },
      },
      ended(n),
    },
  })
end

-- With DCQCN less is lost, but not nothing: all begin at the line's rate.
local function slowed(n)
  return (weft.case {
    name = n .. " senders, go-back-N, with DCQCN and without",
    scenarios = { common.incast(n, set(dcqcn.set "fast")), common.incast(n, set()) },
    measures = {
      weft.measure {
        name = "packets lost, with DCQCN against without", unit = "times", most = 1,
        peers = { only("hpcc", figures[n].slowed / figures[n].dropped, no_timeout) },
        of = function(m) return m[1].last.dropped / m[2].last.dropped end,
      },
    },
  })
end

local function repeat_selectively(n)
  local all = dcqcn.set "fast"
  all.transport, all.window, all.rto_low, all.rto_high = "selective", 25, "454us", "1350us"
  return (weft.case {
    name = n .. " senders, selective repeat and DCQCN", scenario = common.incast(n, set(all)),
    measures = {
      common.fct(n, "last FCT", common.last, {
        least = common.incast_last(common.sizes.hpcc, n, 256), peers = { only("cw", figures[n].irn, selective) },
      }),
      ended(n),
    },
  })
end

local function scenario(n) return common.incast(n, set()) end

return weft.validation {
  id = "P2loss", source = common.source "hpcc cw",
  setup = "4, 16 and 64 hosts send 1 MiB each to one through one switch, 100 Gb/s, no PFC",
  cases = {
    go_back_n(4), go_back_n(16), go_back_n(64),
    weft.case {
      name = "go-back-N", scenarios = { scenario(4), scenario(16), scenario(64) },
      measures = {
        weft.measure {
          name = "losses a sender, of 16 against 4", unit = "times", least = 1,
          peers = { only("hpcc", 9714 / 578 / 4, no_timeout) },
          of = function(m) return m[2].last.dropped / m[1].last.dropped / 4 end,
        },
        weft.measure {
          name = "losses a sender, of 64 against 16", unit = "times", least = 1,
          peers = { only("hpcc", 97441 / 9714 / 4, no_timeout) },
          of = function(m) return m[3].last.dropped / m[2].last.dropped / 4 end,
        },
      },
    },
    slowed(4), slowed(16), slowed(64),
    repeat_selectively(4), repeat_selectively(16), repeat_selectively(64),
  },
}
