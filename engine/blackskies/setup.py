"""A scenario's set-up made into a battle, or a sentence that names the field that is wrong."""

from typing import Any, NamedTuple

from engine import fields
from engine.blackskies.design import Design, designs, weapons, weight_of
from engine.blackskies.geometry import HEADINGS, norm, within
from engine.blackskies.model import Asteroid, Battle, Element, Fighter, Side
from engine.blackskies.tables import (
    APART,
    MOST_COORDINATE,
    MOST_ELEMENTS,
    MOST_RADIUS,
    MOST_SKILL,
    MOST_SPEED,
    MOST_TURNS,
    TURNS,
)
from engine.errors import SetupError
from engine.seats import seat_named


class _Entered(NamedTuple):
    """A side as it enters: its name, its elements with their fighters, and its deck as written."""

    name: str
    elements: list[tuple[Element, list[Fighter]]]
    deck: list[Any] | None


def setup(value: object) -> Battle:
    """Return the battle of a set-up in the replay format; raise SetupError that names the
    field."""
    value = fields.an_object(value, "setup")
    # Weapons before designs, which name them; designs before sides, which fly them.
    arms = weapons(fields.named(value, "weapons", "setup"), "setup.weapons")
    known = designs(fields.named(value, "designs", "setup"), arms, "setup.designs")
    teams = fields.a_list(value, "teams", "setup")
    if len(teams) != 2:
        raise SetupError("setup.teams: a battle needs two sides")
    one, other = (_side(team, n, known, f"setup.teams[{n}]") for n, team in enumerate(teams))
    _check_names(one, other)
    sides = one.name, other.name
    elements = {e.name: e for side in (one, other) for e, _ in side.elements}
    return Battle(
        sides=_decked(one, other),
        elements=elements,
        fighters={f.name: f for side in (one, other) for _, fs in side.elements for f in fs},
        # Only what is flown: the built-in design would otherwise stand in every letter.
        designs={e.design: known[e.design] for e in elements.values()},
        asteroids=tuple(
            _asteroid(one, f"setup.asteroids[{n}]")
            for n, one in enumerate(fields.some(value, "asteroids", "setup"))
        ),
        pending={},
        tracks={},
        first=None
        if value.get("first") is None
        else sides.index(fields.one_of(value["first"], sides, "setup.first")),
        last=TURNS
        if value.get("turns") is None
        else fields.number(value, "turns", 1, MOST_TURNS, "setup"),
    )


def _side(value: object, side: int, known: dict[str, Design], where: str) -> _Entered:
    value = fields.an_object(value, where)
    name = fields.text(value, "name", where)
    given = fields.a_list(value, "elements", where)
    if not 1 <= len(given) <= MOST_ELEMENTS:
        raise SetupError(f"{where}.elements: a side has 1 to {MOST_ELEMENTS} elements")
    elements = [
        _element(one, side, name, known, f"{where}.elements[{n}]") for n, one in enumerate(given)
    ]
    deck = None if value.get("deck") is None else fields.a_list(value, "deck", where)
    return _Entered(name, elements, deck)


def _element(
    value: object, side: int, team: str, known: dict[str, Design], where: str
) -> tuple[Element, list[Fighter]]:
    value = fields.an_object(value, where)
    given = fields.a_list(value, "fighters", where)
    if len(given) not in (1, 2):
        raise SetupError(f"{where}.fighters: an element is one or two fighters (BS-7)")
    design = fields.one_of(value.get("design"), known, f"{where}.design")
    hull = weight_of(known[design]).hull
    pair = [_fighter(one, hull, f"{where}.fighters[{n}]") for n, one in enumerate(given)]
    # One fighter alone is compared with itself, and is near enough.
    if not within(norm(pair[0].q - pair[-1].q, pair[0].r - pair[-1].r), APART):
        raise SetupError(f"{where}.fighters: they are more than {APART} inches apart (BS-7)")
    element = Element(
        name=fields.text(value, "name", where),
        side=side,
        seat=seat_named(value, team, f"|side {side}"),
        design=design,
        heading=fields.number(value, "heading", 0, HEADINGS - 1, where),
        speed=fields.number(value, "speed", 0, MOST_SPEED, where),
        fighters=tuple(fighter.name for fighter in pair),
    )
    return element, pair


def _fighter(value: object, hull: int, where: str) -> Fighter:
    value = fields.an_object(value, where)
    return Fighter(
        name=fields.text(value, "name", where),
        skill=fields.number(value, "skill", 1, MOST_SKILL, where),
        q=fields.number(value, "q", -MOST_COORDINATE, MOST_COORDINATE, where),
        r=fields.number(value, "r", -MOST_COORDINATE, MOST_COORDINATE, where),
        hull=hull,
    )


def _asteroid(value: object, where: str) -> Asteroid:
    value = fields.an_object(value, where)
    return Asteroid(
        q=fields.number(value, "q", -MOST_COORDINATE, MOST_COORDINATE, where),
        r=fields.number(value, "r", -MOST_COORDINATE, MOST_COORDINATE, where),
        radius=fields.number(value, "radius", 1, MOST_RADIUS, where),
    )


def _check_names(one: _Entered, other: _Entered) -> None:
    """Raise SetupError for a name that occurs twice, with the field of the second."""
    if one.name == other.name:
        raise SetupError("setup.teams[1].name: the two sides need different names")
    fields.unique(
        named
        for side, entered in enumerate((one, other))
        # Elements and fighters share one set of names, because TARGETS may name either (BS-22).
        for n, (element, pair) in enumerate(entered.elements)
        for named in _names(element, pair, f"setup.teams[{side}].elements[{n}]")
    )


def _names(element: Element, pair: list[Fighter], where: str) -> list[tuple[str, str]]:
    """Return the names of an element and its fighters, each with its field."""
    fighters = [(f.name, f"{where}.fighters[{n}].name") for n, f in enumerate(pair)]
    return [(element.name, f"{where}.name"), *fighters]


def _decked(one: _Entered, other: _Entered) -> tuple[Side, Side]:
    cards = max(len(one.elements), len(other.elements))
    first, second = (
        Side(
            side.name,
            tuple(element.name for element, _ in side.elements),
            _deck(side, cards, f"setup.teams[{n}].deck"),
        )
        for n, side in enumerate((one, other))
    )
    return first, second


def _deck(side: _Entered, cards: int, where: str) -> tuple[str | None, ...]:
    """Return a side's deck; where none is written, placeholders are at the bottom (BS-9)."""
    names: list[str | None] = [element.name for element, _ in side.elements]
    full = names + [None] * (cards - len(names))
    if side.deck is None:
        return tuple(full)
    # By `repr`, since None and texts, or what else a set-up may hold, cannot be compared.
    if sorted(map(repr, side.deck)) != sorted(map(repr, full)):
        raise SetupError(
            f"{where}: it names each element of the side once, "
            f"with {cards - len(names)} null for placeholders (BS-9)"
        )
    return tuple(side.deck)
