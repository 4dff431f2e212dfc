"""A picture of a team battle: a small duel for each two opponents, and below them all damage."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from engine.i18n import Said, say
from engine.pictures import INK, PALE, SIDES, Picture, Word, fitting, folded, line, of_sides, tile
from engine.starpilot.picture_signs import (
    COLUMN,
    WIDTH,
    condition,
    crosshair,
    damage,
    named,
    sheet,
    star,
    text,
    told,
    weapon,
)
from engine.starpilot.view import BattleView, PairView

_MOST = 12
"""The most pairs that are drawn."""
_APART = {"near": 56, "far": 100, "extreme": 144}
"""How far each ship is drawn from the middle, by range."""
_HALF, _FONT = WIDTH // 2, 16
_LINE, _LANE, _KEY = 20, 44, 36
"""The heights of a line of words or points, of the space between two ships, and of the key."""


def pictures(view: BattleView, word: Word) -> tuple[Picture, ...]:
    """Return the picture of a team battle, with words translated by `word`."""
    shown, drawing = _shown(view), _Drawing(view, word)
    for pair in shown:
        drawing.pair(pair)
    if shown:
        drawing.key(len(view["pairs"]) - len(shown))
    drawing.teams()
    facts = [*map(_told, shown), *map(condition, view["pilots"])]
    flying = {pilot["name"] for pilot in view["pilots"] if pilot["fate"] == "active"}
    short = of_sides((t["name"], len(flying & {*t["pilots"]})) for t in view["teams"])
    told = say("Picture: {facts}.", facts=facts)
    return (Picture(sheet(drawing.y, drawing.tiles), told, say("{facts}.", facts=short)),)


def _shown(view: BattleView) -> list[PairView]:
    """Return the pairs that are drawn: of many the reader's own, and those where something is."""
    pairs = view["pairs"]
    if len(pairs) <= _MOST:
        return pairs
    own = [pair for pair in pairs if view["me"] in _both(pair)]
    busy = [pair for pair in pairs if pair["advantage"] or pair["locks"] or pair["shots"]]
    return [*own, *(pair for pair in busy if pair not in own)][:_MOST]


def _told(pair: PairView) -> Said:
    first, *more = told(pair)
    return say("{pair} ({facts})", pair=first, facts=more) if more else first


class _Drawing:
    """Draws tile below tile."""

    def __init__(self, view: BattleView, word: Word) -> None:
        self.word, self.tiles, self.y = word, list[str](), 0
        self._teams = [team["pilots"] for team in view["teams"]]
        self._pilots = {pilot["name"]: pilot for pilot in view["pilots"]}

    def _tile(self, height: int, parts: Sequence[str]) -> None:
        """Add a tile as wide as the picture."""
        self.tiles.append(tile(0, self.y, WIDTH, height, parts))
        self.y += height

    def pair(self, pair: PairView) -> None:
        """Draw two names, and below them the two ships and what is between them."""
        y, lines = self.y + 20, 1
        parts = [text(_HALF, y, self.word(pair["range"].capitalize()))]
        for n, name in enumerate(_both(pair)):
            # A third of the width for each, so that the range stands between them.
            size, some = _fitted(named(self._pilots[name]), _HALF - 50)
            more = f' font-size="{size}" fill="{SIDES[n]}"'
            x, anchor = ((10, "start"), (WIDTH - 10, "end"))[n]
            parts += [
                text(x, y + _LINE * place, words, anchor, more) for place, words in enumerate(some)
            ]
            lines = max(lines, len(some))
        self._tile(_LINE * lines + 6, parts)
        self._tile(_LANE, list(self._lane(pair, self.y + _LANE // 2)))
        shots = list(self._shots(pair, self.y + 14))
        if shots:
            self._tile(_LINE, shots)

    def _lane(self, pair: PairView, y: int) -> Iterator[str]:
        """Draw two ships at their range, with the signs of the Advantage and of locks."""
        far = _APART[pair["range"]]
        places = (_HALF - far, _HALF + far)
        yield (
            f'<path d="M{places[0] + 22} {y}H{places[1] - 22}" stroke="{PALE}" stroke-width="2"'
            ' stroke-dasharray="2 6"/>'
        )
        for n, name in enumerate(_both(pair)):
            x, turn = places[n], 1 - 2 * n
            yield (
                f'<path d="M{x + turn * 13} {y}l{-turn * 24} -9l{turn * 6} 9l{-turn * 6} 9z"'
                f' fill="{SIDES[n]}"/>'
            )
            if name in pair["locks"]:
                yield crosshair(places[1 - n], y, 18, SIDES[n])
            if pair["advantage"] == name:
                yield star(x - turn * 38, y)

    def _shots(self, pair: PairView, y: int) -> Iterator[str]:
        """Write what is in flight, with an arrow towards its target."""
        for n, name in enumerate(_both(pair)):
            flown = [self.word(weapon(shot)) for shot in pair["shots"] if shot["by"] == name]
            if flown:
                turn, anchor = 1 - 2 * n, ("end", "start")[n]
                tip = _HALF - turn * 8
                yield f'<path d="M{tip} {y - 5}l{-turn * 12} -6v12z" fill="{SIDES[n]}"/>'
                words = ", ".join(flown)
                yield text(tip - turn * 18, y, words, anchor, f' fill="{SIDES[n]}"')

    def key(self, more: int) -> None:
        """Draw what star and sights mean, and say how many pairs are not drawn."""
        y = self.y + _KEY // 2
        self._tile(
            _KEY,
            [
                star(22, y),
                text(40, y + 5, self.word("Advantage"), "start"),
                crosshair(_HALF + 18, y, 10, INK),
                text(_HALF + 40, y + 5, self.word("Lock"), "start"),
            ],
        )
        if more:
            words = f"+ {more} {self.word('more pairs')}"
            self._tile(_LINE + 6, [text(10, self.y + 14, words, "start", f' fill="{PALE}"')])

    def teams(self) -> None:
        """Draw the teams side by side: each pilot with Structure, and what else is damaged."""
        self._tile(6, [line(0, self.y + 1, WIDTH, self.y + 1)] if self.y else [])
        columns = [list(self._team(n)) for n in (0, 1)]
        # An empty line in the shorter column, since all must be covered with ground.
        for lines in zip_longest(*columns, fillvalue=[]):
            for n, parts in enumerate(lines):
                self.tiles.append(tile(n * _HALF, self.y, _HALF, _LINE, parts))
            self.y += _LINE

    def _team(self, n: int) -> Iterator[list[str]]:
        """Yield the lines of a team's pilots, one below the other."""
        y, x = self.y + 15, 10 + n * COLUMN
        for name in self._teams[n]:
            pilot = self._pilots[name]
            active = pilot["fate"] == "active"
            fate = "" if active else f" ({self.word(pilot['fate'])})"
            size, lines = _fitted(named(pilot) + fate, _HALF - 20)
            more = f' font-size="{size}" fill="{SIDES[n] if active else PALE}"'
            for words in lines:
                yield [text(x, y, words, "start", more)]
                y += _LINE
            for row in pilot["rows"]:
                if row["stat"] == "Structure" or row["current"] < row["rating"]:
                    yield list(damage(row, n, y, self.word))
                    y += _LINE
            yield []
            y += _LINE


def _both(pair: PairView) -> tuple[str, str]:
    return pair["one"], pair["other"]


def _fitted(name: str, space: int) -> tuple[int, list[str]]:
    """Return a size for a name, and the lines that it takes."""
    size = fitting(name, _FONT, space, 13)
    return size, folded(name, size, space)
