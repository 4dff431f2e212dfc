"""What a system says for the first lines of a report: why not, and how it stands."""

from typing import Generic, NamedTuple, TypeVar

O = TypeVar("O")  # noqa: E741 - an order


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
