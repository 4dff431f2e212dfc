"""A letter's script: what templates write once, and how it is laid out as text and as HTML.

A script is a row of blocks: a name, and items, which may have cells. Marks are control characters,
which `visible` removes from every text that comes in, so no player can write one. The text has 72
columns, and is complete without any picture. The HTML is put into the pieces of templates/kit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from pbem.text.columns import WIDTH, columns, wrap

OPEN, SHUT, ITEM, CELL = "\x01", "\x02", "\x03", "\x04"
"""What begins and ends a block, what begins each of its items, and each further cell."""

CODE, STRONG = ("\x05", "\x06"), ("\x07", "\x08")
SAID, TOGETHER = ("\x0e", "\x0f"), ("\x10", "\x11")
"""What is put before and after words: an order, bold, a quotation, what stays on one line."""

LINK = ("\x12", "\x13", "\x14")
"""What is put before an address, between it and its words, and after them."""

HOME = "\x15"
"""Stands in a link for the address and the subject of a reply, which each reader has of their own.

With the subject, and so the token, what a link sends counts as a reply.
"""

Items = Sequence[str]
Block = tuple[str, Items]


KEPT = 512
"""How many laid-out blocks are cached; most parts of a letter have been in others."""
_LONGEST = 1_000
"""The longest block that is cached, in characters."""


def blocks(script: str) -> Iterator[Block]:
    """Yield the blocks of a script, each with its items; words between blocks are paragraphs."""
    return map(_block, _written(script))


def layout(lay: Callable[[str, Sequence[str]], str]) -> Callable[[str], list[str]]:
    """Return a function that lays out scripts, made from one that lays out a block.

    It returns a list of the blocks that are not empty.
    """
    kept = lru_cache(maxsize=KEPT)(lambda written: lay(*_block(written)))

    def laid(script: str) -> list[str]:
        written = _written(script)
        made = (kept(w) if len(w) <= _LONGEST else lay(*_block(w)) for w in written)
        return [block for block in made if block]

    return laid


def _written(script: str) -> Iterator[str]:
    first, *rest = script.split(OPEN)
    if first.strip():
        yield f"para{ITEM}{first}"
    for part in rest:
        block, _, between = part.partition(SHUT)
        yield block
        if between.strip():
            yield f"para{ITEM}{between}"


def _block(written: str) -> Block:
    name, *items = written.split(ITEM)
    return name, items


_WRITTEN = (
    *((mark, "") for mark in (*CODE, *STRONG, *TOGETHER, LINK[2])),
    *((mark, '"') for mark in SAID),
)


def text(script: str) -> str:
    """Return a script as text; blocks are separated by one empty line."""
    return "\n\n".join(_laid(script)) + "\n"


def height(script: str) -> int:
    """Return how many lines a script has as text."""
    return text(str(script)).count("\n")


def _lay(name: str, items: Sequence[str]) -> str:
    return _LAYOUTS[name]([item if item.isprintable() else _plain(item) for item in items])


def _plain(item: str) -> str:
    """Return an item without its marks, except those between cells."""
    for mark, written in _WRITTEN:
        item = item.replace(mark, written)
    first, *linked = item.split(LINK[0])
    return first + "".join(part.partition(LINK[1])[2] for part in linked)


_laid = layout(_lay)


_BRIEF = 44
"""The longest order that has words behind it on its line; a longer one has them below it."""


def _para(items: Items) -> str:
    return wrap(items[0])


def _listed(first: str, rest: str) -> Callable[[Items], str]:
    return lambda items: "\n".join(wrap(item, first, rest) for item in items)


def _fold(items: Items) -> str:
    title, *lines = items
    return f"{title.upper()}\n\n{_listed('', '  ')(lines)}"


def _choices(items: Items) -> str:
    """Return orders at the left, each with its chance and with what it does behind it."""
    rows = [item.split(CELL) for item in items]
    order_width = max((len(row[1]) for row in rows if len(row[1]) <= _LINED_UP), default=0)
    width = max((len(row[2].strip()) for row in rows), default=0)
    return "\n".join(
        _choice(order, chance.strip(), gloss, (order_width, width))
        for _, order, chance, gloss in rows
    )


def _choice(order: str, chance: str, gloss: str, widths: tuple[int, int]) -> str:
    line = f"  {order:{widths[0]}}   {chance:{widths[1]}}".rstrip()
    if not gloss:
        return line
    whole = f"  {order:{widths[0]}}   {chance:{widths[1]}}   {gloss}" if chance else ""
    return whole if whole and len(whole) <= WIDTH else f"{line}\n{wrap(gloss, *_BELOW)}"


_LINED_UP = 24
"""The longest order of choices that the others are lined up with."""
_BELOW = ("      ", "      ")


def _table(items: Items) -> str:
    caption, *rows = items
    return f"{wrap(f'{caption}:')}\n{columns([row.split(CELL) for row in rows])}"


def _bars(items: Items) -> str:
    caption, *rows = items
    cells = (row.split(CELL) for row in rows)
    lines = (wrap(f"{label}, {words}", "- ", "  ") for label, _, words in cells)
    return "\n".join([wrap(f"{caption}:"), *lines])


def _samples(items: Items) -> str:
    return "\n".join(_bare(items))


def _bare(orders: Sequence[str]) -> list[str]:
    """Return orders as lines of their own, which are never broken."""
    margin = "" if any(len(one) > WIDTH - 2 for one in orders) else "  "
    return [margin + one for one in orders]


def _replies(items: Items) -> str:
    """Return replies with their orders at the left, and what each does behind or below them."""
    rows = [item.split(CELL) for item in items]
    if any(len(row) > 3 or len(row[2]) > _BRIEF for row in rows):
        return "\n\n".join(
            "\n".join([*_bare(orders), *([wrap(does, "    ", "    ")] if does else [])])
            for does, _, *orders in rows
        )
    width = max((len(order) for _, _, order in rows), default=0)
    lines = (wrap(does, f"  {order:{width}}   ", " " * (width + 5)) for does, _, order in rows)
    return "\n".join(line.rstrip() for line in lines)


def _glossary(items: Items) -> str:
    """Return orders at the left, and what each does behind it, or below a long one."""
    rows = [item.split(CELL) for item in items]
    width = max((len(order) for order, _ in rows if len(order) <= _LINED_UP), default=0)
    return "\n".join(
        wrap(does, f"  {order:{width}}   ", " " * (width + 5))
        if len(order) <= width
        else f"  {order}\n{wrap(does, *_BELOW)}"
        for order, does in rows
    )


def _form(items: Items) -> str:
    return "\n".join(f"{item}____________________" for item in items)


def _hex(items: Items) -> str:
    return f"{wrap(items[1])}\n  {items[0]}"


_LAYOUTS: dict[str, Callable[[Items], str]] = {
    "marker": lambda items: items[0].strip(),
    "heading": lambda items: items[0].upper(),
    "para": _para,
    "points": _listed("- ", "  "),
    "lines": _listed("", "    "),
    "small": _listed("", "  "),
    "tale": _listed("| ", "| "),
    "fold": _fold,
    "choices": _choices,
    "table": _table,
    "bars": _bars,
    "samples": _samples,
    "replies": _replies,
    "glossary": _glossary,
    "form": _form,
    "hex": _hex,
    "foot": _para,
    "picture": lambda items: "",
}


Piece = Sequence[str]
"""The HTML before, between and after the words that a piece takes."""

_ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&#34;"))
_INLINE: Mapping[str, Sequence[str]] = {
    "code": CODE,
    "strong": STRONG,
    "said": SAID,
    "together": TOGETHER,
    "link": LINK,
}
_SHORT = 7
"""From this length on a cell may be broken."""


def _filled(piece: Piece, *words: str) -> str:
    """Return a piece with words in its places."""
    first, *rest = piece
    return first + "".join(word + after for word, after in zip(words, rest, strict=True))


class Html:
    """Lays out scripts as HTML; the pieces decide the look."""

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self._pieces = pieces
        self._laid = layout(self._lay)
        self._inline = [
            marked
            for name, marks in _INLINE.items()
            for marked in zip(marks, pieces[name], strict=True)
        ]
        self._layouts: dict[str, Callable[[Items], str]] = {
            **{name: self._whole(name) for name in ("marker", "heading", "para", "foot")},
            **{name: self._each(name) for name in ("small", "picture")},
            "lines": self._each("line"),
            "points": self._list("points", "point"),
            "tale": self._list("tale", "tale_line"),
            "choices": self._list("choices", "choice"),
            "samples": self._list("samples", "sample"),
            "replies": self._replies,
            "glossary": self._list("glossary", "entry"),
            "form": self._list("form", "blank"),
            "table": self._table,
            "bars": self._bars,
            "hex": lambda items: _filled(pieces["hex"], items[1], items[0]),
        }

    def body(self, script: str) -> str:
        """Return a script laid out."""
        return "\n".join(self._laid(script))

    def page(self, body: str, lang: str, subject: str) -> str:
        """Return a page in a language, with the letter's subject as its title."""
        return _filled(self._pieces["page"], lang, _escaped(subject), body)

    def _lay(self, name: str, items: Items) -> str:
        return self._layouts[name]([" ".join(self._tagged(item).split()) for item in items])

    def _tagged(self, item: str) -> str:
        words = _escaped(item)
        # Most items hold no mark, and this test is cheaper than all replacements.
        if not words.isprintable():
            for mark, tag in self._inline:
                words = words.replace(mark, tag)
        return words

    def _whole(self, name: str) -> Callable[[Items], str]:
        before, after = self._pieces[name]
        return lambda items: before + items[0] + after

    def _each(self, name: str) -> Callable[[Items], str]:
        piece = self._pieces[name]
        return lambda items: "\n".join(_filled(piece, *item.split(CELL)) for item in items)

    def _list(self, name: str, item: str) -> Callable[[Items], str]:
        before, after = self._pieces[name]
        each = self._each(item)
        return lambda items: before + each(items) + after if items else ""

    def _replies(self, items: Items) -> str:
        (before, after), (line_break,) = self._pieces["replies"], self._pieces["line_break"]
        rows = (item.split(CELL) for item in items)
        made = (
            _filled(self._pieces["reply"], link, line_break.join(orders), does)
            for does, link, *orders in rows
        )
        return before + "\n".join(made) + after if items else ""

    def _table(self, items: Items) -> str:
        caption, head, *rows = items
        heads = "".join(_filled(self._pieces["head"], cell) for cell in head.split(CELL))
        lines = "\n".join(_filled(self._pieces["row"], self._cells(row)) for row in rows)
        return _filled(self._pieces["table"], caption, heads, lines)

    def _bars(self, items: Items) -> str:
        caption, *rows = items
        return _filled(self._pieces["bars"], caption, self._each("bar")(rows))

    def _cells(self, row: str) -> str:
        first, *rest = row.split(CELL)
        kinds = ("short" if len(cell) < _SHORT else "cell" for cell in rest)
        cells = (_filled(self._pieces[kind], cell) for kind, cell in zip(kinds, rest, strict=True))
        return _filled(self._pieces["first"], first) + "".join(cells)


def _escaped(words: str) -> str:
    for character, entity in _ENTITIES:
        words = words.replace(character, entity)
    return words
