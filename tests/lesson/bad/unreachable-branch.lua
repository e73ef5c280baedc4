-- What can be said of branches only when all questions are known.
local weft = require "weft"

local function ask(name, number)
  return weft.predict {
    name = name, ask = "What?", because = "It is so.",
    choices = not number and { "a", "b" } or nil,
    answer = number and "number" or nil, unit = number and "time" or nil,
    truth = function() return 1 end,
  }
end
local card = weft.say [[ **A card.** ]]

return weft.lesson {
  api = 1, id = "unreachable-branch", title = "Ways", year = 2014, minutes = 5,
  scenes = {
    main = weft.scenario {
      fabric = weft.pair { rate = "100Gbps", delay = "500ns" },
      workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
    },
  },
  weft.scene "main",
  card,
  ask "first",
  ask("length", true),
  weft.recall {
    name = "old", from = "other", ask = "Which?", right = 2,
    choices = { "a", "b" }, because = "It is so.",
  },
  weft.predict { --> the name "first" is taken by the question in line 24
    name = "first", ask = "What?", choices = { "a", "b" }, because = "It is so.",
    truth = function() return 1 end,
  },
  weft.branch { on = "frist", right = { card } }, --> branch.on: no question is called "frist"; did you mean "first"?
  weft.branch { on = "zzzzzzzzz", right = { card } }, --> branch.on: no question is called "zzzzzzzzz"; write weft.predict { name =
  weft.branch { on = "late", right = { card } }, --> branch.on: the question "late" is asked later, in line 75; put the branch behind it
  weft.branch {
    on = "first",
    [3] = { card }, --> branch[3] is unreachable: "first" has 2 answers
    low = { card }, --> branch.low is unreachable: "first" does not ask for a number; write [1], [2], right or wrong
  },
  weft.branch {
    on = "first",
    right = { card },
    wrong = { card },
    otherwise = { card }, --> branch.otherwise is unreachable: every such answer has gone another way
  },
  weft.branch {
    on = "length",
    low = { card },
    high = { card },
    [2] = { card }, --> branch[2] is unreachable: "length" asks for a number; write low, high, right or wrong
  },
  weft.branch {
    on = "old",
    [2] = { card },
    right = { card }, --> branch.right is unreachable: every such answer has gone another way
  },
  weft.branch {
    on = "first",
    [1] = {
      card,
      ask "inner",
      weft.branch {
        on = "first",
        [2] = { card }, --> branch[2] is unreachable: every such answer has gone another way
      },
    },
  },
  weft.branch { --> branch.on: not everybody is asked "inner" (line 63): it stands inside the branch in line 59
    on = "inner",
    right = { card },
  },
  card,
  weft.predict {
    name = "late", ask = "What?", choices = { "a", "b" }, because = "It is so.",
    truth = function() return 1 end,
  },
}
