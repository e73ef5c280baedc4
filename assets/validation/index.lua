-- The rows of the validation table, in order. One file each.

return {
  "V01", "V02", "V03", "V04", "V05", "V07", "V08", "V10", "V11", "V12", "V13", "V14", "V15", "V20",
  "V21", "V22", "V23", "V24", "V25", "V26", "V27", "V28", "V29", "V30", "V91",
}
