local weft = require "weft"

local function none(name, what)
  return (weft.measure { name = what, unit = "frames", expected = 0, of = function(m) return m[name] end })
end

return weft.validation {
  id = "V08", source = "the standards' test vectors, independent experiment",
  setup = "capture of V01: it parses, every ICRC is valid, the vectors are byte-exact",
  cases = {
    weft.case {
      probe = "capture",
      measures = {
        weft.measure { -- 1,024 packets and as many ACKs, over two cables each
          name = "sent", unit = "frames", expected = 4096,
          of = function(m) return m.frames end,
        },
        none("lengths_differ", "not as long as the model's"),
        none("icrcs_differ", "without a valid ICRC"),
        none("blocks_differ", "that do not parse"),
        weft.measure {
          name = "test vectors byte-exact", unit = "frames", expected = 5,
          of = function(m) return m.vectors_exact end,
        },
      },
    },
  },
}
