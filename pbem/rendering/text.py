"""A letter's plain part: 72 columns, sentences first; it is complete without any picture."""

from collections.abc import Callable, Sequence

from pbem.rendering.marks import CELL, CODE, LINK, SAID, STRONG, TOGETHER, layout
from pbem.text.columns import columns, wrap

_WRITTEN = (
    *((mark, "") for mark in (*CODE, *STRONG, *TOGETHER, LINK[2])),
    *((mark, '"') for mark in SAID),
)


def text(script: str) -> str:
    """Return a script as text; blocks are separated by one empty line."""
    return "\n\n".join(_laid(script)) + "\n"


def _lay(name: str, items: Sequence[str]) -> str:
    return _LAYOUTS[name]([item if item.isprintable() else _plain(item) for item in items])


def _plain(item: str) -> str:
    """Return an item without its marks, except those between cells."""
    for mark, written in _WRITTEN:
        item = item.replace(mark, written)
    first, *linked = item.split(LINK[0])
    return first + "".join(part.partition(LINK[1])[2] for part in linked)


_laid = layout(_lay)


Items = Sequence[str]
_CHANCE = len("100 in 100")


def _para(items: Items) -> str:
    return wrap(items[0])


def _listed(first: str, rest: str) -> Callable[[Items], str]:
    return lambda items: "\n".join(wrap(item, first, rest) for item in items)


def _fold(items: Items) -> str:
    title, *lines = items
    return f"{title.upper()}\n\n{_listed('', '  ')(lines)}"


def _choices(items: Items) -> str:
    rows = [(chance.rstrip(), order) for chance, _, order in (item.split(CELL) for item in items)]
    width = max((len(chance) for chance, _ in rows), default=0)
    return "\n".join(f"  {chance:{max(width, _CHANCE)}}   {order}" for chance, order in rows)


def _table(items: Items) -> str:
    caption, *rows = items
    return f"{caption}:\n{columns([row.split(CELL) for row in rows])}"


def _bars(items: Items) -> str:
    caption, *rows = items
    cells = (row.split(CELL) for row in rows)
    lines = (wrap(f"{label}, {words}", "- ", "  ") for label, _, words in cells)
    return "\n".join([f"{caption}:", *lines])


def _samples(items: Items) -> str:
    rows = (item.split(CELL) for item in items)
    return "\n".join(f"  {title.rstrip()}  {line}" for title, line in rows)


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
    "form": _form,
    "hex": _hex,
    "foot": _para,
    "picture": lambda items: "",
}
