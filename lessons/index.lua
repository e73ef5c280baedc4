-- The course: lessons by their ids, in the order of the timeline.
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
  "the-price-of-a-pause",
  "microsoft-livelock",
  "microsoft-deadlock",
  "slow-down-before-you-stop",
  "few-flows-big-flows",
  "spread-it-out",
  "lossy-and-proud",
}
