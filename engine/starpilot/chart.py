"""A picture of a duel: both ships at their range, with Advantage, locks, shots and damage."""

from collections.abc import Callable, Iterator
from html import escape

from engine.i18n import Said, say
from engine.pictures import INK, PALE, PAPER, SIDES, Picture, fitting, folded, tile
from engine.starpilot.view import BattleView, PairView, PilotView, ShotView, StatRow

Word = Callable[[str], str]

WIDTH, HEIGHT = 420, 330
_HALF = WIDTH // 2
WORDS: dict[str, Said] = {
    said: said
    for said in (
        *(say("near"), say("far"), say("extreme")),
        *(say("active"), say("killed"), say("ejected"), say("surrendered"), say("escaped")),
        *(
            say("lock"),
            say("missile"),
            say("advantage"),
            say("structure"),
            say("turn"),
            say("point lost"),
        ),
    )
}
"""Words of the picture that are in no table."""
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
    """Return the picture of a duel, with words translated by `word`; larger battles have none."""
    # In a melee each pair has its own range, which one line between ships can't show.
    if len(view["pilots"]) != 2:
        return ()
    return (Picture(_svg(view, word), _told(view)),)


def _pair(view: BattleView) -> PairView:
    """Return the facts between the two pilots; empty ones where one is out of the battle."""
    if view["pairs"]:
        return view["pairs"][0]
    # Pairs are listed only between active pilots.
    return PairView(one="", other="", range="", advantage=None, locks=[], shots=[])


def _told(view: BattleView) -> str:
    """Return a sentence that says all that the picture shows."""
    one, other = (pilot["name"] for pilot in view["pilots"])
    pair, facts = _pair(view), list[str]()
    if pair["range"]:
        facts.append(
            say(
                "{one} and {other} at {range} range",
                one=one,
                other=other,
                range=WORDS[pair["range"]],
            )
        )
    if pair["advantage"]:
        facts.append(say("{name} with the Advantage", name=pair["advantage"]))
    facts += [say("a lock by {name}", name=by) for by in pair["locks"]]
    facts += [
        say("a shot of beams by {name} in flight", name=shot["by"])
        if shot["weapon"] == "fire"
        else say("a missile of {name} in flight", name=shot["by"])
        for shot in pair["shots"]
    ]
    facts += [_condition(pilot) for pilot in view["pilots"]]
    return say("Picture: {facts}.", facts=facts)


def _condition(pilot: PilotView) -> str:
    """Return a sentence on a pilot's fate and its ship's losses."""
    lost = [_loss(row) for row in pilot["rows"] if row["current"] < row["rating"]]
    name, fate = pilot["name"], WORDS[pilot["fate"]]
    if not lost:
        return say("{name} {fate} and undamaged", name=name, fate=fate)
    return say("{name} {fate}, with the loss of {losses}", name=name, fate=fate, losses=lost)


def _loss(row: StatRow) -> str:
    """Return what a stat has lost; at -1 it is wrecked."""
    stat, rating = say(row["stat"].lower()), row["rating"]
    if row["current"] < 0:
        return say("{stat} wrecked", stat=stat)
    return say("{lost} of {rating} {stat}", lost=rating - row["current"], rating=rating, stat=stat)


def _svg(view: BattleView, word: Word) -> str:
    sides = (0, 1)
    flown = [*_lane(view, word), *(part for n in sides for part in _ship(view, n, word))]
    named = [part for n in sides for part in _names(view["pilots"][n], n)]
    # In tiles, because a row of damage is the same in many pictures and is drawn only once.
    tiles = [tile(0, 0, WIDTH, _NAMED, named), tile(0, _NAMED, WIDTH, _FLOWN - _NAMED, flown)]
    for n, pilot in enumerate(view["pilots"]):
        for line, row in enumerate(pilot["rows"]):
            y = _ROWS + _ROW * line
            tiles.append(tile(n * _HALF, y - 15, _HALF, _ROW, _damage(row, n, y, word)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="Source Sans Pro, sans-serif"'
        f' font-size="15" fill="{INK}">'
    )
    return f"{head}{''.join(tiles)}</svg>"


def _text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


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
    yield _text(WIDTH / 2, _LANE - 10, word(pair["range"].capitalize()) if pair["range"] else "")
    for n in (0, 1):
        name, start, end = view["pilots"][n]["name"], _x(view, n), _x(view, 1 - n)
        flown = [word(_weapon(shot)) for shot in pair["shots"] if shot["by"] == name]
        locked = [word("lock")] if name in pair["locks"] else []
        if flown or locked:
            yield from _arc(n, start, end, ", ".join([*locked, *flown]), bool(flown))
        if locked:
            yield _crosshair(end, SIDES[n])


def _weapon(shot: ShotView) -> str:
    return "beams" if shot["weapon"] == "fire" else "missile"


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
    yield _text(WIDTH / 2, _LANE + (-54 if n == 0 else 64), words, more=f' fill="{SIDES[n]}"')


def _crosshair(x: int, colour: str) -> str:
    """Return the sights of a lock, drawn around a ship."""
    y = _LANE
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="2"><circle cx="{x}" cy="{y}" r="30"/>'
        f'<path d="M{x - 38} {y}h14M{x + 24} {y}h14M{x} {y - 38}v14M{x} {y + 24}v14"/></g>'
    )


def _names(pilot: PilotView, n: int) -> Iterator[str]:
    """Draw the names of a pilot and its ship."""
    side, anchor = (10, "start") if n == 0 else (WIDTH - 10, "end")
    size = fitting(pilot["name"], 20, _SPACE, 15)
    lines = folded(pilot["name"], size, _SPACE)
    # A name that needs two lines gets smaller letters, so that both stand above the ship's name.
    if len(lines) > 1:
        size, lines = 13, folded(pilot["name"], 13, _SPACE)
    for place, line in enumerate(lines):
        y = 28 - 14 * (len(lines) - 1 - place) if len(lines) > 1 else 24
        yield _text(side, y, line, anchor, f' font-size="{size}" fill="{SIDES[n]}"')
    yield _text(side, 44, pilot["ship"], anchor)


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
        yield _text(x, _LANE + 40, word(pilot["fate"]))
    if _pair(view)["advantage"] == pilot["name"]:
        yield _star(x - turn * 42, _LANE)
        yield _text(x - turn * 20, _LANE + 54, word("Advantage"))


def _star(x: int, y: int) -> str:
    spikes = "l4 9l10 1l-8 7l3 10l-9 -6l-9 6l3 -10l-8 -7l10 -1z"
    return f'<path d="M{x} {y - 14}{spikes}" fill="{INK}"/>'


def _damage(row: StatRow, n: int, y: int, word: Word) -> Iterator[str]:
    """Draw a stat's row: a ring for a point that is left, a crossed disc for a lost one.

    The name of a wrecked stat is struck out.
    """
    x = 10 + n * 212
    struck = ' text-decoration="line-through"' if row["current"] < 0 else ""
    yield _text(x, y, word(row["stat"]), "start", struck)
    for point in range(row["rating"]):
        yield _point(x + 92 + 18 * point, y - 5, point < row["current"], SIDES[n])


def _point(x: int, y: int, left: bool, colour: str) -> str:
    ring = f'<circle cx="{x}" cy="{y}" r="6" stroke="{colour}" stroke-width="2"'
    if left:
        return f'{ring} fill="{PAPER}"/>'
    cross = f'<path d="M{x - 3} {y - 3}l6 6m0 -6l-6 6" stroke="{PAPER}" stroke-width="2"/>'
    return f'{ring} fill="{colour}"/>{cross}'
