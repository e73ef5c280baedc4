local weft = require "weft"
local common = require "common"
local ib = require "infiniband"

-- 100 Gb/s in ps: frames of 4122 bytes, 31 of which fit into a buffer; credit packets of 8.
local tau, frames = 80, 31
local slot, header, credit = (4122 + 4) * tau, (64 + 4) * tau, 8 * tau

-- From the first bit of a frame out to the credits for its room back. Cut through, it leaves the
-- switch a header behind; else a whole frame.
local function round_trip(cut_through, delay)
  return (cut_through and header or slot) + slot + credit + 2 * delay
end

local function cable(cut_through, delay)
  return (weft.scenario {
    fabric = common.star(2, "100Gbps", delay .. "ps"), workload = common.one_flow(common.endless),
    set = ib.set {
      mtu = "4096B", vl_buffer = "131072B", cut_through = cut_through, ack_every = 0,
    },
  })
end

local function name(cut_through, delay)
  return (cut_through and "cut through, " or "stored, ") .. delay / 5000 .. " m"
end

local function rate(cut_through, metres)
  local delay = metres * 5000
  local gbps = frames * 4122 * 8000 / math.max(round_trip(cut_through, delay), frames * slot)
  return (weft.case {
    name = name(cut_through, delay), scenario = cable(cut_through, delay), at = { "2ms", "12ms" },
    measures = {
      weft.measure {
        name = "gross rate", unit = "Gb/s", expected = gbps, tolerance = "1%",
        of = function(m) return common.goodput(m[1], m[2], 1) * 4122 / 4096 end,
      },
      common.none "dropped",
    },
  })
end

-- The longest cable on which nobody waits, and what 1 ps more costs: there and back, once in 31.
local function longest(cut_through)
  local delay = (frames * slot - round_trip(cut_through, 0)) // 2
  local function case(more)
    return (weft.case {
      name = name(cut_through, delay) .. (more > 0 and " + " .. more .. " ps" or ""),
      scenario = cable(cut_through, delay + more), at = { "2ms", "12ms" },
      measures = {
        weft.measure {
          name = "wait for credits, for each 31 frames", unit = "ps", expected = 2 * more,
          tolerance = "0.1%",
          of = function(m)
            local sent = (m[2].flow(1).delivered - m[1].flow(1).delivered).bytes / 4096
            return (m[2].starved - m[1].starved).ps / (sent / frames)
          end,
        },
        common.none "dropped",
      },
    })
  end
  return case(0), case(1)
end

local cases = {}
for _, cut_through in ipairs { true, false } do
  cases[#cases + 1], cases[#cases + 2] = longest(cut_through)
  cases[#cases + 1] = rate(cut_through, 1000)
  cases[#cases + 1] = rate(cut_through, 5000)
end

return weft.validation {
  id = "V76", source = "closed form: K frames in a round trip",
  setup = "V70 with and without cut-through: the longest cable at line rate, to the picosecond",
  cases = cases,
}
