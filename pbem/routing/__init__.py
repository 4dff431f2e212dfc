"""Who wrote a letter, and what takes it: rules, read from top to bottom."""
