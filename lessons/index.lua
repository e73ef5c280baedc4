-- The course: its lessons by their ids, in the order of their years.
return {
  title = "Why networks for training look as they do",
  start = "one-lost-packet", -- where a newcomer begins

  "infinibands-promise", -- 2000
  "ethernet-drops", -- 2005
  "teaching-ethernet-to-wait", -- 2011
  "two-cards", -- 2012
  "out-of-the-box", -- 2013
  "one-lost-packet", -- 2014
  "who-adds-it-up", -- 2014
  "the-price-of-a-pause", -- 2015
  "slow-down-before-you-stop", -- 2015
  "the-ring", -- 2016
  "microsoft-livelock", -- 2016
  "microsoft-deadlock", -- 2016
  "few-flows-big-flows", -- 2024
  "spread-it-out", -- 2024
  "lossy-and-proud", -- 2025
  "one-lost-packet",
  "two-cards",
  "out-of-the-box",
  "who-adds-it-up",
  "the-ring",
  "the-barrier",
  "infinibands-promise",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "the-price-of-a-pause",
  "microsoft-livelock",
  "microsoft-deadlock",
  "few-flows-big-flows",
  "spread-it-out",
}
