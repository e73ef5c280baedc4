-- The course: lessons by their ids, in the order of the timeline.
return {
  "one-lost-packet",
  "two-cards",
  "out-of-the-box",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "microsoft-livelock",
  "microsoft-deadlock",
}
