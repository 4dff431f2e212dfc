"""A whole battle in one strip: range, Structure, hits, Advantage and locks over its steps."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import TypeVar

from engine.i18n import Said, say
from engine.pictures import INK, PALE, PAPER, SHADE, SIDES, Picture, fitting, folded
from engine.starpilot.picture_signs import WORDS, fate, named
from engine.starpilot.view import BattleView, PilotView

Word = Callable[[str], str]
T = TypeVar("T")

WIDTH = 420
_LEFT, _RIGHT, _FONT, _SMALL = 118, WIDTH - 12, 17, 16
_SHORTEST = 4
"""The fewest turns that are worth a strip."""
_CROWD = 6
"""Of more pilots the strip has only Structure and hits, or it would be too long to read."""
_NAME, _HULL, _ROW, _GAP, _STEP = 24, 44, 20, 10, 9
"""The heights of a line of a name, of Structure, of Advantage and lock each, below a lane, and
between two ranges of a pilot in a team battle."""
_RANGES = ("extreme", "far", "near")


def strip(views: Sequence[BattleView], word: Word) -> tuple[Picture, ...]:
    """Return a battle drawn from the views after each of its turns; nothing if they do not begin
    with its start, or are few."""
    before = sum(1 for view in views if not any(pilot["turns"] for pilot in view["pilots"]))
    # From after the initiative, step 0 of the account: so a turn has its step's number.
    shown = views[max(before - 1, 0) :]
    # Without the start the lanes would begin in the middle, and what was lost before be missing.
    if len(shown) <= _SHORTEST or not before:
        return ()
    drawing = _Drawing(shown, word)
    whole, short = list(_told(shown)), [_length(shown)]
    if not _is_crowd(shown):
        short += [fate(pilot) for pilot in shown[-1]["pilots"] if pilot["fate"] != "active"]
    told = (say("The whole battle: {facts}.", facts=facts) for facts in (whole, short))
    return (Picture(drawing.svg(), *told),)


class _Drawing:
    """Draws lane below lane."""

    def __init__(self, views: Sequence[BattleView], word: Word) -> None:
        self.views, self.word, self._turns = views, word, len(views) - 1
        self.parts: list[str] = []
        self.y = 8

    def svg(self) -> str:
        """Return the whole drawing."""
        # In a team battle each pair has its own range: a pilot's lane has that of the nearest.
        if _is_duel(self.views):
            self._ranges()
        for number, pilot in enumerate(self.views[-1]["pilots"]):
            side = 0 if pilot["team"] == self.views[-1]["teams"][0]["name"] else 1
            self._lane(number, pilot, SIDES[side])
        self._axis()
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y}"'
            f' width="{WIDTH}" height="{self.y}" font-family="Source Sans Pro, Source Sans 3,'
            f' Arial, sans-serif" font-size="{_FONT}" fill="{INK}">'
            f'<rect width="{WIDTH}" height="{self.y}" fill="{PAPER}"/>{"".join(self.parts)}</svg>'
        )

    def _x(self, turn: int) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * turn / self._turns, 1)

    def _text(self, x: float, y: float, words: str, more: str = "") -> None:
        self.parts.append(f'<text x="{x}" y="{y}"{more}>{escape(words)}</text>')

    def _label(self, y: float, words: str) -> None:
        size = fitting(words, _FONT, _LEFT - 18, 11)
        self._text(10, y, words, f' font-size="{size}"')

    def _line(self, points: Sequence[tuple[float, float]], colour: str, width: int) -> None:
        way = "L".join(f"{x} {y}" for x, y in points)
        line = f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        self.parts.append(line)

    def _stepped(self, heights: Sequence[float | None], colour: str, width: int) -> None:
        """Draw a line that changes its height at turns, with gaps where there is none."""
        runs = groupby(enumerate(heights), lambda one: one[1] is None)
        for gap, run in runs:
            spots = [] if gap else list(run)
            points = [
                (self._x(turn + end), y) for turn, y in spots for end in (0, 1) if y is not None
            ]
            if points:
                # The last view is an end and no turn.
                self._line([(min(x, _RIGHT), y) for x, y in points], colour, width)

    def _ranges(self) -> None:
        """Draw the range between the two pilots of a duel."""
        top = self.y
        levels = {name: top + 12 + 22 * n for n, name in enumerate(_RANGES)}
        for name, y in levels.items():
            self._label(y + 5, self.word(name.capitalize()))
            self._line([(_LEFT, y), (_RIGHT, y)], SHADE, 1)
        ranges = [_range(view) for view in self.views]
        self._stepped([levels[name] if name else None for name in ranges], INK, 4)
        self.y = top + 22 * len(_RANGES) + _GAP

    def _lane(self, number: int, pilot: PilotView, colour: str) -> None:
        """Draw what became of one pilot."""
        self._named(pilot, colour)
        self._structure(number, colour)
        if not _is_crowd(self.views):
            held, locks = _held(self.views, pilot["name"])
            self._row(self.word("Advantage"), held, colour, 12)
            self._row(self.word("Lock"), locks, colour, 5)
            if not _is_duel(self.views):
                self._nearest(pilot["name"], colour)
        self.y += _GAP

    def _nearest(self, name: str, colour: str) -> None:
        """Draw how far the nearest opponent is from a pilot of a team."""
        levels = {far: self.y + 4 + _STEP * n for n, far in enumerate(_RANGES)}
        self._label(levels["far"] + 6, self.word("Range"))
        for y in levels.values():
            self._line([(_LEFT, y), (_RIGHT, y)], SHADE, 1)
        ranges = [_nearest(view, name) for view in self.views]
        self._stepped([levels[far] if far else None for far in ranges], colour, 3)
        self.y += _STEP * len(_RANGES)

    def _named(self, pilot: PilotView, colour: str) -> None:
        """Draw a name, in as many lines as it needs, and the pilot's fate."""
        fate = "" if pilot["fate"] == "active" else f" ({self.word(pilot['fate'])})"
        for line in folded(named(pilot) + fate, 18, WIDTH - 20):
            self.y += _NAME
            self._text(10, self.y - 6, line, f' font-size="18" font-weight="bold" fill="{colour}"')

    def _structure(self, number: int, colour: str) -> None:
        """Draw Structure as an area, and a dot for each point that was lost anywhere."""
        rows = [view["pilots"][number]["rows"][-1] for view in self.views]
        # One step more than the rating, as Structure goes down to -1 (SP-26).
        unit = (_HULL - 4) / (rows[0]["rating"] + 1)
        foot = self.y + _HULL
        heights = [foot - unit * (row["current"] + 1) for row in rows]
        points = [(self._x(n), y) for n, high in enumerate(heights) for y in self._edge(heights, n)]
        way = "L".join(f"{x} {y:.1f}" for x, y in points)
        area = f"M{_LEFT} {foot}L{way}L{_RIGHT} {foot}z"
        self.parts.append(f'<path d="{area}" fill="{SHADE}" stroke="{colour}" stroke-width="2"/>')
        self._label(self.y + _HULL // 2 + 5, self.word("Structure"))
        for turn, lost in _lost(self.views, number):
            for dot in range(lost):
                x, y = self._x(turn), foot - 5 - 8 * dot
                self.parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{INK}"/>')
        self.y = foot + 4

    @staticmethod
    def _edge(heights: Sequence[float], turn: int) -> Iterator[float]:
        """Yield the heights of an area before and after a turn."""
        yield heights[max(turn - 1, 0)]
        yield heights[turn]

    def _row(self, label: str, held: Sequence[bool], colour: str, high: int) -> None:
        """Draw in which turns something held."""
        middle = self.y + _ROW // 2
        self._label(middle + 5, label)
        self._line([(_LEFT, middle), (_RIGHT, middle)], SHADE, 1)
        for first, last in _runs(held):
            x, end = self._x(first), min(self._x(last + 1), _RIGHT)
            # At least two units wide: what held for one turn of a long battle must be seen.
            place = f'x="{x}" y="{middle - high / 2}" width="{max(end - x, 2):.1f}"'
            self.parts.append(f'<rect {place} height="{high}" fill="{colour}"/>')
        self.y += _ROW

    def _axis(self) -> None:
        """Draw the numbers of turns."""
        # A set, since the middle of a short battle may be one of its ends.
        for turn in sorted({0, self._turns // 2, self._turns}):
            anchor = "start" if turn == 0 else "end" if turn == self._turns else "middle"
            more = f' text-anchor="{anchor}" fill="{PALE}" font-size="{_SMALL}"'
            self._line([(self._x(turn), self.y), (self._x(turn), self.y + 5)], PALE, 1)
            self._text(self._x(turn), self.y + 18, str(turn), more)
        self._text(10, self.y + 18, self.word("Step"), f' fill="{PALE}" font-size="{_SMALL}"')
        self.parts.append(f'<circle cx="{_LEFT + 5}" cy="{self.y + 33}" r="3.5" fill="{INK}"/>')
        self._text(_LEFT + 16, self.y + 38, self.word("point lost"), f' font-size="{_SMALL}"')
        self.y += 48
        if not (_is_duel(self.views) or _is_crowd(self.views)):
            words = self.word("Range: to the nearest opponent, near is low")
            self._text(10, self.y + 14, words, f' font-size="{_SMALL}"')
            self.y += 24


def _is_duel(views: Sequence[BattleView]) -> bool:
    return len(views[0]["pilots"]) == 2


def _is_crowd(views: Sequence[BattleView]) -> bool:
    """Return whether there are so many pilots that only their ships are drawn."""
    return len(views[0]["pilots"]) > _CROWD


def _range(view: BattleView) -> str:
    """Return the range between two pilots, or nothing once one of them is out."""
    return view["pairs"][0]["range"] if view["pairs"] else ""


def _nearest(view: BattleView, name: str) -> str:
    """Return the least range between a pilot and its opponents, nothing where it is out."""
    ranges = {pair["range"] for pair in view["pairs"] if name in (pair["one"], pair["other"])}
    return max(ranges, key=_RANGES.index, default="")


def _runs(held: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the first and the last turn of each time that something held."""
    found = [[n for n, _ in run] for on, run in groupby(enumerate(held), lambda one: one[1]) if on]
    return [(run[0], run[-1]) for run in found]


def _lost(views: Sequence[BattleView], number: int) -> list[tuple[int, int]]:
    """Return after which turns a pilot's ship had lost points, and how many."""
    sums = [sum(row["current"] for row in view["pilots"][number]["rows"]) for view in views]
    losses = enumerate((before - after for before, after in pairwise(sums)), 1)
    # Stats never rise in a battle, so what the sum falls by is what was lost.
    return [(turn, lost) for turn, lost in losses if lost > 0]


def _told(views: Sequence[BattleView]) -> Iterator[Said]:
    """Yield sentences that say all that the strip shows."""
    yield _length(views)
    if _is_duel(views):
        changes = _changes([_range(view) for view in views])
        yield say("range {values}", values=[_since(WORDS[name], n) for n, name in changes if name])
    for number, pilot in enumerate(views[-1]["pilots"]):
        name = pilot["name"]
        hull = _changes([view["pilots"][number]["rows"][-1]["current"] for view in views])
        values = [_since(str(value), n) for n, value in hull]
        yield say("Structure of {name} {values}", name=name, values=values)
        lost = _lost(views, number)
        points = [say("{points} in step {step}", points=points, step=step) for step, points in lost]
        if points:
            yield say("points lost by {name}: {points}", name=name, points=points)
        if not _is_crowd(views):
            yield from _told_of_positions(views, name)
        if pilot["fate"] != "active":
            yield fate(pilot)


def _length(views: Sequence[BattleView]) -> Said:
    # As the account counts them: with step 0, the initiative.
    return say("1 step") if len(views) == 1 else say("{steps} steps", steps=len(views))


def _told_of_positions(views: Sequence[BattleView], name: str) -> Iterator[Said]:
    """Yield sentences on a pilot's ranges, Advantages and locks."""
    if not _is_duel(views):
        far = _changes([_nearest(view, name) for view in views])
        values = [_since(WORDS[one], n) for n, one in far if one]
        yield say("the nearest opponent of {name} {values}", name=name, values=values)
    held, locks = _held(views, name)
    if any(held):
        yield say("{name} with the Advantage after steps {steps}", name=name, steps=_spans(held))
    if any(locks):
        yield say("{name} with a lock after steps {steps}", name=name, steps=_spans(locks))


def _held(views: Sequence[BattleView], name: str) -> tuple[list[bool], list[bool]]:
    """Return for each view whether a pilot has an Advantage, and whether it has a lock."""
    return (
        [any(pair["advantage"] == name for pair in view["pairs"]) for view in views],
        [any(name in pair["locks"] for pair in view["pairs"]) for view in views],
    )


def _changes(values: Sequence[T]) -> list[tuple[int, T]]:
    """Return each value that differs from the one before it, with its turn."""
    runs = groupby(enumerate(values), lambda one: one[1])
    return [next(run) for _, run in runs]


def _since(what: str, step: int) -> Said:
    return (
        say("{what} from step {step}", what=what, step=step)
        if step
        else say("{what} at first", what=what)
    )


def _spans(held: Sequence[bool]) -> list[str]:
    return [str(one) if one == last else f"{one}-{last}" for one, last in _runs(held)]
