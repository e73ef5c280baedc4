local weft = require "weft"
local common = require "common"

-- AlexNet's two GTX 580 (3 GB each) under one PCIe 2 x16 root: 8 GB/s each way, 125 ps a byte. What
-- one of them needs from the other for one image: floats of 4 bytes (see V89), batches of 128,
-- activations forward and their gradients backward.
local floats = { 13 * 13 * 128, 6 * 6 * 128, 2048, 2048 }
local flows, packets = {}, 0
for _, count in ipairs(floats) do
  for _ = 1, 2 do
    local bytes = count * 4 * 128
    flows[#flows + 1] = { src = "g1", dst = "g2", bytes = bytes .. "B" }
    flows[#flows + 1] = { src = "g2", dst = "g1", bytes = bytes .. "B" }
    packets = packets + bytes // 4096
  end
end

-- A packet of 4096 bytes takes 16 TLPs: 4480 bytes on each of the two cables; in its way go, for each
-- packet of the other direction, 8 bytes that return credits. Then cable, root, cable.
local tlps = 4096 + 16 * 24
local time = ((packets + 1) * tlps + packets * 8) * 125e-6 + 2 * .001 + .2 -- us

return weft.validation {
  id = "V93", source = "closed form. The rate is PCIe's ceiling, 4096 of 4488 bytes of 8 GB/s; cards of"
    .. " that time are said to reach 5 to 6 GB/s from one to the other: their engines and roots are"
    .. " not in the model",
  setup = "AlexNet's exchange of one batch between two GPUs on PCIe 2 x16, both ways at once",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = weft.box { gpus = 2, pcie = 2 }, workload = weft.flows(flows),
        set = common.set { mtu = "4096B", ack_every = 0, inside_latency = "200ns" },
      },
      measures = {
        weft.measure {
          name = "exchange", unit = "us", expected = time, tolerance = "0.02%",
          of = function(m) return common.last_byte(m.last, #flows) end,
        },
        weft.measure {
          name = "each way", unit = "Gb/s", expected = 8 * 8 * 4096 / 4488, tolerance = "0.05%",
          of = function(m)
            return packets * 4096 * 8e3 / common.last_byte(m.last, #flows).ps
          end,
        },
        weft.measure { -- GPU to root, root to GPU
          name = "PCIe cables a byte crosses", unit = "times", expected = 2,
          of = function(m) return m.last.pcie_bytes.bytes / (2 * packets * 4096) end,
        },
      },
    },
  },
}
