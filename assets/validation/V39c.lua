local weft = require "weft"
local common = require "common"
local circle = require "circle"

return weft.validation {
  id = "V39c", source = "closed form: detection and poll",
  setup = "V38 locked, with a watchdog that drops: detection 2 ms, poll 1 ms",
  cases = {
    weft.case {
      scenario = circle.scenario(circle.all, 1, {
        watchdog = "drop", watchdog_detect = "2ms", watchdog_restore = "2ms",
        watchdog_poll = "1ms", timeout_exponent = 8, retry_limit = 1000,
      }),
      at = common.every(10, 0, 30000),
      measures = {
        weft.measure {
          name = "longest silence", unit = "us", least = 1000, most = 3000,
          of = function(m)
            local longest, since = 0, 1
            for i = 2, #m do
              if m[i].hops ~= m[since].hops then since = i end
              longest = math.max(longest, (i - since) * 10)
            end
            return longest
          end,
        },
        weft.measure {
          name = "dropped by the watchdog", unit = "packets", least = 1,
          of = function(m) return m.last.dropped_by "watchdog" end,
        },
        common.holds("it goes on", function(m) return m.last.outcome == "running" end),
      },
    },
  },
}
