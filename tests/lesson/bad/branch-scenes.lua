-- Ways that end in different scenes; branches too deep inside each other; too many ways.
local weft = require "weft"

local function pair()
  return weft.scenario {
    fabric = weft.pair { rate = "100Gbps", delay = "500ns" },
    workload = weft.flows { { src = "g1", dst = "g2", bytes = "1MiB" } },
  }
end
local function card() return weft.say [[ **A card.** ]] end
local function way(inner) return weft.branch { on = "first", right = { card(), inner } } end -->any branches stand at most 4 deep inside each other

return weft.lesson {
  api = 1, id = "branch-scenes", title = "Ways", year = 2014, minutes = 5,
  scenes = { one = pair(), two = pair() },
  weft.scene "one",
  card(),
  weft.predict {
    name = "first", ask = "What?", choices = { "a", "b" }, because = "It is so.",
    truth = function() return 1 end,
  },
  weft.branch { on = "first", wrong = { weft.scene "two", card() } },
  weft.say [[ **Where?** ]], --> the ways before this end in different scenes: go on with weft.scene
  weft.branch { on = "first", right = { weft.scene "two", card() }, wrong = { weft.scene "two", card() } },
  weft.say [[ **In two.** ]],
  weft.focus { node = "g3" }, --> there is no
  way(way(way(way(way(card()))))),
}
