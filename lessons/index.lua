-- The course: lessons by their ids, in the order of the timeline.
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
  "microsoft-livelock", -- 2016
  "microsoft-deadlock", -- 2016
  "few-flows-big-flows", -- 2024
  "spread-it-out", -- 2024
  "one-lost-packet",
  "two-cards",
  "out-of-the-box",
  "who-adds-it-up",
  "the-ring",
  "infinibands-promise",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "the-price-of-a-pause",
  "microsoft-livelock",
  "microsoft-deadlock",
  "few-flows-big-flows",
}
