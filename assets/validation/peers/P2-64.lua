return require("incast").row(64)
