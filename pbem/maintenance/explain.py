"""Which row took a letter and why: asks the tables of intake and router again, without acting."""

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.intake import Limits, classification
from pbem.intake.reading_result import TooMuchError
from pbem.routing import router
from pbem.routing.incoming import Incoming


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A row that was asked about a letter; `why` it takes the letter, None if it does not."""

    table: str
    number: int
    row: str
    why: str | None


def by_intake(raw: bytes, limits: Limits) -> Iterator[AskedRow]:
    """Yield the rows that decide what a letter is, with their answers."""
    try:
        for number, (row, why) in enumerate(
            classification.rows_tried(classification.opened(raw, limits)), 1
        ):
            yield AskedRow("intake", number, row.name, why)
    except TooMuchError as error:
        yield AskedRow("intake", 0, "over a cap", str(error))


def by_routing(incoming: Incoming) -> Iterator[AskedRow]:
    """Yield the rows that decide who wrote a letter and who answers it, by today's database."""
    for number, (name, why) in enumerate(router.rows_tried(incoming), 1):
        yield AskedRow("router", number, name, why)
