"""The plan for a character whose player is silent."""

from engine.seats import Seat
from engine.starfarer.model import DEFAULT, Battle, Plan, to_plan


def cautious(battle: Battle, seat: Seat) -> Plan:
    """Return what SF-7 says for the next character of a seat that has no plan yet."""
    name = next(name for name in to_plan(battle) if battle.sheets[name].seat == seat)
    return Plan(name, DEFAULT)
