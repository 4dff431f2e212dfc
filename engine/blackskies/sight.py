"""What an element sees from its lead: where enemies, asteroids and its wingman are, in words."""

from engine.blackskies.facts import EnemySeen, FighterSeen, PlaceSeen, RockSeen, WingmanSeen
from engine.blackskies.model import Battle, active, design_of, enemies, is_crippled
from engine.blackskies.space import Point, bearing, hour, norm, tenths


def seen(battle: Battle, name: str) -> list[EnemySeen]:
    """Return each enemy element as seen from an element's lead, the nearest first.

    `hour` and `arc` say where a fighter is, `aspect` the arc of its own that the lead is in.
    """
    element, lead = battle.elements[name], active(battle, name)[0]
    found: dict[str, EnemySeen] = {}
    for other, foe in enemies(battle, element.side):
        away, design = (foe.q - lead.q, foe.r - lead.r), design_of(battle, other)
        fighter: FighterSeen = {
            **_place(away, element.heading),
            "enemy": foe.name,
            "aspect": bearing(-away[0], -away[1], other.heading),
            "hull": foe.hull,
            "crippled": is_crippled(design, foe.hull),
        }
        kept: EnemySeen = {
            "element": other.name,
            "heading": other.heading,
            "speed": other.speed,
            "retrograde": other.retrograde,
            "fighters": [],
        }
        found.setdefault(other.name, kept)["fighters"].append(fighter)
    near = {key: min(f["distance"] for f in one["fighters"]) for key, one in found.items()}
    return [found[key] for key in sorted(found, key=near.__getitem__)]


def rocks(battle: Battle, name: str) -> list[RockSeen]:
    """Return each asteroid as seen from an element's lead, the nearest first."""
    element, lead = battle.elements[name], active(battle, name)[0]
    found: list[RockSeen] = [
        {**_place((a.q - lead.q, a.r - lead.r), element.heading), "radius": a.radius}
        for a in battle.asteroids
    ]
    return sorted(found, key=lambda one: one["distance"])


def wingman(battle: Battle, name: str) -> WingmanSeen | None:
    """Return where an element's wingman flies, None if it has none."""
    lead, *others = active(battle, name)
    if not others:
        return None
    away = others[0].q - lead.q, others[0].r - lead.r
    return {**_place(away, battle.elements[name].heading), "name": others[0].name}


def _place(away: Point, heading: int) -> PlaceSeen:
    """Return a direction by hour and arc, and a distance in tenths of an inch."""
    return {
        "arc": bearing(*away, heading),
        "hour": hour(*away, heading),
        "distance": tenths(norm(*away)),
    }
