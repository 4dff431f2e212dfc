"""How pilots and sides rank, for STANDINGS and the newsletter; it names pilots, not players."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple, TypedDict

from engine import registry
from engine.campaign import Persona as Piece
from engine.campaign import Standing
from engine.telling import View
from pbem.games.persona_rules import campaign_of, piece_of
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


class _Ranked(NamedTuple):
    row: Persona
    piece: Piece
    standing: Standing
    place: int = 0

    def line(self) -> PlacedCareer:
        """Return the career as it is listed; only for these a sheet is made."""
        sheet = campaign_of(self.row).sheet(self.piece)
        figures = self.standing.figures
        return {"place": self.place, "name": self.row.name, "sheet": sheet, "figures": figures}


def standings(store: Store, own: int = 0, span: Span = THE_BEST) -> list[Standings]:
    """Return the standings of each system that has personas.

    `own` is the number of a player whose careers are listed apart, however low they rank.
    """
    found = ((key, _careers(store, key)) for key in registry.campaigns())
    return [_standings(key, rows, own, span) for key, rows in found if rows]


def _careers(store: Store, system: str) -> list[Persona]:
    # A guest is a player in one game, and has no career (decision 0030).
    return [row for row in store.personas.all(system=system) if not row.is_guest]


def _standings(system: str, rows: Sequence[Persona], own: int, span: Span) -> Standings:
    whole = list(_placed(sorted(map(_ranked, rows), key=_order)))
    # Places count over all sides, also where the careers of one side are listed.
    ranked = [one for one in whole if span.side in ("", one.row.side)]
    listed = ranked[span.first - 1 : span.last]
    mine = [n for n, one in enumerate(whole) if one.row.player_id == own]
    around = {n for m in mine[:_OWN] for n in range(max(m - AROUND, 0), m + AROUND + 1)}
    known = {one.row.id for one in listed}
    near = [one for n, one in enumerate(whole) if n in around and one.row.id not in known]
    most = span.last - span.first + 1
    return {
        "system": system,
        "title": registry.RULESETS[system].title,
        "careers": [one.line() for one in listed],
        "more": len(ranked) - len(listed),
        "own": [whole[n].line() for n in mine[:most]],
        "near": [one.line() for one in near],
        "sides": _sides(whole),
        "decorated": _first(whole, "decorations", most),
        "hall": _first(whole, "retired", most),
    }


def _first(ranked: Iterable[_Ranked], what: str, most: int) -> list[PlacedCareer]:
    """Return the best careers with something on their sheets."""
    # Each line needs a sheet, so not all careers are looked through.
    lines = (one.line() for one in islice(ranked, _SEARCHED))
    return list(islice((line for line in lines if line["sheet"][what]), most))


def _ranked(row: Persona) -> _Ranked:
    piece = piece_of(row)
    return _Ranked(row, piece, campaign_of(row).standing(piece))


def _order(one: _Ranked) -> tuple[tuple[int, ...], str]:
    """Return a sort key that puts the highest merit first."""
    # By name where merit is equal, so that the order is always the same.
    return tuple(-value for value in one.standing.merit), one.row.name


def _placed(ranked: Iterable[_Ranked]) -> Iterable[_Ranked]:
    """Yield the careers with their places; those of equal merit share the better place."""
    place, before = 0, None
    for number, one in enumerate(ranked, 1):
        if one.standing.merit != before:
            place, before = number, one.standing.merit
        yield one._replace(place=place)


def _sides(ranked: Iterable[_Ranked]) -> list[RankedSide]:
    """Return the summed figures of each side, the side with the most merit first."""
    merits: dict[str, list[int]] = {}
    figures: dict[str, Counter[str]] = {}
    known: dict[str, _Ranked] = {}
    for one in ranked:
        side = one.row.side
        merit = merits.setdefault(side, [0] * len(one.standing.merit))
        merits[side] = [a + b for a, b in zip(merit, one.standing.merit, strict=True)]
        figures.setdefault(side, Counter()).update({"pilots": 1, **one.standing.figures})
        known[side] = one
    order = sorted(merits, key=lambda side: ([-value for value in merits[side]], side))[:MOST]
    titles = {side: known[side].line()["sheet"].get("side_title", side) for side in order}
    return [{"name": titles[side], "figures": dict(figures[side])} for side in order]
