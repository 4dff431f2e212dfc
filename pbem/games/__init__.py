"""The games: taking steps, keeping time, telling what happened."""
