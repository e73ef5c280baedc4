local weft = require "weft"
local common = require "common"

-- What one of AlexNet's two GPUs needs from the other for one image, in floats of 4 bytes.
local layers = { 13 * 13 * 128, 6 * 6 * 128, 2048, 2048 }
local batch = 128
local flows = {}
for _, floats in ipairs(layers) do
  for _ = 1, 2 do -- activations, and their gradients
    flows[#flows + 1] = { src = "g1", dst = "g2", bytes = floats * 4 * batch .. "B" }
    flows[#flows + 1] = { src = "g2", dst = "g1", bytes = floats * 4 * batch .. "B" }
  end
end

return weft.validation {
  id = "V89", source = "the network's layers",
  setup = "AlexNet on two GPUs: the exchange of one batch of 128 over 6 GB/s each way",
  cases = {
    weft.case {
      scenario = weft.scenario {
        fabric = weft.pair { rate = "48Gbps", delay = "0ns" }, workload = weft.flows(flows),
        set = common.set { ack_every = 0 },
      },
      measures = {
        weft.measure {
          name = "forward and backward, each way", unit = "B", expected = 31064064,
          of = function(m)
            local sum = m.last.flow(1).delivered
            for i = 3, #flows, 2 do sum = sum + m.last.flow(i).delivered end
            return sum
          end,
        },
        weft.measure {
          name = "exchange", unit = "ms", expected = 31064064 / 6e9 * 1e3 * 1106 / 1024,
          tolerance = .02, of = function(m) return common.last_byte(m.last, #flows) end,
        },
      },
    },
  },
}
