-- A course of its own: what it explains is for all of its lessons.
return {
  "own-words",
  terms = {
    ["retry storm"] = "what follows when everybody sends again at once (packets)",
  },
  sources = { Smith24 = "Smith, A talk that nobody heard, Nowhere 2024" },
  routes = {
    { name = "short", title = "Twice the same", { "own-words" }, { "own-words", from = 1, to = 1 }, { "gone" } },
  },
}
