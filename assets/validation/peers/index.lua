-- The rows beside other simulators, in order. One file each.

return {
  "P1", "P2-4", "P2-16", "P2-64", "P2dcqcn", "P2loss", "P3s-8", "P3r-8", "P3s-16", "P3r-16",
  "P3spray-8", "P3spray-16", "P4", "P5", "P5solo",
}
