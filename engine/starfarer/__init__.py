"""Starfarer personal combat: action points, hit locations, wounds and shock (SF-1 to SF-44)."""
