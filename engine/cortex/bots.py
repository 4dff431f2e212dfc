"""Bots of three strengths, to practise against: easy, sound and sharp; and what the silent do."""

from collections.abc import Callable, Mapping

from engine.codec import change
from engine.cortex import sound_bot
from engine.cortex.default_targets import target_of
from engine.cortex.legal import hindrance, poised
from engine.cortex.model import HOLD, Battle, Filing, Order, Orders
from engine.cortex.queries import next_of, unit_of, worst_pilot
from engine.cortex.sharp_bot import sharp
from engine.cortex.tables import NEAREST_FOE
from engine.dice import Dice
from engine.i18n import say
from engine.seats import Seat


def cautious(battle: Battle, seat: Seat) -> Orders:
    """Return what CX-18 says for the next unit of a seat: it holds its range and defends."""
    return Orders(next_of(battle, seat), (Order(HOLD),))


_WHIM = 5
"""An easy bot does anything that comes to mind in three turns of this many."""
_WHIMS = (HOLD, "open", "evade", "close", HOLD)


def easy(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return a beginner's orders: close and shoot with what comes first, or do just anything."""
    name = next_of(battle, seat)
    if name in battle.spotters:
        return sound_bot.sound(battle, name)
    if dice.roll(_WHIM, "whim") <= 3:
        do = _WHIMS[dice.roll(len(_WHIMS), "anything") - 1]
        return _able(battle, name, (Order(do, at=NEAREST_FOE if do == "close" else None),))
    return _able(battle, name, _plain(battle, name))


def _plain(battle: Battle, name: str) -> tuple[Order, ...]:
    """Return a unit's simplest attack: it closes, and fires its first gun."""
    by = worst_pilot(battle, unit_of(battle, name))
    guns = battle.vessels[by].guns
    gun = next((w.name for w in battle.sheets[by].weapons if guns[w.name] and not w.missile), None)
    shot = () if gun is None else (Order("fire", weapon=gun, at=NEAREST_FOE),)
    return (Order("close", at=NEAREST_FOE), *shot)


def _able(battle: Battle, name: str, orders: tuple[Order, ...]) -> Orders:
    """Return those orders that a unit can carry out, or else to hold."""
    play = poised(battle)
    able = tuple(
        one
        for one in orders
        if hindrance(play, name, change(one, at=target_of(battle, name, one)))
        in (None, "out of range")
    )
    return Orders(name, able or (Order(HOLD),))


def sound(battle: Battle, seat: Seat, dice: Dice) -> Orders:
    """Return the orders of a bot that knows what each shot is worth."""
    return sound_bot.sound(battle, next_of(battle, seat))


def why(battle: Battle, seat: Seat, order: Filing) -> str:
    """Return in at most five words why a sound bot gives a unit's orders."""
    given = [one.do for one in order.orders] if isinstance(order, Orders) else []
    return next((reason for do, reason in _WHY.items() if do in given), _WHY[HOLD])


_WHY = {
    "outfly": say("a missile hits this turn"),
    "spot": say("its marks need a spotter"),
    "lock": say("a missile needs a lock"),
    "launch": say("the missile is worth most"),
    "close": say("no gun reaches anybody yet"),
    "fire": say("the shots worth most"),
    **dict.fromkeys(("assist", "sense", "plot"), say("the crew helps the guns")),
    "defend": say("nothing to shoot at"),
    HOLD: say("nothing can be done"),
}


BY_STRENGTH: Mapping[str, Callable[[Battle, Seat, Dice], Orders]] = {
    "easy": easy,
    "sound": sound,
    "sharp": sharp,
}


def cost(battle: Battle, strength: str) -> int:
    """Return about what an order of a bot costs at most, in units of a Budget."""
    count = len(battle.sheets)
    if strength == "sharp":
        return 40_000 * count
    return 400 if strength == "easy" else 300 * count
