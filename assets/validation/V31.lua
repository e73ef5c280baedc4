local weft = require "weft"

return weft.validation {
  id = "V31", source = "closed form: an inequality of thresholds; DCQCN15",
  setup = "ECN before PFC: 20 random incasts, 32 ports at 40 Gb/s, 12 MB, dynamic threshold, Pmax 1",
  cases = {
    weft.case {
      probe = "first_pauses",
      measures = {
        weft.measure {
          name = "Kmin and Kmax 21 KB: first XOFFs of a port", unit = "frames", least = 50,
          of = function(m) return m.low_pauses end,
        },
        weft.measure {
          name = "and without a mark before them", unit = "frames", expected = 0,
          of = function(m) return m.low_unmarked end,
        },
        weft.measure {
          name = "both above XOFF: without a mark before them", unit = "frames", least = 1,
          of = function(m) return m.high_unmarked end,
        },
      },
    },
  },
}
