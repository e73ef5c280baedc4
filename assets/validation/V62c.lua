local weft = require "weft"
local common = require "common"
local tcp = require "tcp"

local function case(n)
  return (tcp.incast_case(n, 20, "200ms", { least = 90 }, "lossless",
    { common.none "dropped", common.none("timeouts", "times") }))
end

return weft.validation {
  id = "V62c", source = "closed form",
  setup = "TCP incast with PFC instead of tail drop",
  cases = { case(8), case(16), case(32) },
}
