"""The demonstration: a whole duel by mail on servers that need no installation."""
