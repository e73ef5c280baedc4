local weft = require "weft"
local common = require "common"

-- A ring of N over an NVSwitch, 2(N-1) rounds of n packets over two cables: on NVLink 4096 bytes take
-- 16 packets with a flit of 16 bytes of header each.
local function ring(gpus, gigabytes, mib)
  local packets = mib * 1048576 // gpus // 4096
  local slot = 4352 / (gigabytes * 1e9) * 1e6 -- us
  return (weft.case {
    name = gpus .. " GPUs, " .. gigabytes .. " GB/s",
    scenario = weft.scenario {
      fabric = weft.box { gpus = gpus, nvlink = gigabytes .. "GB/s" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = mib .. "MiB" }, compute = "0ns", steps = 1,
      },
      set = common.set { mtu = "4096B", ack_every = 0, inside_latency = "200ns" },
    },
    measures = {
      weft.measure {
        name = "all-reduce", unit = "us", tolerance = "0.02%",
        expected = 2 * (gpus - 1) * ((packets + 1) * slot + 2 * .001 + .2),
        of = function(m) return m.last.collective end,
      },
    },
  })
end

return weft.validation {
  id = "V94", source = "closed form",
  setup = "ring all-reduce of 64 MiB in one box with an NVSwitch, MTU 4096, one ACK a message",
  cases = { ring(8, 450, 64), ring(4, 300, 64), ring(2, 80, 64) },
}
