"""How pilots and sides rank, for STANDINGS and the newsletter; it names pilots, not players."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache, partial
from itertools import islice
from typing import NamedTuple, TypedDict

from engine import registry
from engine.letter_texts import View
from pbem.games.persona_rules import campaign_of, persona_sheet, piece_of
from pbem.people import personas
from pbem.storage import Persona, Store
from pbem.storage.standing_columns import merit

MOST = 30
"""How many careers are listed, from the best down."""


class PlacedCareer(TypedDict):
    """A persona's place in the standings; those of equal merit share the better place."""

    place: int
    name: str
    sheet: View
    figures: dict[str, int]


class RankedSide(TypedDict):
    """A side with the summed figures of its personas."""

    name: str
    figures: dict[str, int]


class Standings(TypedDict):
    """The standings of a system; `more` counts the careers that are not listed.

    `own` are those of one player, and `near` the careers around them that are not listed.
    """

    system: str
    title: str
    careers: list[PlacedCareer]
    more: int
    own: list[PlacedCareer]
    near: list[PlacedCareer]
    sides: list[RankedSide]
    decorated: list[PlacedCareer]
    hall: list[PlacedCareer]


class Span(NamedTuple):
    """Which places are listed, the first being 1, and of which side ("" for all)."""

    first: int = 1
    last: int = MOST
    side: str = ""


THE_BEST = Span()
AROUND = 2
"""How many careers are listed before and behind each of a player's own."""
_OWN = 3
"""For how many of a player's own careers, the best ones, those around them are listed."""


_SEARCHED = 100
"""How many of the best careers are searched for awards."""


def standings(store: Store, own: int = 0, span: Span = THE_BEST) -> list[Standings]:
    """Return the standings of each system that has personas.

    `own` is the number of a player whose careers are listed apart, however low they rank. Only what
    is shown is read, so it takes as long in a large league.
    """
    ranked = [key for key, rules in registry.RULESETS.items() if rules.campaign is not None]
    return [_standings(store, key, own, span) for key in ranked if personas.best(store, key, 1)]


def _standings(store: Store, system: str, own: int, span: Span) -> Standings:
    most, lines = span.last - span.first + 1, _Lines(store)
    listed = personas.best(store, system, most, span.first - 1, span.side)
    mine = sorted(personas.of(store, own, system=system), key=_order)
    known = {row.id for row in listed}
    around = {
        row.id: row for one in mine[:_OWN] for row in (one, *personas.beside(store, one, AROUND))
    }
    near = [row for row in around.values() if row.id not in known]
    forces = personas.forces(store, system)
    count = sum(count for side, _, _, count in forces if span.side in ("", side))
    return {
        "system": system,
        "title": registry.RULESETS[system].title,
        "careers": [lines.of(row) for row in listed],
        "more": count - len(listed),
        "own": [lines.of(row) for row in mine[:most]],
        "near": [lines.of(row) for row in sorted(near, key=_order)],
        "sides": _sides(store, system, forces),
        "decorated": lines.first(system, "decorations", most),
        "hall": lines.first(system, "retired", most),
    }


def _order(row: Persona) -> tuple[str, str]:
    # By name where merit is equal, so that the order is always the same.
    return row.rank, row.name


class _Lines:
    """Makes the lines of careers; those of equal merit share the better place."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # Places count over all sides, also where the careers of one side are listed.
        self._place = cache(partial(personas.place, store))

    def of(self, row: Persona) -> PlacedCareer:
        """Return the career as it is listed."""
        sheet, figures = campaign_of(row).sheet(piece_of(row)), json.loads(row.figures)
        place = self._place(row.system, row.rank)
        return {"place": place, "name": row.name, "sheet": sheet, "figures": figures}

    def first(self, system: str, what: str, most: int) -> list[PlacedCareer]:
        """Return the best careers with something on their sheets."""
        # Each line needs a sheet, so not all careers are looked through.
        lines = (self.of(row) for row in personas.best(self._store, system, _SEARCHED))
        return list(islice((line for line in lines if line["sheet"][what]), most))


def _sides(
    store: Store, system: str, forces: Iterable[tuple[str, str, str, int]]
) -> list[RankedSide]:
    """Return the summed figures of each side, the side with the most merit first."""
    merits: dict[str, list[int]] = {}
    figures: dict[str, Counter[str]] = {}
    for side, rank, told, count in forces:
        one = merit(rank)
        summed = merits.setdefault(side, [0] * len(one))
        merits[side] = [a + b * count for a, b in zip(summed, one, strict=True)]
        found = figures.setdefault(side, Counter())
        found.update({"pilots": count, **{k: v * count for k, v in json.loads(told).items()}})
    order = sorted(merits, key=lambda side: ([-value for value in merits[side]], side))[:MOST]
    return [{"name": _title(store, system, side), "figures": dict(figures[side])} for side in order]


def _title(store: Store, system: str, side: str) -> str:
    """Return what a side is called on the sheet of its best persona."""
    sheet = persona_sheet(personas.best(store, system, 1, side=side)[0]) if side else {}
    return str(sheet.get("side_title", side))
