-- Rows V70 to V75: link credits.

local weft = require "weft"
local common = require "common"

local ib = {}

function ib.set(changes)
  local all = {
    link = "infiniband", flow_control = "credits", cred_min = "0ns", timeout_exponent = 20,
  }
  for knob, value in pairs(changes) do all[knob] = value end
  return common.set(all)
end

-- Host, switch, host: `net` has rate (Gb/s), metres, buffer, latency.
function ib.cable(net)
  return (weft.scenario {
    fabric = common.star(2, net.rate .. "Gbps", net.metres * 5 .. "ns"),
    workload = common.one_flow(common.endless),
    set = ib.set { mtu = "4096B", vl_buffer = net.buffer, switch_latency = net.latency },
  })
end

function ib.name(net) return net.rate .. " Gb/s, " .. net.metres .. " m" end

-- Rates of whole frames, 4122 bytes with 4096 of payload, for cables of these lengths.
function ib.cables(rate, buffer, latency, lengths)
  local cases = {}
  for _, row in ipairs(lengths) do
    local net = { rate = rate, metres = row[1], buffer = buffer, latency = latency }
    cases[#cases + 1] = weft.case {
      name = ib.name(net), scenario = ib.cable(net), at = { "2ms", "12ms" },
      measures = {
        weft.measure {
          name = "gross rate", unit = "Gb/s", expected = row[2], tolerance = "1%",
          of = function(m) return common.goodput(m[1], m[2], 1) * 4122 / 4096 end,
        },
        common.none "dropped",
      },
    }
  end
  return cases
end

return ib
