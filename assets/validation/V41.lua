local weft = require "weft"
local common = require "common"
local dcqcn = require "dcqcn"

local function case(n, kb)
  local port, at = dcqcn.port(n), {}
  for i = 0, 2000 do at[i + 1] = 200000 + 100 * i .. "us" end
  return (weft.case {
    name = dcqcn.name(n, "40Gbps"), scenario = dcqcn.scenario(n, "40Gbps"), at = at,
    measures = {
      weft.measure {
        name = "mean queue", unit = "KB", expected = kb, tolerance = "5%",
        of = function(m) return common.mean_queue(m[1], m.last, port) / 1e3 end,
      },
      weft.measure {
        name = "time at 205 KB or more", unit = "%", most = 1,
        of = function(m)
          local above = 0
          for i = 2, #m do
            if m[i].port(port).waiting >= "205KB" then above = above + 1 end
          end
          return 100 * above / (#m - 1)
        end,
      },
    },
  })
end

return weft.validation {
  id = "V41", full = true, source = "independent experiment",
  setup = "V40 where the fixed point lies beyond Pmax: the queue stays just under Kmax",
  cases = { case(16, 188), case(20, 190) },
}
