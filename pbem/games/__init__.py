"""The games: taking steps, keeping time, reporting what happened."""
