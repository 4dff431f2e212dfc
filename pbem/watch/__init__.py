"""Watching over the office: what is counted, what is wrong, and who is told."""
