"""A battle in drawings: rings of range around the own units, all vessels, a whole battle."""

from collections.abc import Sequence
from math import asin, atan2, cos, degrees, pi, sin
from typing import NamedTuple

from engine.cortex.symbols import LARGEST_SIGN, arrow, missile, ring, sign
from engine.cortex.tables import RANGES, TENTHS
from engine.cortex.view_types import BattleView, MissileView, PairView, UnitView, VesselView
from engine.i18n import Said, listed, say
from engine.pictures import (
    FONT,
    INK,
    LETTERS,
    MARGIN,
    PALE,
    SHADE,
    SIDES,
    WIDTH,
    Picture,
    Word,
    cut,
    legible,
    line,
    of_sides,
    spread,
    text,
    tile,
    tiled,
    wide,
)

WORDS = (
    "Before the first turn", "After turn {turn}", "At the end", "Advantage", "lock", "missile",
    "Stun", "Wound", "around {unit}", "disabled", "destroyed", "surrendered",
    "withdrawn", "jumped", *RANGES,
)  # fmt: skip
"""The words of the pictures that are in no sentence."""
_RADII = (110, 165, 215, 260)
_HEAD, _TEAM, _ROW, _KEY, _BAR = 56, 46, 44, 44, 190
EDGE = 3
"""How far a row's sign and the line above it reach beyond its top."""
_COLUMNS = (MARGIN, 250, 470)
_MOST_RINGS = 2
"""Around so many own units rings are drawn; sentences tell of the others."""


class Place(NamedTuple):
    """Where a unit is on the paper."""

    x: int
    y: int


def pictures(view: BattleView, word: Word) -> tuple[Picture, ...]:
    """Return the rings around own units, and below them all vessels."""
    tiles, bottom = [_strip(0, _HEAD, [text(MARGIN, 38, heading(view, word))])], _HEAD
    told: list[Said] = []
    for unit in _centres(view):
        drawn, fact, end = _rings(view, unit, word, bottom)
        tiles.append(_strip(bottom, end, drawn))
        told += [fact] if fact else []
        bottom = end
    if bottom > _HEAD:
        tiles.append(_strip(bottom, bottom + _KEY, _key(word, bottom)))
        bottom += _KEY
    rows, bottom = vessels(view, word, bottom)
    told += _flying(view) + [_state(one) for one in view["pilots"]]
    texts = (say("{facts}.", facts=facts) for facts in (listed(told), _left(view)))
    return (Picture(tiled(bottom, [*tiles, *rows]), *texts),)


def _left(view: BattleView) -> str:
    """Return how many vessels each side has left, in words."""
    return of_sides((team["name"], team["active"]) for team in view["teams"])


def _strip(top: int, bottom: int, parts: Sequence[str]) -> str:
    """Return a tile as wide as the picture; all but the first are moved up by an edge."""
    start = max(top - EDGE, 0)
    return tile(0, start, WIDTH, bottom - EDGE - start, parts)


def heading(view: BattleView, word: Word) -> str:
    """Return which turn was played last."""
    if view["over"]:
        return word("At the end")
    if not view["played"]:
        return word("Before the first turn")
    return word("After turn {turn}").format(turn=view["played"])


def _centres(view: BattleView) -> list[UnitView]:
    """Return the units that rings are drawn around: the seat's own, else the first team's.

    Those with the enemies nearest come first, and of equals those that have most LP.
    """
    if view["over"]:
        return []
    seat, first = view["me"], view["teams"][0]["name"]
    own = [u for u in view["units"] if (u["seat"] == seat if seat else u["team"] == first)]
    left = {one["name"]: one["left"] for one in view["pilots"]}

    # Where enemies are near the next orders matter most; sentences tell of the other units.
    def weight(unit: UnitView) -> tuple[int, int]:
        near = [RANGES.index(p["range"]) for p in view["pairs"] if unit["name"] in _both(p)]
        return min(near, default=0), -sum(left[name] for name in unit["members"])

    return sorted(own, key=weight)[: _MOST_RINGS if seat else 1]


def _both(pair: PairView) -> tuple[str, str]:
    return pair["one"], pair["other"]


def _rings(
    view: BattleView, unit: UnitView, word: Word, top: int
) -> tuple[list[str], Said | None, int]:
    """Draw the rings around a unit with all enemies, say what they show, and where they end."""
    name = unit["name"]
    pairs = [pair for pair in view["pairs"] if name in _both(pair)]
    # Rings beyond the farthest enemy only take space.
    far = max((RANGES.index(pair["range"]) for pair in pairs), default=0)
    middle = Place(WIDTH // 2, top + 70 + _RADII[far])
    title = word("around {unit}").format(unit=legible(name, _numbers(view)[name]))
    parts = [line(0, top, WIDTH, top), text(MARGIN, top + 34, cut(title, WIDTH - 2 * MARGIN))]
    shown = list(zip(RANGES, _RADII, strict=True))[: far + 1]
    parts += [ring(middle.x, middle.y, radius) for _, radius in shown]
    parts += [
        text(middle.x, middle.y - radius + 8, word(kind), "middle", PALE) for kind, radius in shown
    ]
    places = {name: middle}
    for number, pair in enumerate(pairs):
        other = _other(pair, name)
        places[other] = _at(middle, pair["range"], word, number, len(pairs))
    # A member of a wing is where its leader is.
    whose = {member: one["name"] for one in view["units"] for member in one["members"]}
    parts += _lines(view, pairs, places, whose)
    # Numbers, since names do not fit on rings that a telephone shows in 320 pixels.
    numbers, teams = _numbers(view), [team["name"] for team in view["teams"]]
    by_name = {one["name"]: one for one in view["units"]}
    for one, place in places.items():
        team = teams.index(by_name[one]["team"])
        many = len(by_name[one]["members"])
        parts.append(sign(place.x, place.y, team, str(numbers[one]), many > 1))
    seen = [_pair(pair, name) for pair in pairs]
    told = say("{unit}: {facts}", unit=name, facts=listed(seen)) if seen else None
    return parts, told, middle.y + _RADII[far] + 44


def _other(pair: PairView, name: str) -> str:
    return pair["other"] if pair["one"] == name else pair["one"]


def _at(middle: Place, kind: str, word: Word, number: int, count: int) -> Place:
    """Return the place of one of several units on a ring, away from the ring's word at its top."""
    radius, angle = _RADII[RANGES.index(kind)], pi / 4
    if count > 1:
        covered = wide(word(kind), FONT) // 2 + LARGEST_SIGN
        first = max(asin(min(covered / radius, 1)), pi / count)
        angle = -pi / 2 + first + 2 * (pi - first) * number / (count - 1)
    return Place(round(middle.x + radius * cos(angle)), round(middle.y + radius * sin(angle)))


def _lines(
    view: BattleView,
    pairs: Sequence[PairView],
    places: dict[str, Place],
    whose: dict[str, str],
) -> list[str]:
    """Draw Advantage, locks and missiles between units that are shown."""
    parts = []
    for pair in pairs:
        holder = pair["advantage"]
        if holder is not None:
            held = _other(pair, holder)
            parts.append(arrow(*places[holder], *places[held], 3 + 4 * (pair["steps"] - 1)))
    for lock in view["locks"]:
        by, at = (whose.get(lock[key], "") for key in ("by", "at"))
        if by in places and at in places:
            parts.append(arrow(*places[by], *places[at], 3, dashed=True))
    flying: dict[tuple[str, str], list[MissileView]] = {}
    for one in view["missiles"]:
        by, at = whose.get(one["by"], ""), whose.get(one["at"], "")
        if by in places and at in places:
            flying.setdefault((by, at), []).append(one)
    for (by, at), found in flying.items():
        for number, one in enumerate(found):
            parts.append(_missile(places[by], places[at], one, number, len(found)))
    return parts


def _missile(start: Place, end: Place, one: MissileView, number: int, count: int) -> str:
    """Draw a missile on its way, those on the same one side by side."""
    share = (number + 1) / (count + 1)
    x = round(start.x + (end.x - start.x) * share)
    y = round(start.y + (end.y - start.y) * share)
    return missile(x, y, one["id"], round(degrees(atan2(end.x - start.x, start.y - end.y))))


def _numbers(view: BattleView) -> dict[str, int]:
    return {one["name"]: number for number, one in enumerate(view["pilots"], 1)}


def _key(word: Word, top: int) -> list[str]:
    """Draw what the lines and signs of the rings mean."""
    y, (first, second, third) = top + 22, _COLUMNS
    return [
        arrow(first, y, first + 56, y, 3, ends=0),
        text(first + 68, y + 8, word("Advantage")),
        arrow(second, y, second + 56, y, 3, dashed=True, ends=0),
        text(second + 68, y + 8, word("lock")),
        missile(third, y),
        text(third + 24, y + 8, word("missile")),
    ]


def vessels(view: BattleView, word: Word, top: int) -> tuple[list[str], int]:
    """Return tiles with a row for each vessel: its number, its name, and its LP as a bar."""
    tiles, y = list[str](), top
    numbers = _numbers(view)
    for number, team in enumerate(view["teams"]):
        title = text(
            MARGIN, y + 32, cut(legible(team["name"], LETTERS[number]), WIDTH - 2 * MARGIN)
        )
        tiles.append(_strip(y, y + _TEAM, [line(0, y, WIDTH, y), title]))
        y += _TEAM
        for one in view["pilots"]:
            if one["team"] == team["name"]:
                row = _row(one, number, numbers[one["name"]], word, y)
                tiles.append(_strip(y, y + _ROW, row))
                y += _ROW
    end = y + _KEY + EDGE
    return [*tiles, _strip(y, end + EDGE, _bars_key(word, y))], end


def _row(one: VesselView, team: int, number: int, word: Word, y: int) -> list[str]:
    out = one["fate"] != "active"
    bar = WIDTH - MARGIN - _BAR - 110
    name = cut(legible(one["name"], word(one["kind"])), bar - MARGIN - 62)
    parts = [
        sign(MARGIN + 18, y + 18, team, str(number)),
        text(MARGIN + 46, y + 26, name, colour=PALE if out else INK, edge=False),
    ]
    if out:
        return [*parts, text(bar, y + 26, word(one["fate"]), colour=PALE, edge=False)]
    whole = one["lp"] * TENTHS
    left = _BAR * one["left"] // whole
    stun = min(_BAR * one["stun"] // whole, _BAR - left)
    parts.append(
        f'<rect x="{bar}" y="{y + 6}" width="{_BAR}" height="22" fill="{SHADE}" stroke="{PALE}"/>'
        f'<rect x="{bar}" y="{y + 6}" width="{left}" height="22" fill="{SIDES[team]}"/>'
    )
    parts += [
        line(x, y + 7, x, y + 27, INK, 3) for x in range(bar + left + 4, bar + left + stun, 8)
    ]
    left_of = f"{points(one['left'])}/{one['lp']}"
    parts.append(text(WIDTH - MARGIN, y + 26, left_of, "end", edge=False))
    return parts


def points(tenths: int) -> str:
    """Return tenths of a point as points."""
    whole, rest = divmod(tenths, TENTHS)
    return f"{whole}.{rest}" if rest else str(whole)


def _bars_key(word: Word, y: int) -> list[str]:
    box = f'<rect x="{MARGIN}" y="{y + 8}" width="40" height="22" fill="{SHADE}" stroke="{PALE}"/>'
    marks = [line(x, y + 9, x, y + 29, INK, 3) for x in range(MARGIN + 6, MARGIN + 40, 8)]
    other = WIDTH // 2
    empty = f'<rect x="{other}" y="{y + 8}" width="40" height="22" fill="{SHADE}" stroke="{PALE}"/>'
    return [
        box,
        *marks,
        text(MARGIN + 52, y + 28, word("Stun")),
        empty,
        text(other + 52, y + 28, word("Wound")),
    ]


def _pair(pair: PairView, name: str) -> Said:
    """Return how far an enemy is, and who has Advantage."""
    other, holder = _other(pair, name), pair["advantage"]
    parts = {"other": other, "range": say(pair["range"]), "steps": pair["steps"]}
    if holder is None:
        return say("{other} at {range} range", **parts)
    if holder == name:
        return say("{other} at {range} range under its Advantage ({steps})", **parts)
    return say("{other} at {range} range with Advantage over it ({steps})", **parts)


def _flying(view: BattleView) -> list[Said]:
    """Return all locks and missiles in sentences."""
    locks = [
        say("{by} has a lock on {at} ({weapon})", by=o["by"], at=o["at"], weapon=o["weapon"])
        for o in view["locks"]
    ]
    missiles = [
        say(
            "{id} flies at {at}, and hits in turn {turn}", id=o["id"], at=o["at"], turn=o["arrives"]
        )
        for o in view["missiles"]
    ]
    return locks + missiles


def _state(one: VesselView) -> Said:
    """Return how a vessel is."""
    if one["fate"] != "active":
        return say("{name} is {fate}", name=one["name"], fate=say(one["fate"]))
    return say(
        "{name} has {left} of {lp} LP", name=one["name"], left=points(one["left"]), lp=one["lp"]
    )


_FRAMES = 4
"""The most drawings of a film."""
_TITLE = 50


def film(views: Sequence[BattleView], word: Word) -> tuple[Picture, ...]:
    """Return a battle drawn from the views after its steps; nothing before the first turn."""
    # Steps that only file orders change nothing to see.
    turns = list({(view["played"], view["over"]): view for view in views}.values())
    frames = spread(turns, _FRAMES)
    if len(frames) < 2:
        return ()
    top, drawn = 0, list[str]()
    for view in frames:
        title = [line(0, top + 1, WIDTH, top + 1), text(MARGIN, top + 36, heading(view, word))]
        rows, bottom = vessels(view, word, top + _TITLE)
        drawn += [tile(0, top, WIDTH, _TITLE - EDGE, title), *rows]
        top = bottom
    texts = (
        say("The battle in drawings: {facts}.", facts=facts)
        for facts in (listed(map(_moment, frames)), _left(frames[-1]))
    )
    return (Picture(tiled(top, drawn), *texts),)


def _moment(view: BattleView) -> str:
    """Return when a drawing is of, and how many of each team are active then."""
    if view["over"]:
        when = say("at the end")
    elif not view["played"]:
        when = say("before the first turn")
    else:
        when = say("after turn {turn}", turn=view["played"])
    counts = [say("{team} {count}", team=t["name"], count=t["active"]) for t in view["teams"]]
    return say("{when} {counts}", when=when, counts=counts)
