"""What a system says for letters: views, pictures, why not, how it stands, what a story tells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from engine.i18n import Said, all_of
from engine.seats import Seat

O = TypeVar("O")  # noqa: E741 - an order

_NAMED = 2
"""So many names stand in a gist; more are counted."""

View = Mapping[str, Any]
"""What one seat, or the public, may know: plain values for templates, built up from nothing.

Each system types its own views; this is how they look to who knows no system.
"""


class Picture(NamedTuple):
    """A drawing as SVG, and a sentence that says all that it shows."""

    svg: str
    alt: str


class Barred(NamedTuple, Generic[O]):
    """Orders that are not legal now, and in half a line why not, and what would help."""

    orders: tuple[O, ...]
    why: str


def by_reason(found: Iterable[tuple[O, str]], reasons: Mapping[str, str]) -> list[Barred[O]]:
    """Return orders that can't be given, together for each reason, whose words `reasons` has."""
    orders: dict[str, list[O]] = {}
    for order, code in found:
        orders.setdefault(code, []).append(order)
    return [Barred(tuple(together), reasons[code]) for code, together in orders.items()]


def named_or_counted(
    names: Iterable[str], few: Callable[..., Said], many: Callable[..., Said]
) -> Said:
    """Return what happened to some: their `names` for a `few`, and how many (`count`) for more."""
    once = list(dict.fromkeys(names))
    return few(names=all_of(once)) if len(once) <= _NAMED else many(count=len(once))


class Gist(NamedTuple):
    """A report in a few words each: what has happened, and how a seat stands now.

    Both are for the subject and for the first lines; `happened` is "" where nothing is to be told.
    """

    happened: str
    stands: str


class Scene(NamedTuple):
    """A step as a story tells it: who ordered, whether only by caution, and what all may know."""

    n: int
    seat: Seat
    silent: bool
    events: Sequence[Any]


Beat = dict[str, Any]
"""What a story tells in one sentence: its `kind`, its `first` and `last` step, and facts."""


def every_event(scenes: Sequence[Scene]) -> list[Beat]:
    """Return a beat for each event, which is told in the words of a report."""
    return [
        {"kind": "event", "first": scene.n, "last": scene.n, "event": event}
        for scene in scenes
        for event in scene.events
    ]
