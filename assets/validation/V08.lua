local weft = require "weft"

return weft.validation {
  id = "V08", source = "the standards' test vectors, independent experiment",
  setup = "capture of V01: it parses, every ICRC is valid, the vectors are byte-exact",
  pending = "due with the export of captures",
}
