"""A script as a page to print: A4, with charts; reportlab is imported only when needed."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING

from pbem.rendering.letter_script import (
    CELL,
    CODE,
    DRAWN,
    FOREIGN,
    IN_LANGUAGE,
    LINK,
    SAID,
    STRONG,
    blocks,
    one_line,
)

if TYPE_CHECKING:
    from reportlab.lib.colors import Color
    from reportlab.platypus import Flowable

Items = Sequence[str]

_TAGS = (
    *zip(CODE, ("<b>", "</b>"), strict=True),
    *zip(STRONG, ("<b>", "</b>"), strict=True),
    *zip(SAID, ("“<i>", "</i>”"), strict=True),
    *((mark, "") for mark in (*DRAWN, FOREIGN[2])),
)
_GREY = "#777777"
_BAR = 180
"""The length of a full bar, in points."""


def pdf(script: str, title: str) -> bytes:
    """Return a script laid out for A4, the same bytes each time.

    Its fonts know the letters of Western Europe (Windows-1252); others lose their accents, or
    become question marks.
    """
    # Imported here, because few letters have a page to print.
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    made = BytesIO()
    page = SimpleDocTemplate(
        made,
        pagesize=A4,
        title=title,
        # Without it the file holds the time and a random identifier.
        invariant=1,
        leftMargin=54,
        rightMargin=54,
        topMargin=48,
    )
    page.build(list(_Printer().flow(script)))
    return made.getvalue()


class _Printer:
    """Makes reportlab's flowables from blocks."""

    def __init__(self) -> None:
        from reportlab.lib.styles import ParagraphStyle

        plain = ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=14, spaceAfter=6)
        self._styles = {
            "plain": plain,
            "heading": ParagraphStyle(
                "heading", plain, fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=8
            ),
            "small": ParagraphStyle("small", plain, fontSize=8, leading=11, textColor=_grey()),
            "cell": ParagraphStyle("cell", plain, fontSize=9, leading=12, spaceAfter=0),
        }
        self._layouts: dict[str, Callable[[Items], Iterator[Flowable]]] = {
            "heading": lambda items: self._paragraphs("heading", items),
            "points": lambda items: self._paragraphs("plain", [f"• {item}" for item in items]),
            "foot": lambda items: self._paragraphs("small", items),
            "small": lambda items: self._paragraphs("small", items),
            "table": self._table,
            "bars": self._bars,
        }

    def flow(self, script: str) -> Iterator["Flowable"]:
        """Yield the flowables of a script."""
        for name, items in blocks(_tagged(script)):
            lay_out = self._layouts.get(name)
            yield from lay_out(items) if lay_out else self._paragraphs("plain", items)

    def _paragraphs(self, style: str, items: Items) -> Iterator["Flowable"]:
        for item in items:
            yield self._words(item, style)

    def _words(self, words: str, style: str) -> "Flowable":
        from reportlab.platypus import Paragraph

        return Paragraph(one_line(words.replace(CELL, " ")), self._styles[style])

    def _grid(self, caption: str, rows: list[list["Flowable"]], bold: bool) -> Iterator["Flowable"]:
        from reportlab.platypus import Spacer, Table

        yield self._words(f"<b>{caption}</b>", "plain")
        table = Table(rows, hAlign="LEFT")
        table.setStyle([("LINEBELOW", (0, 0), (-1, -1), 0.4, _GREY)])
        table.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP")])
        if bold:
            table.setStyle([("LINEBELOW", (0, 0), (-1, 0), 1.2, _GREY)])
        yield table
        yield Spacer(1, 10)

    def _table(self, items: Items) -> Iterator["Flowable"]:
        caption, *rows = items
        cells = [[self._words(cell, "cell") for cell in row.split(CELL)] for row in rows]
        return self._grid(caption, cells, True)

    def _bars(self, items: Items) -> Iterator["Flowable"]:
        caption, *rows = items
        cells = (row.split(CELL) for row in rows)
        drawn = [
            [self._words(label, "cell"), _bar(int(percent)), self._words(words, "cell")]
            for label, percent, words in cells
        ]
        return self._grid(caption, drawn, False)


def _bar(percent: int) -> "Flowable":
    from reportlab.graphics.shapes import Drawing, Rect

    outline, part = Rect(0, 0, _BAR, 9), Rect(0, 0, _BAR * percent / 100, 9)
    outline.setProperties({"fillColor": None, "strokeColor": _grey(), "strokeWidth": 0.4})
    part.setProperties({"fillColor": _grey(), "strokeColor": None})
    return Drawing(_BAR, 10, outline, part)


def _grey() -> "Color":
    from reportlab.lib.colors import HexColor

    return HexColor(_GREY)


def _tagged(script: str) -> str:
    # Escaped before our marks become tags, or a player's words could hold tags as well.
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        script = script.replace(character, entity)
    script = IN_LANGUAGE.sub("", script)
    for mark, tag in _TAGS:
        script = script.replace(mark, tag)
    # Paper has no links, so only their words stay.
    first, *rest = script.split(LINK[0])
    script = first + "".join(part.partition(LINK[1])[2] for part in rest)
    return "".join(map(_printable, script.replace(LINK[2], "")))


def _printable(character: str) -> str:
    """Return a character that the fonts have, if need be a plainer one: Z for Ź, L for Ł."""
    if character.encode("cp1252", "ignore"):
        return character
    bare = unicodedata.normalize("NFKD", character)[0]
    # Ł has no decomposition, but Unicode calls it L WITH STROKE.
    plain, stroked, _ = unicodedata.name(bare, "").partition(" WITH ")
    if stroked:
        with suppress(KeyError):
            bare = unicodedata.lookup(plain)
    return bare.encode("cp1252", "replace").decode("cp1252")
