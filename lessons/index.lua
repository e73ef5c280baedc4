-- The course: lessons by their ids, in the order of the timeline.
return {
  "one-lost-packet",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "two-cards",
  "microsoft-livelock",
  "microsoft-deadlock",
}
