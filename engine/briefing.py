"""What a system says for letters: views, pictures, why not, how it stands, what a story tells."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from engine.seats import Seat

O = TypeVar("O")  # noqa: E741 - an order

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
