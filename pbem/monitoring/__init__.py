"""Watching over the service: what is counted, what is wrong, and who is told."""
