return require("incast").row(4)
