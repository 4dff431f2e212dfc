"""The signs that pictures of duels and of team battles share, and their words."""

from collections.abc import Iterator, Sequence
from html import escape

from engine.i18n import Said, say
from engine.pictures import INK, PAPER, SIDES, Word, legible
from engine.starpilot.view import PairView, PilotView, ShotView, StatRow

WIDTH, FONT = 420, 15
COLUMN = 212
"""How far apart the two columns of stats are."""
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
            say("step"),
            say("point lost"),
            say("more pairs"),
            say("range"),
            say("Range: to the nearest opponent, near is low"),
        ),
    )
}
"""Words of the pictures that are in no table."""


def condition(pilot: PilotView) -> str:
    """Return a sentence on a pilot's fate and its ship's losses."""
    lost = [_loss(row) for row in pilot["rows"] if row["current"] < row["rating"]]
    name, fate = pilot["name"], WORDS[pilot["fate"]]
    if not lost:
        return say("{name} {fate} and undamaged", name=name, fate=fate)
    return say("{name} {fate}, with the loss of {losses}", name=name, fate=fate, losses=lost)


def fate(pilot: PilotView) -> Said:
    """Return a sentence on what has become of a pilot."""
    return say("{name} {fate} at the end", name=pilot["name"], fate=WORDS[pilot["fate"]])


def _loss(row: StatRow) -> str:
    """Return what a stat has lost; at -1 it is wrecked."""
    stat, rating = say(row["stat"].lower()), row["rating"]
    if row["current"] < 0:
        return say("{stat} wrecked", stat=stat)
    return say("{lost} of {rating} {stat}", lost=rating - row["current"], rating=rating, stat=stat)


def told(pair: PairView) -> Iterator[Said]:
    """Yield sentences that say what stands between two pilots."""
    if pair["range"]:
        one, other, far = pair["one"], pair["other"], WORDS[pair["range"]]
        yield say("{one} and {other} at {range} range", one=one, other=other, range=far)
    if pair["advantage"]:
        yield say("{name} with the Advantage", name=pair["advantage"])
    yield from (say("a lock by {name}", name=by) for by in pair["locks"])
    for shot in pair["shots"]:
        if shot["weapon"] == "fire":
            yield say("a shot of beams by {name} in flight", name=shot["by"])
        else:
            yield say("a missile of {name} in flight", name=shot["by"])


def named(pilot: PilotView) -> str:
    """Return what a pilot is called in a picture: the ship where the font lacks its script."""
    return legible(pilot["name"], pilot["ship"])


def sheet(height: int, tiles: Sequence[str]) -> str:
    """Return a whole drawing of tiles, on our own ground in light letters and dark ones."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" font-family="Source Sans Pro, sans-serif"'
        f' font-size="{FONT}" fill="{INK}">{"".join(tiles)}</svg>'
    )


def weapon(shot: ShotView) -> str:
    """Return the word for what was shot."""
    return "beams" if shot["weapon"] == "fire" else "missile"


def text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    """Return words at a place."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def crosshair(x: int, y: int, radius: int, colour: str) -> str:
    """Return the sights of a lock, drawn around a ship."""
    long, inner = radius // 2 - 1, radius - 6
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="2">'
        f'<circle cx="{x}" cy="{y}" r="{radius}"/>'
        f'<path d="M{x - inner - long} {y}h{long}M{x + inner} {y}h{long}'
        f'M{x} {y - inner - long}v{long}M{x} {y + inner}v{long}"/></g>'
    )


def star(x: int, y: int) -> str:
    """Return the sign of the Advantage."""
    spikes = "l4 9l10 1l-8 7l3 10l-9 -6l-9 6l3 -10l-8 -7l10 -1z"
    return f'<path d="M{x} {y - 14}{spikes}" fill="{INK}"/>'


def damage(row: StatRow, n: int, y: int, word: Word) -> Iterator[str]:
    """Draw a stat's row: a ring for a point that is left, a crossed disc for a lost one.

    The name of a wrecked stat is struck out.
    """
    x = 10 + n * COLUMN
    struck = ' text-decoration="line-through"' if row["current"] < 0 else ""
    yield text(x, y, word(row["stat"]), "start", struck)
    for point in range(row["rating"]):
        yield _point(x + 92 + 18 * point, y - 5, point < row["current"], SIDES[n])


def _point(x: int, y: int, left: bool, colour: str) -> str:
    ring = f'<circle cx="{x}" cy="{y}" r="6" stroke="{colour}" stroke-width="2"'
    if left:
        return f'{ring} fill="{PAPER}"/>'
    cross = f'<path d="M{x - 3} {y - 3}l6 6m0 -6l-6 6" stroke="{PAPER}" stroke-width="2"/>'
    return f'{ring} fill="{colour}"/>{cross}'
