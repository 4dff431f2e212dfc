"""A letter's HTML part: a script put into the pieces of templates/kit/html.j2."""

from collections.abc import Callable, Mapping, Sequence

from pbem.rendering.marks import CELL, CODE, LINK, SAID, STRONG, TOGETHER, layout

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

Items = Sequence[str]


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
