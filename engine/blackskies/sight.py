"""What an element sees from its lead: where enemies, asteroids and its wingman are, in words."""

from typing import Any

from engine.blackskies.model import Battle, active, design_of, enemies, is_crippled
from engine.blackskies.space import Point, bearing, hour, norm, tenths

Facts = dict[str, Any]


def seen(battle: Battle, name: str) -> list[Facts]:
    """Return each enemy element as seen from an element's lead, the nearest first.

    `hour` and `arc` say where a fighter is, `aspect` the arc of its own that the lead is in.
    """
    element, lead = battle.elements[name], active(battle, name)[0]
    found: dict[str, Facts] = {}
    for other, foe in enemies(battle, element.side):
        away, design = (foe.q - lead.q, foe.r - lead.r), design_of(battle, other)
        state = {
            "enemy": foe.name,
            "aspect": bearing(-away[0], -away[1], other.heading),
            "hull": foe.hull,
            "crippled": is_crippled(design, foe.hull),
        }
        course = {"element": other.name, "heading": other.heading, "speed": other.speed}
        kept = course | {"retrograde": other.retrograde, "fighters": []}
        fighters = found.setdefault(other.name, kept)["fighters"]
        fighters.append(_place(away, element.heading) | state)
    near = {key: min(int(f["distance"]) for f in one["fighters"]) for key, one in found.items()}
    return [found[key] for key in sorted(found, key=near.__getitem__)]


def rocks(battle: Battle, name: str) -> list[Facts]:
    """Return each asteroid as seen from an element's lead, the nearest first."""
    element, lead = battle.elements[name], active(battle, name)[0]
    found = [
        _place((a.q - lead.q, a.r - lead.r), element.heading) | {"radius": a.radius}
        for a in battle.asteroids
    ]
    return _nearest(found)


def wingman(battle: Battle, name: str) -> Facts | None:
    """Return where an element's wingman flies, None if it has none."""
    lead, *others = active(battle, name)
    places = (
        _place((one.q - lead.q, one.r - lead.r), battle.elements[name].heading) | {"name": one.name}
        for one in others
    )
    return next(places, None)


def _place(away: Point, heading: int) -> Facts:
    """Return a direction by hour and arc, and a distance in tenths of an inch."""
    return {
        "arc": bearing(*away, heading),
        "hour": hour(*away, heading),
        "distance": tenths(norm(*away)),
    }


def _nearest(found: list[Facts]) -> list[Facts]:
    return sorted(found, key=lambda one: int(one["distance"]))
