"""The people and their personas: their data, their history, and when they are away."""
