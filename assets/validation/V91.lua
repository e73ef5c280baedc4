local weft = require "weft"

return weft.validation {
  id = "V91", source = "design",
  setup = "snapshot at t, run to t2, restore, run to t2: the same hash, the same trace bytes",
  pending = "due with snapshots that a user can take",
}
