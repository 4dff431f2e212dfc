"""What a letter's templates may call: functions that write marks."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from pbem.mime_writer import visible
from pbem.rendering.script import (
    CELL,
    CODE,
    HOME,
    ITEM,
    LINK,
    OPEN,
    SAID,
    SHUT,
    STRONG,
    TOGETHER,
    height,
)

Cells = Sequence[object]
Caller = Callable[..., Markup]
"""The words between `{% call %}` and `{% endcall %}`."""


def shown(value: object) -> str:
    """Return a fact as one line that holds no mark; what a template has made stays as it is."""
    if type(value) is Markup:
        return value
    text = value if type(value) is str else str(value)
    return text if text.isprintable() else visible(text)


class Kit:
    """What a template of letters may call; the macros of kit/letter.j2 are added to it.

    `shown` turns a fact into words in the reader's language. A method with a `caller` is used as a
    block: `{% call kit.para() %}…{% endcall %}`, or `{% call(item) kit.points(items) %}` once for
    each item.
    """

    frame: Any
    chances: object

    def __init__(self, shown: Callable[[object], str]) -> None:
        self._shown = shown

    def take(self, words: Any) -> None:
        """Add the macros that have words of their own."""
        self.frame, self.chances = words.frame, words.chances

    def marker(self, caller: Caller) -> Markup:
        """Write the line above which players write."""
        return self._block("marker", [[caller()]])

    def para(self, caller: Caller) -> Markup:
        """Write a paragraph."""
        return self._block("para", [[caller()]])

    def foot(self, caller: Caller) -> Markup:
        """Write the last lines of a letter."""
        return self._block("foot", [[caller()]])

    def hex(self, digits: object, caller: Caller) -> Markup:
        """Write a long number below the words that say what it is."""
        return self._block("hex", [[digits], [caller()]])

    def heading(self, text: object) -> Markup:
        """Write a heading."""
        return self._block("heading", [[text]])

    def points(self, items: Iterable[object], caller: Caller) -> Markup:
        """Write a list."""
        return self._block("points", ([caller(item)] for item in items))

    def lines(self, items: Iterable[object], caller: Caller) -> Markup:
        """Write lines, each on its own."""
        return self._block("lines", ([caller(item)] for item in items))

    def small(self, items: Iterable[object], caller: Caller) -> Markup:
        """Write lines in small type."""
        return self._block("small", ([caller(item)] for item in items))

    def fold(self, title: object, items: Iterable[object], caller: Caller) -> Markup:
        """Write lines below a title; a board may fold them away."""
        return self._block("fold", [[title], *([caller(item)] for item in items)])

    def choices(self, items: Iterable[object], caller: Caller) -> Markup:
        """Write orders to choose from: each a link to send it, with its chance and what it does."""
        return self._block("choices", ([caller(item)] for item in items))

    def sample(self, lines: Sequence[object]) -> Markup:
        """Write lines as a player would, bare at the left."""
        return self._block("samples", ([line] for line in lines))

    def replies(self, rows: Iterable[str | Sequence[object]]) -> Markup:
        """Write replies that can be copied or tapped: an order, or what it does and its lines."""
        pairs = (("", row) if isinstance(row, str) else row for row in rows)
        return self._block("replies", (self._reply(*pair) for pair in pairs))

    def glossary(self, rows: Iterable[tuple[object, object]]) -> Markup:
        """Write orders with what each does, to be read and not tapped."""
        return self._block("glossary", rows)

    def _reply(self, does: object, *lines: object) -> Cells:
        shown = [self._shown(line) for line in lines]
        return [does, Markup(_home("\n".join(shown))), *shown]

    def fitted(
        self, items: Sequence[object], whole: int, room: int, caller: Callable[..., Markup]
    ) -> Markup:
        """Write what the caller makes of items, in at most so many lines of text.

        It gets items, and how many of the last of them are told as a whole, `whole` at most. Where
        all are too long even in short, only the latest that fit are told.
        """
        ways = [(items, full) for full in range(whole, -1, -1)]
        ways += [(items[-count:], 0) for count in range(len(items) - 1, 0, -1)]

        @cache
        def made(way: int) -> Markup:
            return caller(*ways[way])

        # The last way is taken even where it is too long.
        return made(
            bisect_left(range(len(ways) - 1), True, key=lambda way: height(made(way)) <= room)
        )

    def table(self, caption: object, head: Cells, rows: Sequence[Cells]) -> Markup:
        """Write a table; all cells are words."""
        return self._block("table", [[caption], head, *rows])

    def bars(self, caption: object, rows: Sequence[tuple[object, int, object]]) -> Markup:
        """Write a chart of bars, each with its label, its value, and that value in words."""
        most = max((value for _, value, _ in rows), default=0) or 1
        cells = ([label, 100 * value // most, words] for label, value, words in rows)
        return self._block("bars", [[caption], *cells])

    def picture(self, cid: str, alt: object) -> Markup:
        """Show an attached picture, with its content in words; the text part has neither."""
        return self._block("picture", [[cid, alt]])

    def tale(self, lines: Sequence[object]) -> Markup:
        """Write lines of a player's story."""
        return self._block("tale", [[line] for line in lines])

    def form(self, blanks: Sequence[object]) -> Markup:
        """Write lines with a blank after each."""
        return self._block("form", [[blank] for blank in blanks])

    def mail(self, address: str, subject: str, body: str = "") -> Markup:
        """Write an address as a link to write to it."""
        before, between, behind = LINK
        link = mailto(address, subject, body)
        return Markup(before + link + between + self._shown(address) + behind)

    def tap(self, order: object) -> Markup:
        """Write an order as a link that sends it in reply to this letter."""
        before, between, behind = LINK
        text = self._shown(order)
        return Markup(before + _home(text) + between + text + behind)

    def code(self, text: object) -> Markup:
        """Write an order."""
        return self._between(CODE, text)

    def strong(self, text: object) -> Markup:
        """Write in bold."""
        return self._between(STRONG, text)

    def said(self, text: object) -> Markup:
        """Quote somebody."""
        return self._between(SAID, text)

    def together(self, text: object) -> Markup:
        """Write words that must stay on one line."""
        return self._between(TOGETHER, text)

    def _between(self, marks: tuple[str, str], text: object) -> Markup:
        return Markup(marks[0] + self._shown(text) + marks[1])

    def _block(self, name: str, items: Iterable[Cells]) -> Markup:
        written = (ITEM + CELL.join(map(self._shown, cells)) for cells in items)
        return Markup(OPEN + name + "".join(written) + SHUT)


def mailto(address: str, subject: str, body: str = "") -> str:
    """Return a link that opens a letter with its subject and its first lines filled in."""
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject)}"
    return link + _filled_in(body) if body else link


def _home(body: str) -> str:
    """Return a link to where replies go, which `_script` puts in for each letter."""
    return HOME + _filled_in(body)


def _filled_in(body: str) -> str:
    # RFC 6068: a line break in a link is a carriage return and a line feed.
    return "&body=" + quote(body.replace("\n", "\r\n"))
