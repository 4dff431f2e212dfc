"""Cortex dogfighting and capital ships: opposed step dice, wings, missiles (CX-1 to CX-72)."""
