-- The course: its lessons by their ids, in the order in which the story is told.
return {
  title = "Why networks for training look as they do",
  start = "one-lost-packet", -- where a newcomer begins

  "one-lost-packet", -- 2014
  "two-cards", -- 2012
  "out-of-the-box", -- 2013
  "who-adds-it-up", -- 2014
  "the-ring", -- 2016
  "the-barrier", -- 2017
  "infinibands-promise", -- 2000
  "ethernet-drops", -- 2005
  "teaching-ethernet-to-wait", -- 2011
  "the-price-of-a-pause", -- 2015
  "microsoft-livelock", -- 2016
  "microsoft-deadlock", -- 2016
  "slow-down-before-you-stop", -- 2015
  "inside-the-server", -- 2018
  "few-flows-big-flows", -- 2024
  "spread-it-out", -- 2024
  "the-choice", -- 2024
  "lossy-and-proud", -- 2025
  "diagnose-the-stall", -- 2026
}
