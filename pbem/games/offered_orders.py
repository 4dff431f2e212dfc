"""An order that a letter offers, with its chance and with what it brings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from engine.preview.effects import Effect, tried
from engine.seats import Seat
from pbem.games.session import Session


@dataclass(frozen=True)
class Offered:
    """A legal order with its chance in percent; None where no die decides.

    `why` is the practice player's reason for it, "" for an order that only might be given.
    """

    order: str
    chance: int | None
    tried: Callable[[], Effect] = field(compare=False, repr=False)
    why: str = ""

    @property
    def effect(self) -> str:
        """Return what the order brings."""
        return self._found.words

    @property
    def harm(self) -> float:
        """Return how much the order harms opponents on the average, if it succeeds."""
        return self._found.harm

    @cached_property
    def _found(self) -> Effect:
        # Only where a letter shows it, since the order is tried.
        return self.tried()


def offered(
    session: Session, seat: Seat, order: object, chance: int | None, why: str = ""
) -> Offered:
    """Return an order of a seat that may be given now as letters offer it."""
    rules, state = session.rules, session.foreseen(seat)
    return Offered(rules.format(order), chance, partial(tried, rules, state, seat, order), why)
