"""The bodies of those who are hurt: where, how badly, and the circles that are marked (SF-23)."""

from collections.abc import Iterator

from engine.i18n import Said, listed, say
from engine.pictures import (
    FONT,
    INK,
    MARGIN,
    PALE,
    PAPER,
    SHADE,
    SIDES,
    WIDTH,
    Picture,
    Word,
    cut,
    legible,
    line,
    sheet,
    text,
)
from engine.starfarer.tables import AREAS, CIRCLES, LEVELS
from engine.starfarer.view_types import AreaView, BattleView, CharacterView

_FIGURE = {
    "head": (80, 26, 34, 34),
    "chest": (80, 76, 64, 52),
    "abdomen": (80, 126, 56, 42),
    "right arm": (26, 98, 28, 92),
    "left arm": (134, 98, 28, 92),
    "right leg": (62, 198, 28, 92),
    "left leg": (98, 198, 28, 92),
}
"""The middle of each area, its width and its height; the body's right is on our left."""
_TALL, _HEAD, _ROW = 256, 50, 62
_SIZE = 11
"""The radius of a circle."""
_LEFT = 186
_SHADES = (PAPER, SHADE, SHADE, PALE, PALE, INK, INK)
"""How an area is filled by its worst level."""
WORDS = ("bleeding {points}", "shock {points}, level {level}", *AREAS, *LEVELS, "Maimed")
"""The words of the picture that are in no sentence."""


def bodies(view: BattleView, word: Word) -> Picture | None:
    """Return a drawing of everybody alive who is hurt, None where nobody is."""
    living = (one for one in view["pilots"] if one["fate"] != "dead")
    hurt = [one for one in living if one["hurt"] or one["shock"]]
    if not hurt:
        return None
    names = [team["name"] for team in view["teams"]]
    top, drawn = 0, list[str]()
    for one in hurt:
        name = legible(one["name"], view["pilots"].index(one) + 1)
        drawn += _card(one, name, names.index(one["team"]), word, top)
        top += height(one)
    texts = (
        say("Bodies: {facts}.", facts=facts)
        for facts in (listed(map(_told, hurt)), [one["name"] for one in hurt])
    )
    return Picture(sheet(top, drawn), *texts)


def height(one: CharacterView) -> int:
    """Return the height of somebody's card."""
    return _HEAD + max(_TALL + 14, _ROW * len(one["hurt"]) + 16)


def _card(one: CharacterView, name: str, team: int, word: Word, top: int) -> Iterator[str]:
    """Draw a name with the shock, the figure, and a row for each area that is hurt."""
    yield line(0, top, WIDTH, top)
    yield sign(MARGIN + 14, top + 30, team)
    shock = word("shock {points}, level {level}").format(points=one["shock"], level=one["level"])
    yield text(WIDTH - MARGIN, top + 38, shock, "end")
    shown = cut(name, WIDTH - 2 * MARGIN - 60 - 12 * len(shock))
    yield text(MARGIN + 36, top + 38, shown, "start", SIDES[team])
    worst = {area["area"]: _level(area) for area in one["hurt"]}
    for area in AREAS:
        yield _limb(area, worst.get(area, 0), top + _HEAD)
    for number, hurt in enumerate(one["hurt"]):
        yield from _row(hurt, word, top + _HEAD + 4 + _ROW * number)


def _level(area: AreaView) -> int:
    return max((level for level, marks in enumerate(area["circles"], 1) if marks), default=0)


def _limb(area: str, level: int, top: int) -> str:
    """Draw an area of the body, with the number of its worst level."""
    x, y, wide, high = _FIGURE[area]
    number = f'<text x="{x}" y="{top + y + 8}" text-anchor="middle" fill="{{}}">{level}</text>'
    # Dark areas have a light number: the drawing is to be read in grey, too.
    shown = number.format(PAPER if level > 2 else INK) if level else ""
    return (
        f'<rect x="{x - wide // 2}" y="{top + y - high // 2}" width="{wide}" height="{high}"'
        f' rx="12" fill="{_SHADES[level]}" stroke="{INK if level else PALE}" stroke-width="3"/>'
        + shown
    )


def _row(area: AreaView, word: Word, top: int) -> Iterator[str]:
    """Draw an area's name with its worst level and its bleeding, and its circles below."""
    words = word(area["area"])
    if area["worst"]:
        words += f": {word(area['worst'])}"
    if area["bleeding"]:
        words += f", {word('bleeding {points}').format(points=area['bleeding'])}"
    yield text(_LEFT, top + 20, cut(words, WIDTH - MARGIN - _LEFT))
    x = _LEFT + _SIZE
    for level, (count, marks) in enumerate(zip(CIRCLES, area["circles"], strict=True), 1):
        yield text(x - _SIZE, top + 50, str(level), "start", PALE)
        x += FONT - 6
        for place in range(count):
            # Marks stand in the order in which they were made; the circles after them are empty.
            yield _circle(x, top + 42, marks[place : place + 1])
            x += 2 * _SIZE + 5
        x += 7


def _circle(x: int, y: int, mark: str) -> str:
    """Draw a circle with its mark: a cross, a stroke or none."""
    colour = INK if mark else PALE
    ring = f'<circle cx="{x}" cy="{y}" r="{_SIZE}" fill="none" stroke="{colour}" stroke-width="3"/>'
    edge = _SIZE + 2
    stroke = line(x - edge, y + edge, x + edge, y - edge, INK, 4) if mark else ""
    return (
        ring
        + stroke
        + (line(x - edge, y - edge, x + edge, y + edge, INK, 4) if mark == "X" else "")
    )


def _told(one: CharacterView) -> Said:
    """Return somebody's shock, and the wounds and the bleeding of each area."""
    facts = [_wounds(area) for area in one["hurt"]]
    shock = say("shock {points}, level {level}", points=one["shock"], level=one["level"])
    return say("{name} {facts}", name=one["name"], facts=[*facts, shock])


def _wounds(area: AreaView) -> Said:
    marks = [
        say("{mark} at {level}", mark=" ".join(made), level=level)
        for level, made in enumerate(area["circles"], 1)
        if made
    ]
    place = say(area["area"])
    if not area["bleeding"]:
        return say("{area} ({marks})", area=place, marks=marks)
    bleeding = say("bleeding {points}", points=area["bleeding"])
    return say("{area} ({marks})", area=place, marks=[*marks, bleeding])


_SIGNS = (
    '<circle r="13" fill="{c}"/>',
    '<rect x="-12" y="-12" width="24" height="24" fill="{p}" stroke="{c}" stroke-width="5"/>',
    '<path d="M0 -16L16 0L0 16L-16 0z" fill="{c}"/>',
    '<path d="M-15 13L0 -15L15 13z" fill="{p}" stroke="{c}" stroke-width="5"/>',
)
"""A sign for each team, full or hollow by turns."""


def sign(x: int, y: int, team: int) -> str:
    """Draw a team's sign."""
    shape = _SIGNS[team].format(c=SIDES[team], p=PAPER)
    return f'<g transform="translate({x} {y})">{shape}</g>'
