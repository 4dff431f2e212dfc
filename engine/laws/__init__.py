"""What must hold for every rule system, as functions that anybody can run.

`LAWS` lists the laws, `check` tries one on random games, and `Broken` is what a broken one raises.
"""

from engine.laws.checking import Finding, check
from engine.laws.laws import LAWS, Broken, Check, Law

__all__ = ["LAWS", "Broken", "Check", "Finding", "Law", "check"]
