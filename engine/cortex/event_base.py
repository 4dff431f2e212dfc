"""The base of all events of Cortex, and the rolls that events record."""

from engine.codec import Record, Tagged
from engine.seats import Audience


class Throw(Record, frozen=True):
    """A roll: the steps of its dice as thrown, what each fell on, and whether all show 1 (CX-4)."""

    dice: tuple[int, ...]
    results: tuple[int, ...]
    total: int
    botch: bool


class Harm(Record, frozen=True):
    """What a hit would do before scale and armour (CX-10).

    `basic` is the Basic damage, `dice` the steps of the damage dice, and `results` how they fell.
    """

    basic: int
    stun: int
    wound: int
    dice: tuple[int, ...] = ()
    results: tuple[int, ...] = ()


class Event(Tagged, frozen=True):
    """Something that happened; everyone sees what is done, and nobody sees others' orders."""

    @property
    def audience(self) -> Audience:
        """Who may know: everyone, except of orders."""
        return None
