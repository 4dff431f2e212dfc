"""Thousands of duels and careers of bots, which show how balanced a system is."""
