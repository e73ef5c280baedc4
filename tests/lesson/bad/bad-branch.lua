-- Branches that nobody takes, that lead nowhere, that are on no question.
local weft = require "weft"

local function ask(name)
  return weft.predict {
    name = name, ask = "What?", choices = { "a", "b" }, because = "It is so.",
    truth = function() return 1 end,
  }
end
local card = weft.say [[ **A card.** ]]

return weft.lesson {
  api = 1, id = "bad-branch", title = "Ways", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.pair { rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
    },
  },
  weft.scene "main",
  card,
  ask "first",
  weft.recall { --> weft.recall needs `right` --> the name "first" is taken by the question in line 22
    name = "first", from = "other", ask = "Which?",
    choices = { "a", "b" }, because = "It is so.",
  },
  weft.branch { on = "first" }, --> weft.branch leads nowhere: write right =
  weft.branch {
    on = "first",
    right = { card, weft.play { to = "sometime" } }, --> play.to: no "sometime"
    wright = { card }, --> weft.branch has no field `wright`; did you mean `right`?
  },
  weft.branch {
    on = "first",
    [7] = { card }, -->any branch[7] is unreachable: a question has at most 4 answers
    right = card, --> branch.right wants a list of items, { weft.say [[ ... ]], ... }, not a weft.say
    wrong = {}, --> branch.wrong is a dead end: give it a card (weft.say [[ ... ]]), or leave it out
    [2] = { "card" }, --> a lesson's item is a weft.say, weft.play, ..., not a string
    [1] = {}, --> branch[1] is a dead end
  },
  weft.branch { right = { card } }, --> weft.branch needs `on`: name of a question
}
