local weft = require "weft"

local measures = {
  (weft.measure {
    name = "after the cut", unit = "Gb/s", expected = 20, of = function(m) return m.cut end,
  }),
  (weft.measure {
    name = "alpha after its first timer", unit = "share", expected = .996094, tolerance = 5e-7,
    of = function(m) return m.alpha end,
  }),
}
for i, rate in ipairs { 30, 35, 37.5, 38.75, 39.375, 39.6875, 39.84375 } do
  measures[#measures + 1] = weft.measure {
    name = "stage " .. i, unit = "Gb/s", expected = rate,
    of = function(m) return m["stage" .. i] end,
  }
end

return weft.validation {
  id = "V42", source = "closed form",
  setup = "reaction point: one CNP at 40 Gb/s, then silence",
  cases = { weft.case { probe = "reaction", measures = measures } },
}
