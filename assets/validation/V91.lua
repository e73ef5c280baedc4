local weft = require "weft"

return weft.validation {
  id = "V91", source = "design",
  setup = "snapshot at t, run to t2, restore, run to t2: seven fabrics, eight times, a command on the way",
  cases = {
    weft.case {
      probe = "rewind",
      measures = {
        weft.measure {
          name = "states that differ", unit = "states", expected = 0,
          of = function(m) return m.states_differ + m.hashes_differ end,
        },
        weft.measure {
          name = "trace that differs", unit = "B", expected = 0,
          of = function(m) return m.trace_bytes_differ end,
        },
        weft.measure {
          name = "trace compared", unit = "B", least = 1e6,
          of = function(m) return m.trace_bytes end,
        },
      },
    },
  },
}
