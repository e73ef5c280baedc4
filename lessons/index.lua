-- The course: lessons by their ids, in the order in which they are taught. The first screen sorts them by their years.
return {
  "one-lost-packet",
  "two-cards",
  "out-of-the-box",
  "who-adds-it-up",
  "the-ring",
  "the-barrier",
  "infinibands-promise",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "rdma-moves-in",
  "the-price-of-a-pause",
  "microsoft-livelock",
  "microsoft-deadlock",
  "slow-down-before-you-stop",
  "inside-the-server",
  "few-flows-big-flows",
  "spread-it-out",
  "the-choice",
  "lossy-and-proud",
  "diagnose-the-stall",

  title = "Why networks for training look as they do",
  start = "one-lost-packet", -- where a newcomer begins

  -- Ways through the course for a given time: stops of lessons, with their cards as people count them.
  routes = {
    { name = "10", title = "10 minutes: a demonstration",
      { "one-lost-packet", from = 1, to = 5 }, { "one-lost-packet", from = 8, to = 10 } },
    { name = "45", title = "45 minutes: a class",
      { "one-lost-packet" }, { "teaching-ethernet-to-wait" }, { "microsoft-deadlock", from = 3, to = 5 } },
    { name = "half-day", title = "Half a day: how it came to be",
      { "one-lost-packet" }, { "two-cards" }, { "who-adds-it-up" }, { "the-ring" }, { "the-barrier" },
      { "infinibands-promise" }, { "teaching-ethernet-to-wait" }, { "rdma-moves-in" }, { "the-price-of-a-pause" },
      { "microsoft-livelock" }, { "microsoft-deadlock" }, { "slow-down-before-you-stop" },
      { "few-flows-big-flows" }, { "spread-it-out" }, { "lossy-and-proud" }, { "diagnose-the-stall" } },
  },
}
