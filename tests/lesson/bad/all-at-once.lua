-- All of it is said at once, however much is wrong: each with its line, its field and what to write.
local weft = require "weft"
return weft.lesson {
  api = 2, --> lesson.api must be 1, not 2
  id = "All", --> lesson.id: "All" may hold small letters, digits and - only
  title = "", --> lesson.title is empty
  year = "2014", --> lesson.year wants a whole number, not a string
  minutes = 90, --> lesson.minutes must be a whole number from 1 to 60, not 90
  level = 1,
  level = 2, --> lesson.level is there twice: keep one
  sources = {
    "Guo16",
    "Guo17", --> lesson.sources[2]: the bibliography has no "Guo17"; did you mean "Guo16"?
  },
  terms = {
    "barrier",
    "barrier", --> lesson.terms[2]: "barrier" is there twice
  },
  scenes = {
    [""] = weft.scenario { --> lesson.scenes: "" is no good name
      fabric = weft.star { hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
    },
    main = weft.scenario {
      fabric = weft.star { hosts = 4, rate = "100Gps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
    },
    main = weft.scenario { --> lesson.scenes.main is there twice: give one of them another name
      fabric = weft.star {
        hosts = 4,
        rate = "100Gps", --> star.rate: "100Gps": "Gps" is no unit of rate
        delay = "500ns",
        delay = "600ns", --> star.delay is there twice: keep one
      },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "64KiB" },
        compute = "20us",
        steps = 0, --> training.steps must be a whole number from 1 to 100000, not 0
      },
      set = {
        xof = "100KB", --> set.xof: there is no switch "xof"; did you mean "xoff"?
        timeout_exponent = 99, --> set.timeout_exponent is 99, it must be from 1 to 31
        xon = 100, --> set.xon: a bare number has no unit; write a size like "8MiB"
        pfc = true,
        pfc = false, --> set.pfc is there twice: keep one
      },
    },
  },
  weft.scene "main",
  weft.say [[
    **A** card {that never ends. --> a { in prose has no }
  ]],
  weft.predict {
    ask = "What?",
    chocies = {}, --> weft.predict has no field `chocies`; did you mean `choices`?
    choices = {
      { "few",
        beleif = "x" }, -->any weft.choice has no field `beleif`; did you mean `belief`?
      { "", --> choices[2]: a choice is a text, or a table that begins with one
        belief = "x" },
      { "some",
        reply = "it {is" }, -->any a { in prose has no }
      7, --> choices[4]: a choice is a text
    },
    because = 3, --> predict.because wants a text, not a number
    truth = 2, --> predict.truth wants function(r) return ... end, not a number
  },
  weft.switch { knob = "xof", values = { "1KB", "2KB" } }, --> switch.knob: there is no switch "xof"; did you mean "xoff"?
  weft.switch { knob = "xoff", values = { "1KB", 3 }, no_effect = "" }, --> switch.no_effect is empty --> switch.values[2]: xoff: a bare number has no unit
  weft.play { to = "barrier", gear = "quick" }, --> play.gear: no "quick"; there are keep, packet, round, step, timeout
  weft.claim("", function() return true end), --> claim.text is empty
  weft.claim { text = "x" }, --> weft.claim needs `check`
  weft.set { xoff = "3 bananas" }, --> set.xoff: "3 bananas": "bananas" is no unit of size; write a size like "8MiB"
  weft.recall { from = "", ask = "x", choices = { "a", "b" }, right = 9, because = "x {" }, --> recall.from is empty --> recall.right must be a whole number from 1 to 4, not 9 --> a { in prose has no }
}
