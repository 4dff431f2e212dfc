"""Bots as personas: partners for practice, fleets for tests of balance, and how bots spend HP."""

from itertools import product

from engine.campaign import Change, Day, Persona, Specimen, house_name
from engine.dice import Dice
from engine.errors import OrderError
from engine.starpilot.hero_points import bid, choose, options, reward, room
from engine.starpilot.persona_record import Pilot, persona_of, pilot_of
from engine.starpilot.tables import HEAVY, IMPROVED, LIGHT, MOST_APTITUDE, MOST_SPENT, SHIPS

_Build = tuple[int, int, int]
_NAMES = ("House Finch", "House Martin", "House Sparrow", "House Wren")
_BUILDS: tuple[_Build, ...] = (
    (12, 12, 12),
    (16, 10, 10),
    (10, 16, 10),
    (10, 10, 16),
    (14, 12, 10),
    (14, 14, 8),
)
"""Weapons, Piloting and Sensors of the pilots that ships are tested with."""
_GOOD_BUILDS: tuple[_Build, ...] = ((12, 16, 8), (14, 16, 6), (14, 14, 8), (16, 14, 6))
"""The builds that win most in ships of either weapon (balance.md)."""
_SAVED = 3
"""How many whole HP a bot saves before it spends them."""


def sparring(persona: Persona, dice: Dice) -> Persona:
    """Return a bot to practise with, of another side and as strong as a persona.

    Its rank, Mark and class are the same, and its aptitudes have the same sum, spread well.
    """
    pilot = pilot_of(persona)
    weight = SHIPS[pilot.ship].weight
    ships = [s for s, ship in SHIPS.items() if ship.weight == weight and ship.side != pilot.side]
    ship = ships[dice.roll(len(ships), "ship") - 1]
    build = _GOOD_BUILDS[dice.roll(len(_GOOD_BUILDS), "aptitudes") - 1]
    points = pilot.weapons + pilot.piloting + pilot.sensors
    flown = _pilot(ship, _raised(build, points), pilot)
    return persona_of(house_name(_NAMES, persona.name, dice), flown)


def _raised(build: _Build, points: int) -> _Build:
    """Return a build with the points that rewards have added: on Piloting first, then Weapons."""
    weapons, piloting, sensors = build
    left = points - sum(build)
    # What is above the limit of 18 on one aptitude goes to the next (SP-1).
    more = min(left, MOST_APTITUDE - piloting)
    shot = min(left - more, MOST_APTITUDE - weapons)
    return weapons + shot, piloting + more, sensors + left - more - shot


def _pilot(ship: str, build: _Build, like: Pilot | None = None) -> Pilot:
    """Return a pilot with a ship and aptitudes; mode, Mark and rank are those of `like`."""
    # The same mode, since pilots of different modes may not meet (`campaign.bar`).
    mode, mark, rank = (like.mode, like.mark, like.rank) if like else ("BB", 0, 1)
    return Pilot(SHIPS[ship].side, mode, *build, ship, mark, rank)


def _fleet(weight: str) -> tuple[Specimen, ...]:
    ships = [name for name, ship in SHIPS.items() if ship.weight == weight]
    return tuple(
        Specimen(ship, "-".join(map(str, build)), persona_of(ship, _pilot(ship, build)))
        for build, ship in product(_BUILDS, ships)
    )


FLEETS = {weight: _fleet(weight) for weight in (LIGHT, IMPROVED, HEAVY)}
"""New pilots of every ship of a class, each with every build."""


def spend(persona: Persona, dice: Dice, day: Day) -> Change | None:
    """Return the change of a bot that spends its HP, at most five, or None below three (SP-33)."""
    pilot = pilot_of(persona)
    points = min(pilot.hp // 10, MOST_SPENT)
    if points < _SAVED:
        return None
    try:
        wanted = bid(persona, str(points), "", day)
    # It may have spent already, and have had no battle on a later day since (SP-33).
    except OrderError:
        return None
    change = reward(persona, wanted, dice, day)
    owed = _wish(pilot_of(change.persona))
    return choose(change.persona, owed) if owed else change


def _wish(pilot: Pilot) -> str:
    """Return a choice from a reward that waits: the first option, or all points on the first
    aptitudes."""
    if pilot.owed is None:
        return ""
    if pilot.owed.what != "points":
        return options(pilot, pilot.owed)[0]
    left, parts = pilot.owed.points, []
    for name, most in room(pilot).items():
        parts.append(f"{name} {min(most, left)}")
        left -= min(most, left)
    return ", ".join(part for part in parts if not part.endswith(" 0"))
