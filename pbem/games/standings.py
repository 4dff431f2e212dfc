"""How pilots and sides rank, for STANDINGS and the newsletter; it names pilots, not players."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from engine import library
from engine.ruleset import Standing, View
from pbem.games.session import career_of, piece_of
from pbem.storage import Persona, Store

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
    """The standings of a system; `more` counts the careers that are not listed."""

    system: str
    title: str
    careers: list[PlacedCareer]
    more: int
    own: list[PlacedCareer]
    sides: list[RankedSide]
    decorated: list[PlacedCareer]
    hall: list[PlacedCareer]


class _Ranked(NamedTuple):
    row: Persona
    sheet: View
    standing: Standing


def standings(store: Store, own: int = 0) -> list[Standings]:
    """Return the standings of each system that has personas.

    `own` is the number of a player whose careers are listed apart, however low they rank.
    """
    found = ((key, store.personas.all(system=key)) for key in library.RULESETS)
    return [_standings(key, rows, own) for key, rows in found if rows]


def _standings(system: str, rows: Sequence[Persona], own: int) -> Standings:
    ranked = sorted(map(_ranked, rows), key=lambda one: (*_falling(one), one.row.name))
    careers = list(_placed(ranked))
    mine = [line for line, one in zip(careers, ranked, strict=True) if one.row.player_id == own]
    return {
        "system": system,
        "title": library.RULESETS[system].title,
        "careers": careers[:MOST],
        "more": max(len(careers) - MOST, 0),
        "own": mine,
        "sides": _sides(ranked),
        "decorated": [line for line in careers if line["sheet"]["decorations"]][:MOST],
        "hall": [line for line in careers if line["sheet"]["retired"]],
    }


def _ranked(row: Persona) -> _Ranked:
    career, piece = career_of(row), piece_of(row)
    return _Ranked(row, career.sheet(piece), career.standing(piece))


def _falling(one: _Ranked) -> tuple[int, ...]:
    """Return a sort key that puts the highest merit first."""
    return tuple(-value for value in one.standing.merit)


def _placed(ranked: Iterable[_Ranked]) -> Iterable[PlacedCareer]:
    """Yield the careers with their places; those of equal merit share the better place."""
    place, before = 0, None
    for number, one in enumerate(ranked, 1):
        if one.standing.merit != before:
            place, before = number, one.standing.merit
        figures = one.standing.figures
        yield {"place": place, "name": one.row.name, "sheet": one.sheet, "figures": figures}


def _sides(ranked: Iterable[_Ranked]) -> list[RankedSide]:
    """Return the summed figures of each side, the side with the most merit first."""
    merits: dict[str, list[int]] = {}
    figures: dict[str, Counter[str]] = {}
    for one in ranked:
        side = one.sheet.get("side_title", one.row.side)
        merit = merits.setdefault(side, [0] * len(one.standing.merit))
        merits[side] = [a + b for a, b in zip(merit, one.standing.merit, strict=True)]
        figures.setdefault(side, Counter()).update({"pilots": 1, **one.standing.figures})
    order = sorted(merits, key=lambda side: ([-value for value in merits[side]], side))
    return [{"name": side, "figures": dict(figures[side])} for side in order]
