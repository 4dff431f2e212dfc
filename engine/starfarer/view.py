"""What one seat may know of a fight, built up for templates, and what a fight leaves behind."""

from engine.starfarer.model import Battle, everybody
from engine.starfarer.tables import AREAS, LEVELS, MEDIUM, MORTAL, VITAL


def injuries(battle: Battle) -> dict[str, list[dict[str, str]]]:
    """Return each survivor's wounds of Medium or worse, with their marks (SF-40)."""
    found = {}
    for name in everybody(battle):
        body = battle.bodies[name]
        wounds = [
            {"area": AREAS[area], "level": _level(area, level), "marks": circles[level - 1]}
            for area, circles in enumerate(body.wounds)
            for level in range(MEDIUM, MORTAL + 1)
            if circles[level - 1]
        ]
        if wounds and body.fate != "dead":
            found[name] = wounds
    return found


def _level(area: int, level: int) -> str:
    return "Maimed" if level == MORTAL and area not in VITAL else LEVELS[level - 1]
