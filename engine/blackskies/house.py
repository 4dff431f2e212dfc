"""House pilots."""

from collections.abc import Callable, Mapping

from engine.blackskies.cautious import cautious
from engine.blackskies.model import Battle, Order
from engine.dice import Dice
from engine.seats import Seat

HOUSE: Mapping[str, Callable[[Battle, Seat, Dice], Order]] = {
    "easy": lambda b, s, d: cautious(b, s),
    "sound": lambda b, s, d: cautious(b, s),
    "sharp": lambda b, s, d: cautious(b, s),
}
