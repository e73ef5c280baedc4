local weft = require "weft"

return weft.validation {
  id = "V15", source = "closed form, three sigma",
  setup = "a million packets leave a queue of 102.5 KB; Kmin 5 KB, Kmax 200 KB, Pmax 1 %",
  cases = {
    weft.case {
      probe = "marking",
      measures = {
        weft.measure {
          name = "marked", unit = "%", expected = .5, tolerance = .021,
          of = function(m) return m.marked * 100 end,
        },
        weft.measure {
          name = "marked at Kmin", unit = "%", expected = 0,
          of = function(m) return m.at_kmin * 100 end,
        },
        weft.measure {
          name = "marked above Kmax", unit = "%", expected = 100,
          of = function(m) return m.above_kmax * 100 end,
        },
      },
    },
  },
}
