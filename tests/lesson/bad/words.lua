-- What a lesson explains itself: checked like the installed glossary and bibliography.
local weft = require "weft"

return weft.lesson {
  api = 1, id = "words", title = "Words", year = 2014, minutes = 5,
  terms = {
    "barrier",
    "bariers", --> lesson.terms[2]: the glossary has no "bariers"; did you mean "barrier"? Or explain it here: ["bariers"] = "..."
    "flux capacitor of the future", --> lesson.terms[3]: the glossary has no "flux capacitor of the future"; explain it here: ["flux capacitor of the future"] = "..."
    ["all-reduce"] = "my own idea of it", --> lesson.terms.all-reduce: the glossary has it already; list it, terms = { "all-reduce" }
    [""] = "nothing", --> lesson.terms: "" is no good name
    mine = 7, --> lesson.terms.mine wants a sentence, not a number
    yours = "two\nlines", --> lesson.terms.yours wants one line of at most 400 letters
    ["a: b"] = "looks like a line of the file", --> lesson.terms: "a: b" is no good name
  },
  sources = {
    "Guo16",
    "Guo16", --> lesson.sources[2]: "Guo16" is there twice
    3, --> lesson.sources[3] wants a text, not a number
    ["Smith 24"] = "A talk", --> lesson.sources: "Smith 24" cannot be cited: a key is letters, digits and -
    Goyal17 = "Another one", --> lesson.sources.Goyal17: the bibliography has it already
  },
  builds_on = {
    "one-lost-packet",
    "one-lost-packet", --> lesson.builds_on[2]: "one-lost-packet" is there twice
    "Not an id", --> lesson.builds_on[3] wants the id of a lesson, like "one-lost-packet"
    2, --> lesson.builds_on[4] wants the id of a lesson
  },
  scenes = {
    main = weft.scenario {
      fabric = weft.pair { rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
    },
  },
  weft.scene "main",
  weft.say [[ **A card.** ]],
}
