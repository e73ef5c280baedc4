-- The course: its lessons by their ids, in the order of their years.
return {
  "one-lost-packet",
  "two-cards",
  "out-of-the-box",
  "who-adds-it-up",
  "ethernet-drops",
  "teaching-ethernet-to-wait",
  "two-cards",
  "out-of-the-box",
  "the-price-of-a-pause",
  "microsoft-livelock",
  "microsoft-deadlock",
}
