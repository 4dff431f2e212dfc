"""A picture of a duel: both ships at their range, with Advantage, locks, shots and damage."""

from collections.abc import Iterator

from engine.i18n import say
from engine.pictures import INK, PALE, SIDES, Picture, Word, fitting, folded, tile
from engine.starpilot import team_chart
from engine.starpilot.picture_signs import (
    WIDTH,
    condition,
    crosshair,
    damage,
    fate,
    named,
    sheet,
    star,
    text,
    told,
    weapon,
)
from engine.starpilot.view import BattleView, PairView, PilotView

HEIGHT = 330
_HALF = WIDTH // 2
# The last is for a picture without a range, because one of the two is out.
_APART = {"near": 66, "far": 108, "extreme": 150, "": 130}
"""How far each ship is drawn from the middle, by range."""
_LANE, _ROWS, _ROW = 114, 200, 19
"""The y of the ships and of the first row of damage, and the height of a row."""
_SPACE = _HALF - 20
"""How wide a name may be."""
_NAMED, _FLOWN = 48, _ROWS - 15
"""The y where the names end, and where the space between the ships ends."""


def pictures(view: BattleView, word: Word) -> tuple[Picture, ...]:
    """Return the picture of a battle, with words translated by `word`."""
    # In a melee each pair has its own range, which one line between ships can't show.
    if len(view["pilots"]) != 2:
        return team_chart.pictures(view, word)
    between = list(told(_pair(view))) or [fate(pilot) for pilot in view["pilots"]]
    return (Picture(_svg(view, word), _told(view), say("{facts}.", facts=between)),)


def _pair(view: BattleView) -> PairView:
    """Return the facts between the two pilots; empty ones where one is out of the battle."""
    if view["pairs"]:
        return view["pairs"][0]
    # Pairs are listed only between active pilots.
    return PairView(one="", other="", range="", advantage=None, locks=[], shots=[])


def _told(view: BattleView) -> str:
    """Return a sentence that says all that the picture shows."""
    facts = [*told(_pair(view)), *map(condition, view["pilots"])]
    return say("Picture: {facts}.", facts=facts)


def _svg(view: BattleView, word: Word) -> str:
    sides = (0, 1)
    flown = [*_lane(view, word), *(part for n in sides for part in _ship(view, n, word))]
    named = [part for n in sides for part in _names(view["pilots"][n], n)]
    # In tiles, because a row of damage is the same in many pictures and is drawn only once.
    tiles = [tile(0, 0, WIDTH, _NAMED, named), tile(0, _NAMED, WIDTH, _FLOWN - _NAMED, flown)]
    for n, pilot in enumerate(view["pilots"]):
        for line, row in enumerate(pilot["rows"]):
            y = _ROWS + _ROW * line
            tiles.append(tile(n * _HALF, y - 15, _HALF, _ROW, damage(row, n, y, word)))
    return sheet(HEIGHT, tiles)


def _x(view: BattleView, n: int) -> int:
    """Return a ship's x."""
    return WIDTH // 2 + (2 * n - 1) * _APART[_pair(view)["range"]]


def _lane(view: BattleView, word: Word) -> Iterator[str]:
    """Draw the space between the ships, and the shots and locks in it."""
    pair, (left, right) = _pair(view), (_x(view, 0), _x(view, 1))
    yield (
        f'<path d="M{left + 24} {_LANE}H{right - 24}" stroke="{PALE}" stroke-width="2"'
        ' stroke-dasharray="2 6"/>'
    )
    yield text(WIDTH / 2, _LANE - 10, word(pair["range"].capitalize()) if pair["range"] else "")
    for n in (0, 1):
        name, start, end = view["pilots"][n]["name"], _x(view, n), _x(view, 1 - n)
        flown = [word(weapon(shot)) for shot in pair["shots"] if shot["by"] == name]
        locked = [word("lock")] if name in pair["locks"] else []
        if flown or locked:
            yield from _arc(n, start, end, ", ".join([*locked, *flown]), bool(flown))
        if locked:
            yield crosshair(end, _LANE, 30, SIDES[n])


def _arc(n: int, start: int, end: int, words: str, shot: bool) -> Iterator[str]:
    """Draw what one ship sends to the other: a shot as a whole line, a lock alone as dashes."""
    # The first ship's line bows up and the second's down, so that their words have room.
    bow, turn = (-44, 1) if n == 0 else (44, -1)
    tip, y = end - turn * 26, _LANE + bow // 4
    dashes = "" if shot else ' stroke-dasharray="7 5"'
    yield (
        f'<path d="M{start + turn * 26} {y}Q{WIDTH // 2} {_LANE + 2 * bow} {tip} {y}" fill="none"'
        f' stroke="{SIDES[n]}" stroke-width="3"{dashes}/>'
        f'<path d="M{tip} {y}l{-turn * 14} {-6 if n == 0 else 6}l{turn * 5} {12 if n else -8}z"'
        f' fill="{SIDES[n]}"/>'
    )
    yield text(WIDTH / 2, _LANE + (-54 if n == 0 else 64), words, more=f' fill="{SIDES[n]}"')


def _names(pilot: PilotView, n: int) -> Iterator[str]:
    """Draw the names of a pilot and its ship."""
    side, anchor = (10, "start") if n == 0 else (WIDTH - 10, "end")
    name = named(pilot)
    size = fitting(name, 20, _SPACE, 15)
    lines = folded(name, size, _SPACE)
    # A name that needs two lines gets smaller letters, so that both stand above the ship's name.
    if len(lines) > 1:
        size, lines = 13, folded(name, 13, _SPACE)
    for place, line in enumerate(lines):
        y = 28 - 14 * (len(lines) - 1 - place) if len(lines) > 1 else 24
        yield text(side, y, line, anchor, f' font-size="{size}" fill="{SIDES[n]}"')
    yield text(side, 44, pilot["ship"], anchor)


def _ship(view: BattleView, n: int, word: Word) -> Iterator[str]:
    """Draw a ship with its nose to the other, and a star for the Advantage."""
    pilot, x, turn = view["pilots"][n], _x(view, n), 1 - 2 * n
    gone = pilot["fate"] != "active"
    yield (
        f'<path d="M{x + turn * 20} {_LANE}l{-turn * 36} -14l{turn * 9} 14l{-turn * 9} 14z"'
        f' fill="{PALE if gone else SIDES[n]}"/>'
    )
    if gone:
        yield (
            f'<path d="M{x - 18} {_LANE - 18}l36 36m0 -36l-36 36" stroke="{INK}" stroke-width="3"/>'
        )
    if gone:
        yield text(x, _LANE + 40, word(pilot["fate"]))
    if _pair(view)["advantage"] == pilot["name"]:
        yield star(x - turn * 42, _LANE)
        yield text(x - turn * 20, _LANE + 54, word("Advantage"))
