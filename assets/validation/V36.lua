local weft = require "weft"
local common = require "common"
local rates = require "rates"

local function dcqcn()
  return {
    xoff = "300KB", xon = "auto", ecn = true, cc = "dcqcn", kmin = "5KB", kmax = "200KB",
    pmax = "1%",
  }
end

local function victim(extra)
  return (weft.case {
    name = "V35 with " .. extra .. " more senders", scenario = rates.victim(extra, dcqcn()),
    at = { "100ms", "110ms" }, seeds = 11, over = "median",
    measures = {
      weft.measure {
        name = "gross rate of the victim", unit = "Gb/s", least = 18,
        of = function(m) return common.gross(m[1], m[2], 1) end,
      },
      common.none "dropped",
    },
  })
end

return weft.validation {
  id = "V36", full = true, source = "independent experiment; DCQCN15",
  setup = "V32 and V35 with DCQCN: 5 KB, 200 KB, 1 %, XOFF 300 KB",
  cases = {
    victim(0), victim(1), victim(2),
    weft.case {
      name = "V32",
      scenario = weft.scenario {
        fabric = rates.parking_lot, workload = common.to("r", common.endless, "h1 h2 h3 h4"),
        set = common.set(dcqcn()),
      },
      at = { "100ms", "300ms" },
      measures = {
        weft.measure {
          name = "Jain's index", unit = "share", least = .98,
          of = function(m) return common.jain(m[1], m[2], 4) end,
        },
        common.none "dropped",
      },
    },
  },
}
