local weft = require "weft"
local common = require "common"
local circle = require "circle"

local function scenario(load)
  return circle.scenario(circle.all, load, { flow_control = "credits", vl_buffer = "131072B" })
end

return weft.validation {
  id = "V39b", source = "independent experiment",
  setup = "V38 on InfiniBand credits, buffers of 128 KiB",
  cases = {
    weft.case {
      name = "load 1", scenario = scenario(1), at = common.every(50, 50, 10000),
      measures = {
        common.locked(nil, 5000), circle.diagnosed(), circle.size(), common.none "dropped",
      },
    },
    weft.case {
      name = "load .45", scenario = scenario(.45), at = common.every(50, 50, 10000),
      measures = { common.never_locked(), common.none "dropped" },
    },
  },
}
