-- Rows V20 to V22: a sender at line rate into a blocked port.

local weft = require "weft"
local common = require "common"

local headroom = {}

-- `frames` of headroom, less `short` bytes; XOFF is 20 frames. `reverse`: when a third host begins to
-- fill the other direction of the sender's cable; nil: never.
function headroom.scenario(net, frames, short, reverse)
  local frame = net.mtu + 62
  local flows = { { src = "g1", dst = "g2", bytes = "4MiB", start = "1us" } }
  if reverse then
    flows[2] = { src = "g3", dst = "g1", bytes = "64MiB", start = reverse .. "ps" }
  end
  return (weft.scenario {
    fabric = common.star(3, net.rate .. "Gbps", net.delay),
    workload = weft.flows(flows),
    set = common.set {
      mtu = net.mtu .. "B", pfc_response = net.response or "0ns", xoff = 20 * frame .. "B",
      xon = "0B", headroom = frames * frame - short .. "B", timeout_exponent = 20, ack_every = 0,
    },
    faults = { { "hold g2 on" } },
  })
end

function headroom.name(net)
  return string.format("%d Gb/s, %s, MTU %d%s", net.rate, net.delay, net.mtu,
    net.response and ", response " .. net.response or "")
end

-- Exactly enough loses nothing, one byte less loses one frame.
function headroom.case(net, frames)
  return (weft.case {
    name = headroom.name(net) .. ", " .. frames .. " frames",
    scenarios = { headroom.scenario(net, frames, 0), headroom.scenario(net, frames, 1) },
    at = { "300us" },
    measures = {
      weft.measure {
        name = "lost with exactly enough", unit = "frames", expected = 0,
        of = function(m) return m[1].last.dropped end,
      },
      weft.measure {
        name = "lost with one byte less", unit = "frames", expected = 1,
        of = function(m) return m[2].last.dropped end,
      },
    },
  })
end

return headroom
