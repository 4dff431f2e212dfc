"""Ready-made standing orders: the names that players write after STANDING."""

PRESETS = ("sound", "bold", "careful")
