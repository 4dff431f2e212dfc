"""The people and their personas: what is kept of them, what befell them, and when they are away."""
