return { "P1", "P2-4", "P2-16", "P2-64", "P4", "P5", "P5solo" }
