"""The kit of a letter's templates: calls that write marks; many are put in when they are read."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from pbem.letters import visible
from pbem.press.marks import CELL, CODE, ITEM, LINK, OPEN, SAID, SHUT, STRONG, TOGETHER

Cells = Sequence[object]


def shown(value: object) -> str:
    """Make one line of a fact that holds no mark; what a template has made stays as it is."""
    if type(value) is Markup:
        return value
    text = value if type(value) is str else str(value)
    return text if text.isprintable() else visible(text)


class Kit:
    """What a template may call in an expression; the macros of kit/letter.j2 come to it.

    `shown` makes words of a fact, in the reader's language.
    """

    frame: Any
    chances: Any
    sample: Any

    def __init__(self, shown: Callable[[object], str]) -> None:
        self._shown = shown

    def take(self, words: Any) -> None:
        """Take the macros that have words of their own."""
        self.frame, self.chances, self.sample = words.frame, words.chances, words.sample

    def heading(self, text: object) -> Markup:
        """Write a heading."""
        return self._block("heading", [[text]])

    def table(self, caption: object, head: Cells, rows: Sequence[Cells]) -> Markup:
        """Write a table; all cells are words."""
        return self._block("table", [[caption], head, *rows])

    def bars(self, caption: object, rows: Sequence[tuple[object, int, object]]) -> Markup:
        """Write a chart of bars, each with its label, its value, and that value in words."""
        most = max((value for _, value, _ in rows), default=0) or 1
        cells = ([label, 100 * value // most, words] for label, value, words in rows)
        return self._block("bars", [[caption], *cells])

    def picture(self, cid: str, alt: object) -> Markup:
        """Show a picture that goes along, with what it shows in words; text has neither."""
        return self._block("picture", [[cid, alt]])

    def tale(self, lines: Sequence[object]) -> Markup:
        """Write lines of a player's story."""
        return self._block("tale", [[line] for line in lines])

    def form(self, blanks: Sequence[object]) -> Markup:
        """Write lines with a blank behind each."""
        return self._block("form", [[blank] for blank in blanks])

    def mail(self, address: str, subject: str, body: str = "") -> Markup:
        """Write an address as a link to write to it."""
        before, between, behind = LINK
        link = mailto(address, subject, body)
        return Markup(before + link + between + self._shown(address) + behind)

    def code(self, text: object) -> Markup:
        """Write an order."""
        return self._between(CODE, text)

    def strong(self, text: object) -> Markup:
        """Write with weight."""
        return self._between(STRONG, text)

    def said(self, text: object) -> Markup:
        """Quote somebody."""
        return self._between(SAID, text)

    def together(self, text: object) -> Markup:
        """Write what is not parted at a line's end."""
        return self._between(TOGETHER, text)

    def _between(self, marks: tuple[str, str], text: object) -> Markup:
        return Markup(marks[0] + self._shown(text) + marks[1])

    def _block(self, name: str, items: Iterable[Cells]) -> Markup:
        written = (ITEM + CELL.join(map(self._shown, cells)) for cells in items)
        return Markup(OPEN + name + "".join(written) + SHUT)


def mailto(address: str, subject: str, body: str = "") -> str:
    """Write a link that opens a letter with its subject and first line filled in."""
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject)}"
    return f"{link}&body={quote(body)}" if body else link
