"""Routing: who wrote a letter, and what is done with it, by rules read from top to bottom."""
