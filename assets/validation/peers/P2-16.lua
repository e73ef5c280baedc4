return require("incast").row(16)
