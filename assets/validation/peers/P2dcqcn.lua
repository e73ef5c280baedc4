local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

local only = common.only

-- hpcc, ranges of 7 seeds (low marks: one seed), by senders: FCTs in us, pauses, marked packets.
local hpcc = {
  fast = {
    [4] = { last = { 563, 801 }, mean = { 490, 617 }, pauses = { 2, 13 }, marks = { 34, 50 } },
    [16] = { last = { 1586, 1913 }, mean = { 1359, 1609 }, pauses = { 131, 241 }, marks = { 1213, 1912 } },
    [64] = { last = { 5427, 5439 }, mean = { 4428, 4596 }, pauses = { 1637, 1931 }, marks = { 7839, 9618 } },
  },
  paper = {
    [4] = { last = { 346, 409 }, mean = { 341, 374 }, pauses = { 29, 54 }, marks = { 91, 126 } },
    [16] = { last = { 1406, 1465 }, mean = { 1192, 1279 }, pauses = { 300, 345 }, marks = { 2343, 2786 } },
    [64] = { last = { 5751, 5990 }, mean = { 4884, 5056 }, pauses = { 2005, 2367 }, marks = { 7060, 8162 } },
  },
  ["fast, low marks"] = {
    [4] = { last = 949, mean = 932, pauses = 0, marks = 340 },
    [16] = { last = 2101, mean = 1973, pauses = 141, marks = 3396 },
    [64] = { last = 5756, mean = 5473, pauses = 2613, marks = 15427 },
  },
  ["paper, low marks"] = {
    [4] = { last = 409, mean = 409, pauses = 28, marks = 813 },
    [16] = { last = 1675, mean = 1514, pauses = 359, marks = 3479 },
    [64] = { last = 6710, mean = 5442, pauses = 2199, marks = 14441 },
  },
}
-- Without congestion control it pauses so often.
local alone = { [4] = 56, [16] = 334, [64] = 1280 }

-- The range widened by 15 % each way; it is no range when there was one seed.
local function widened(figure)
  if type(figure) == "table" then
    return { name = "hpcc", least = figure[1], most = figure[2], within = "15%" }
  end
  return { name = "hpcc", figure = figure, within = "15%", why = dcqcn.luck }
end

local function window(figure, floor)
  local low, high = figure, figure
  if type(figure) == "table" then low, high = figure[1], figure[2] end
  return math.max(0.85 * low, floor), 1.15 * high
end

local function fct(n, name, of, figure, floor)
  local least, most = window(figure, floor)
  return common.fct(n, name, of, { least = least, most = most, peers = { widened(figure) } })
end

-- It removes pauses only when few send: of 64 they are more than without it, or as many.
local function pauses(n, figure)
  local rest = { peers = { only("hpcc", figure, dcqcn.counts) } }
  if n == 4 then rest.most = alone[n] elseif n == 64 then rest.least = 0.75 * alone[n] else rest.least = 1 end
  return common.pauses(rest)
end

local cases = {}
for _, name in ipairs { "fast", "paper", "fast, low marks", "paper, low marks" } do
  for _, n in ipairs { 4, 16, 64 } do
    local figures = hpcc[name][n]
    cases[#cases + 1] = weft.case {
      name = ("%s, %d senders, median of 7 seeds"):format(name, n), seeds = 7, over = "median",
      scenario = common.incast(n, common.hpcc(4, dcqcn.set(name))),
      measures = {
        -- never better than PFC alone
        fct(n, "last FCT", common.last, figures.last, common.incast_last(common.sizes.hpcc, n, 256)),
        fct(n, "mean FCT", common.mean, figures.mean, 0), pauses(n, figures.pauses),
        weft.measure {
          name = "marked packets", unit = "packets", least = 1,
          of = function(m) return m.last.marked end, peers = { only("hpcc", figures.marks, dcqcn.counts) },
        },
        common.no_drops(),
      },
    }
  end
end

return weft.validation {
  id = "P2dcqcn", source = common.source "hpcc", cases = cases,
  setup = "4, 16 and 64 hosts send 1 MiB each to one, PFC and DCQCN as hpcc has it",
}
