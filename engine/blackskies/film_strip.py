"""A whole battle in a few small maps, two in a row, to be read like a strip of film."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.blackskies import symbols
from engine.blackskies.canvas import FONT, WIDTH, Canvas, shortened, wide
from engine.blackskies.chart import left, plane, spots, title
from engine.blackskies.symbols import sides, taller
from engine.blackskies.view_types import BattleView
from engine.i18n import listed, say
from engine.pictures import PALE, Picture, legible

Word = Callable[[str], str]

_FRAMES = 8
"""The most frames of a strip."""
_WIDE, _MARGIN, _CAPTION, _KEYS = WIDTH // 2, 330, 720, 480
_NAMED = 8
"""The most elements that are named in a frame."""
_LOSSES = 2
"""The most losses that a frame names; if there are more, or no space, it only counts them."""
_LONGEST = 14
"""The longest name that a frame has space for; maps and captions have them whole."""


class _Frame(NamedTuple):
    """A moment of the battle, and who was lost since the frame before."""

    view: BattleView
    lost: list[str]


def film(views: Sequence[BattleView], word: Word) -> tuple[Picture, ...]:
    """Return a battle drawn from the views after each of its turns; nothing before the
    first turn."""
    frames = _frames(views)
    if len(frames) < 2:
        return ()
    top, parts = 0, []
    for row in (frames[at : at + 2] for at in range(0, len(frames), 2)):
        drawn, top = _row(row, top, word)
        parts += drawn
    parts += sides(views[-1], top + _KEYS // 2)
    sheet = symbols.sheet(top + _KEYS + taller(views[-1]), parts)
    last = [_Frame(frames[-1].view, [])]
    return (Picture(sheet, _told(frames), _told(last)),)


def _frames(views: Sequence[BattleView]) -> list[_Frame]:
    """Return the frames: the first and the last, those with most losses, and some between."""
    # Steps that only file orders change nothing to see.
    turns = list({(view["turn"], view["over"]): view for view in views}.values())
    lost = [0, *(len(_lost(one, other)) for one, other in pairwise(turns))]
    first, last = 0, len(turns) - 1
    # Half of the frames go to the worst turns, the other half is spread over the battle.
    worst = sorted(range(len(turns)), key=lambda n: (n not in (first, last), -lost[n], n))
    kept = {n for n in worst[: _FRAMES // 2] if lost[n] or n in (first, last)}
    for n in sorted(range(len(turns)), key=lambda n: (_rank(n), n)):
        if len(kept) < _FRAMES:
            kept.add(n)
    chosen = [turns[n] for n in sorted(kept)]
    # The first frame has none before it: compared with itself, nobody is lost.
    before = [chosen[0], *chosen]
    return [_Frame(view, _lost(one, view)) for one, view in zip(before, chosen, strict=False)]


def _rank(number: int) -> int:
    """Return a rank that takes even numbers before odd ones, and so on: frames are
    spread evenly."""
    return -(number & -number) if number else -(1 << 30)


def _lost(before: BattleView, after: BattleView) -> list[str]:
    """Return who left the battle between two views."""
    flew = {pilot["name"] for pilot in before["pilots"] if pilot["fate"] == "active"}
    return [p["name"] for p in after["pilots"] if p["fate"] != "active" and p["name"] in flew]


def _row(frames: Sequence[_Frame], top: int, word: Word) -> tuple[list[str], int]:
    """Return two frames drawn side by side, and where the next row begins."""
    canvases = [
        Canvas(spots(frame.view), _MARGIN, _WIDE * n, top + _CAPTION, _WIDE, 11)
        for n, frame in enumerate(frames)
    ]
    # Two frames of a row may differ in height; the next row begins below both.
    bottom = max(canvas.box.bottom for canvas in canvases)
    drawn = []
    for frame, canvas in zip(frames, canvases, strict=True):
        drawn.append(
            symbols.clipped(canvas.box, [*plane(canvas, frame.view), *_names(canvas, frame)])
        )
        drawn += _caption(frame, canvas.box.left + 130, top, word)
    edges = [[(0, bottom), (WIDTH, bottom)], [(_WIDE, top), (_WIDE, bottom)]]
    return [*drawn, *(symbols.line(edge, PALE, 16) for edge in edges)], bottom


def _caption(frame: _Frame, x: int, top: int, word: Word) -> Iterator[str]:
    """Draw above a frame which turn it is, and who was lost."""
    yield symbols.text(x, top + 300, title(frame.view, word, "Turn {turn}"))
    if frame.lost:
        names = ", ".join(frame.lost)
        few = len(frame.lost) <= _LOSSES and wide(names) <= _WIDE - 500
        yield symbols.wreck(x + symbols.CROSS, top + 540)
        yield symbols.text(x + 340, top + 540 + FONT // 3, names if few else str(len(frame.lost)))


def _names(canvas: Canvas, frame: _Frame) -> Iterator[str]:
    """Draw the names of elements, unless there are too many."""
    view = frame.view
    flying = [e for e in view["elements"] if e["active"]]
    # More names than that would hide the ships.
    if len(flying) > _NAMED:
        return
    for element in flying:
        lead = next(f for f in element["fighters"] if f["fate"] == "active")
        side = 0 if element["side"] == view["teams"][0]["name"] else 1
        x, y = canvas.at(lead["q"], lead["r"])
        name = legible(element["name"], view["elements"].index(element) + 1)
        words = shortened(name, _LONGEST)
        spot = canvas.label(x, y, words, symbols.SHIP)
        yield symbols.text(spot.x, spot.y, words, "middle", symbols.inked(side))


def _told(frames: Sequence[_Frame]) -> str:
    """Return a sentence that says what the strip shows."""
    facts = listed(_moment(frame) for frame in frames)
    return say("The battle in small maps, with the fighters left: {facts}.", facts=facts)


def _moment(frame: _Frame) -> str:
    view, (one, other) = frame.view, frame.view["teams"]
    played = view["turn"] - 1
    when = say("after turn {turn}", turn=played) if played else say("before the first turn")
    moment = say(
        "{when} {one} {left}, {other} {right}",
        when=say("at the end") if view["over"] else when,
        one=one["name"],
        left=left(view, one),
        other=other["name"],
        right=left(view, other),
    )
    return say("{moment}, lost {names}", moment=moment, names=frame.lost) if frame.lost else moment
