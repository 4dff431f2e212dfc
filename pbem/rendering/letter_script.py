"""A letter's script: how templates write it, and how it is laid out as text and as HTML.

A script is a row of blocks: a name, and rows of cells. What separates them are marks: control
characters, which `visible` removes from every text that comes in, so no player can write one. The
text has 72 columns, and is complete without any picture. The HTML is put into the pieces of
templates/kit/html.j2.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import accumulate
from textwrap import fill
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from wcwidth import ljust, width

from pbem.channels.mail.mime_writer import visible

OPEN, SHUT, ROW, CELL = "\x01", "\x02", "\x03", "\x04"
"""What begins and ends a block, what begins each of its rows, and each further cell of a row."""

CODE, STRONG = ("\x05", "\x06"), ("\x07", "\x08")
SAID = ("\x0e", "\x0f")
"""What is put before and after words: an order, bold, a quotation."""

_QUOTES = ("“<i>", "</i>”")
_QUOTES_OF = {"de": ("„<i>", "</i>“")}
"""How the kit quotes in HTML, and how languages with marks of their own do."""

DRAWN = ("\x16", "\x17")
"""What is put before and after a drawing of letters."""

FOREIGN = ("\x18", "\x19", "\x1a")
"""What is put before a language, between it and words in it, and after them."""
IN_LANGUAGE = re.compile(f"{FOREIGN[0]}[a-z]*{FOREIGN[1]}")

LINK = ("\x12", "\x13", "\x14")
"""What is put before an address, between it and its words, and after them."""

HOME = "\x15"
"""Stands in a link for the address and the subject of a reply, which each reader has of their own.

With the subject, and so the token, what a link sends counts as a reply.
"""

Rows = Sequence[Sequence[str]]
Caller = Callable[..., Markup]
"""The words between `{% call %}` and `{% endcall %}`."""


def shown(value: object) -> str:
    """Return a fact as one line that holds no mark; what a template has made stays as it is."""
    if type(value) is Markup:
        return value
    text = value if type(value) is str else str(value)
    # Most facts hold nothing to take out, and this test is one call in C.
    return text if text.isprintable() else visible(text)


def _whole(name: str) -> Callable[["Kit", Caller], Markup]:
    """Return a method that writes a block of one paragraph."""
    return lambda kit, caller: kit.block(name, [[caller()]])


def _each(name: str) -> Callable[["Kit", Iterable[object], Caller], Markup]:
    """Return a method that writes a block with a row for each item, in the caller's words."""
    return lambda kit, items, caller: kit.block(name, [[caller(item)] for item in items])


def _bare(name: str) -> Callable[["Kit", Iterable[object]], Markup]:
    """Return a method that writes a block with a row for each item, as it is."""
    return lambda kit, items: kit.block(name, [[item] for item in items])


def _marked(marks: tuple[str, str]) -> Callable[["Kit", object], Markup]:
    """Return a method that writes words between marks."""
    return lambda kit, text: Markup(marks[0] + kit.shown(text) + marks[1])


class Kit:
    """What a template of letters may call; the macros of kit/letter.j2 are added to it.

    `shown` turns a fact into words in the reader's language. A method with a `caller` is used as a
    block: `{% call kit.para() %}…{% endcall %}`, or `{% call(item) kit.points(items) %}` once for
    each item.
    """

    frame: Any
    rest: Any
    chances: Any

    def __init__(self, shown: Callable[[object], str]) -> None:
        self.shown = shown

    marker = _whole("marker")
    """The line above which players write."""
    para = _whole("para")
    foot = _whole("foot")
    """The last lines of a letter."""

    points, lines = _each("points"), _each("lines")
    """Lists with a mark before each item, and without."""
    small = _each("small")
    """Lines in small type."""
    choices = _each("choices")
    """Orders to choose from: each a link to send it, with its chance and what it does."""

    sample = _bare("samples")
    """Lines as a player would write them, bare at the left."""
    tale = _bare("tale")
    """Lines of a player's story."""

    code, strong, said = _marked(CODE), _marked(STRONG), _marked(SAID)
    drawn = _marked(DRAWN)
    """A drawing of letters, such as OOX for a stat: nothing to be read aloud."""

    def title(self, text: object) -> Markup:
        """Write the heading of the whole letter; in the text part the subject is enough."""
        return self.block("title", [[text]])

    def heading(self, text: object) -> Markup:
        """Write a heading."""
        return self.block("heading", [[text]])

    def fold(self, title: object, items: Iterable[object], caller: Caller) -> Markup:
        """Write lines below a title; a board may fold them away."""
        return self.block("fold", [[title], *([caller(item)] for item in items)])

    def replies(self, rows: Iterable[str | Sequence[object]]) -> Markup:
        """Write replies that can be copied or tapped: an order, or what it does and its lines."""
        pairs = (("", row) if isinstance(row, str) else row for row in rows)
        return self.block("replies", (self._reply(*pair) for pair in pairs))

    def _reply(self, does: object, *lines: object) -> Sequence[object]:
        shown = [self.shown(line) for line in lines]
        return [does, Markup(_home("\n".join(shown))), *shown]

    def glossary(self, rows: Iterable[tuple[object, object]]) -> Markup:
        """Write orders with what each does, to be read and not tapped."""
        return self.block("glossary", rows)

    def fitted(
        self, items: Sequence[object], whole: int, room: int, cut: Markup, caller: Caller
    ) -> Markup:
        """Write the last items in full and those before as lines, in at most `room` lines of text.

        The caller gets an item, and whether to tell it in full, in blocks of its own; at most
        `whole` are. If even the lines are too many, `cut` stands in place of the earliest.
        """
        at = max(len(items) - whole, 0)
        lines = [[caller(item, False)] for item in items[:at]]
        full = deque(caller(item, True) for item in items[at:])

        def made(first: int) -> Markup:
            told = [self.block("lines", lines[first:])] if lines else []
            return Markup().join([*([cut] if first else []), *told, *full])

        def fits(first: int) -> bool:
            return height(made(first)) <= room

        while full and not fits(0):
            full.popleft()
            lines.append([caller(items[len(lines)], False)])
        # The last is told even where it is too long.
        return made(0 if fits(0) else bisect_left(range(len(lines) - 1), True, key=fits))

    def table(
        self, caption: object, head: Sequence[object], rows: Sequence[Sequence[object]]
    ) -> Markup:
        """Write a table; all cells are words."""
        return self.block("table", [[caption], head, *rows])

    def bars(self, caption: object, rows: Sequence[tuple[object, int, object]]) -> Markup:
        """Write a chart of bars, each with its label, its value, and that value in words."""
        most = max((value for _, value, _ in rows), default=0) or 1  # all may be 0
        cells = ([label, 100 * value // most, words] for label, value, words in rows)
        return self.block("bars", [[caption], *cells])

    def picture(self, cid: str, alt: object) -> Markup:
        """Show an attached picture, with its content in words; the text part has neither."""
        return self.block("picture", [[cid, alt]])

    def foreign(self, language: str, text: object) -> Markup:
        """Write words in a language, by its code, that may not be the letter's."""
        before, between, behind = FOREIGN
        return Markup(before + language + between + self.shown(text) + behind)

    def mail(self, address: str, subject: str, body: str = "") -> Markup:
        """Write an address as a link to write to it."""
        return self._link(mailto(address, subject, body), self.shown(address))

    def tap(self, order: object, below: Iterable[str] = ()) -> Markup:
        """Write an order as a link that sends it, with lines `below`, in reply to this letter."""
        text = self.shown(order)
        return self._link(_home("\n".join((text, *below))), text)

    def _link(self, address: str, words: str) -> Markup:
        before, between, behind = LINK
        return Markup(before + address + between + words + behind)

    def block(self, name: str, rows: Iterable[Iterable[object]]) -> Markup:
        """Write a block of any kind."""
        written = [ROW + CELL.join(map(self.shown, row)) for row in rows]
        return Markup(OPEN + name + "".join(written) + SHUT)


def mailto(address: str, subject: str, body: str = "") -> str:
    """Return a link that opens a letter with its subject and its first lines filled in."""
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject)}"
    return link + _filled_in(body) if body else link


def _home(body: str) -> str:
    """Return a link to where replies go, which `Renderer` puts in for each letter."""
    return HOME + _filled_in(body)


def _filled_in(body: str) -> str:
    # RFC 6068: a line break in a link is a carriage return and a line feed.
    return "&body=" + quote(body.replace("\n", "\r\n"))


def blocks(script: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each block of a script, with its rows; words between blocks are paragraphs."""
    for part in script.split(OPEN):
        written, _, between = part.rpartition(SHUT)
        if written:
            name, *rows = written.split(ROW)
            yield name, rows
        if between.strip():
            yield "para", [between]


_PLAIN = str.maketrans(
    dict.fromkeys((*CODE, *STRONG, *DRAWN, FOREIGN[2], LINK[2]), "") | dict.fromkeys(SAID, '"')
)


def text(script: str) -> str:
    """Return a script as text; blocks are separated by one empty line."""
    laid = (
        _LAYOUTS[name]([_plain(row).split(CELL) for row in rows]) for name, rows in blocks(script)
    )
    return "\n\n".join(filter(None, laid)) + "\n"


_SENTENCES = ("para", "points", "lines")


def opening(script: str) -> str:
    """Return the first paragraph or point of a script as plain text, or nothing."""
    rows = next((rows for name, rows in blocks(script) if name in _SENTENCES), [""])
    return " ".join(_plain(rows[0]).split())


def height(script: str) -> int:
    """Return how many lines a script has as text."""
    return text(str(script)).count("\n")


# A report is laid out some times to measure it, once to be sent, and much of it is in two letters.
@lru_cache(maxsize=1024)
def _plain(row: str) -> str:
    """Return a row without its marks, except those between cells."""
    # Most rows hold no mark, and this test is cheaper than all replacements.
    if row.isprintable():
        return row
    # The address of a link is left out: the words are the order that it sends, or the address.
    first, *linked = IN_LANGUAGE.sub("", row).translate(_PLAIN).split(LINK[0])
    return first + "".join(part.partition(LINK[1])[2] for part in linked)


WIDTH = 72
"""The columns of a letter's text."""


def unwrapped(text: str) -> str:
    """Return a letter's text with each wrapped paragraph on one line, for boards that wrap it."""
    lines, before = list[str](), ""
    for line in text.splitlines():
        first = one_line(line).split(" ", 1)[:1]
        # Just where the next word had no room a paragraph was wrapped.
        if before.strip() and first[0] and len(before) + 1 + len(first[0]) > WIDTH:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        before = line
    return "\n".join(lines)


_FIXED = "\N{NO-BREAK SPACE}"


def one_line(words: str) -> str:
    """Return words as one line that may be broken at its spaces, but not before a percent sign."""
    return " ".join(words.split()).replace(" %", f"{_FIXED}%")


@lru_cache(maxsize=1024)
def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Return a paragraph wrapped, each line filled with as many words as it has room for."""
    words = " ".join(text.split())
    # Most texts are short, and each letter has many.
    if len(first) + len(words) <= WIDTH:
        return first + words
    filled = fill(
        one_line(words),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
    )
    return filled.replace(_FIXED, " ")


_BRIEF = 44
"""The longest order that has words after it on its line; a longer one has them below it."""
_LINED_UP = 24
"""The longest order of choices that the others are lined up with."""
_BELOW = ("      ", "      ")


def _listed(first: str, rest: str) -> Callable[[Rows], str]:
    return lambda rows: "\n".join(wrap(words, first, rest) for [words] in rows)


def _choices(rows: Rows) -> str:
    """Return orders at the left, each followed by its chance and by what it does."""
    widths = [width(row[1]) for row in rows]
    order_width = max((one for one in widths if one <= _LINED_UP), default=0)
    chance_width = max((width(row[2].strip()) for row in rows), default=0)
    lines = list[str]()
    for _, order, chance, effect in rows:
        line = f"  {ljust(order, order_width)}   {ljust(chance.strip(), chance_width)}"
        whole = f"{line}   {effect}"
        if effect and (not chance.strip() or width(whole) > WIDTH):
            whole = f"{line.rstrip()}\n{wrap(effect, *_BELOW)}"
        lines.append(whole.rstrip())
    return "\n".join(lines)


def _table(rows: Rows) -> str:
    [[caption], *rest] = rows
    widths = [max(map(width, column)) for column in zip(*rest, strict=True)]
    lines = (" ".join(map(ljust, row, widths)).rstrip() for row in rest)
    return "\n".join([wrap(f"{caption}:"), *lines])


def _bars(rows: Rows) -> str:
    [[caption], *rest] = rows
    lines = (wrap(f"{label}, {words}", "- ", "  ") for label, _, words in rest)
    return "\n".join([wrap(f"{caption}:"), *lines])


def _orders(orders: Sequence[str]) -> str:
    """Return orders as lines of their own, which are never broken."""
    # With a margin, a longer one would pass the 72 columns.
    margin = "" if any(width(one) > WIDTH - 2 for one in orders) else "  "
    return "\n".join(margin + one for one in orders)


def _replies(rows: Rows) -> str:
    """Return replies with their orders at the left, and what each does after or below them."""
    if any(len(row) > 3 or width(row[2]) > _BRIEF for row in rows):
        return "\n\n".join(
            _orders(orders) + (f"\n{wrap(does, '    ', '    ')}" if does else "")
            for does, _, *orders in rows
        )
    return _beside([(order, does) for does, _, order in rows], _BRIEF)


def _beside(rows: Rows, longest: int) -> str:
    """Return orders at the left, and what each does after it, or below one that is longer."""
    widths = [width(order) for order, _ in rows]
    most = max((one for one in widths if one <= longest), default=0)
    return "\n".join(
        wrap(does, f"  {ljust(order, most)}   ", " " * (most + 5)).rstrip()
        if width(order) <= most
        else f"  {order}\n{wrap(does, *_BELOW)}"
        for order, does in rows
    )


_LAYOUTS: dict[str, Callable[[Rows], str]] = {
    "marker": _listed("", ""),
    # In capitals, by which a digest knows a heading again (pbem.outgoing.digest).
    "heading": lambda rows: rows[0][0].upper(),
    "para": _listed("", ""),
    "foot": _listed("", ""),
    "points": _listed("- ", "  "),
    "lines": _listed("", "    "),
    "small": _listed("", "  "),
    "tale": _listed("| ", "| "),
    "fold": lambda rows: f"{rows[0][0].upper()}\n\n{_listed('', '  ')(rows[1:])}",
    "choices": _choices,
    "table": _table,
    "bars": _bars,
    "samples": lambda rows: _orders([order for [order] in rows]),
    "replies": _replies,
    "glossary": lambda rows: _beside(rows, _LINED_UP),
    # The text part says the same in words (decision 0012).
    "picture": lambda rows: "",
    "title": lambda rows: "",
}


Piece = Sequence[str]
"""The HTML before, between and after the words that a piece takes."""

_INLINE = {
    "code": CODE,
    "strong": STRONG,
    "said": SAID,
    "drawn": DRAWN,
    "foreign": FOREIGN,
    "link": LINK,
}
_FEW = 4
"""So few columns of a table have room for a short word each on any telephone."""
_DRAWING = re.compile(f"{DRAWN[0]}.*?{DRAWN[1]}")
_SIGNS = str.maketrans("OX", "○×")
"""How HTML shows the letters of a drawing."""
_LISTS = {
    "points": "item",
    "lines": "item",
    "tale": "tale_line",
    "choices": "choice",
    "samples": "sample",
    "replies": "reply",
    "glossary": "entry",
}
"""The blocks whose rows stand in a list, and the piece of each row."""


class Html:
    """Lays out scripts as HTML; the pieces decide the look."""

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self._pieces = pieces
        self._inline = [
            marked
            for name, marks in _INLINE.items()
            for marked in zip(marks, pieces[name], strict=True)
        ]

    def body(self, script: str) -> str:
        """Return a script laid out."""
        return "\n".join(filter(None, self._blocks(script)))

    def beginning(self, script: str, room: int) -> str:
        """Return the first blocks of a script laid out, as many as have `room` bytes."""
        laid = list(filter(None, self._blocks(script)))
        sizes = accumulate(len(block.encode()) + 1 for block in laid)
        return "\n".join(block for block, size in zip(laid, sizes, strict=True) if size <= room)

    def _blocks(self, script: str) -> Iterator[str]:
        for name, rows in blocks(script):
            yield self._laid(name, [self._tagged(row).split(CELL) for row in rows])

    def page(self, body: str, lang: str, subject: str, first: str) -> str:
        """Return a page in a language, with the letter's subject as its title.

        The words that are `first` are what mail programs show beside the subject.
        """
        for mark, quoted in zip(_QUOTES, _QUOTES_OF.get(lang, _QUOTES), strict=True):
            body = body.replace(mark, quoted)
        return self._filled("page", lang, _escaped(subject), _escaped(first), lang, body)

    def _tagged(self, row: str) -> str:
        words = _escaped(row)
        if not words.isprintable():
            words = _DRAWING.sub(lambda drawn: drawn[0].translate(_SIGNS), words)
            for mark, tag in self._inline:
                words = words.replace(mark, tag)
        return one_line(words)

    def _laid(self, name: str, rows: Rows) -> str:
        if name == "table":
            [[caption], head, *body] = rows
            heads = "".join([self._filled("head", cell) for cell in head])
            lines = [[self._cells(*row)] for row in body]
            kinds = "data few" if len(head) <= _FEW else "data"
            return self._filled("table", kinds, caption, heads, self._each("row", lines))
        if name == "bars":
            [[caption], *bars] = rows
            return self._filled("bars", caption, self._each("bar", bars))
        if name == "replies":
            line_break = self._filled("line_break")
            rows = [(link, line_break.join(orders), does) for does, link, *orders in rows]
        if name in _LISTS:
            return self._filled(name, self._each(_LISTS[name], rows)) if rows else ""
        return self._each(name, rows)

    def _each(self, piece: str, rows: Rows) -> str:
        return "\n".join([self._filled(piece, *row) for row in rows])

    def _cells(self, first: str, *rest: str) -> str:
        return self._filled("first", first) + "".join(self._filled("cell", one) for one in rest)

    def _filled(self, name: str, *words: str) -> str:
        """Return a piece with words in its places."""
        first, *rest = self._pieces[name]
        return first + "".join(word + after for word, after in zip(words, rest, strict=True))


def _escaped(words: str) -> str:
    # An apostrophe may stay, since no piece puts words between single quotes.
    return escape(words, quote=False).replace('"', "&#34;")
