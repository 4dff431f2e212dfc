"""What a letter says of the orders that are not legal now: why each is refused."""

from engine.i18n import Said, say
from engine.letter_texts import Barred
from engine.starpilot.legal import orders, refusal, target, without
from engine.starpilot.model import Battle, Order, Pilot, opponents
from engine.starpilot.tables import AT_ONE, SKILL_STAT

_SELDOM = frozenset({"ESCAPE", "EJECT"})
"""What nobody expects to be possible in an ordinary turn, so that the reason comes last."""


def barred(battle: Battle, name: str) -> list[Barred[Order]]:
    """Return the orders that are not legal now, those with the same reason together.

    An opponent is named only where that makes a difference. HOLD is left out, as it is only for
    the helpless, and SURRENDER, which is always legal.
    """
    if battle.over or not orders(battle, name):
        return []
    found: dict[Said, list[Order]] = {}
    for command in (*SKILL_STAT, "ESCAPE", "EJECT"):
        reasons = _reasons(battle, name, command)
        # Where the reason is the same for all opponents it is given once, without their names.
        if len(set(reasons.values())) == 1:
            reasons = {Order(command): why for why in reasons.values()}
        for order, why in reasons.items():
            if why is not None:
                found.setdefault(why, []).append(order)
    told = [Barred(tuple(of_it), why) for why, of_it in found.items()]
    return sorted(told, key=lambda one: one.orders[0].command in _SELDOM)


def _reasons(battle: Battle, name: str, command: str) -> dict[Order, Said | None]:
    """Return why each order of a command is refused; None where it is legal."""
    foes = opponents(battle, name) if command in AT_ONE else [None]
    found: dict[Order, Said | None] = {}
    for foe in foes:
        order = Order(command, foe)
        reason = refusal(battle, name, order)
        why = _why(battle, battle.pilots[name], order, reason) if reason is not None else None
        found[order] = why
    return found


def _why(battle: Battle, pilot: Pilot, order: Order, reason: str) -> Said:
    """Return why an order is refused, and what would help."""
    foe = target(battle, pilot.card.name, order)
    if reason == "disabled":
        return without(pilot, order.command)
    if reason == "disadvantage":
        return say("{foe} has the Advantage; DOGFIGHT ends it", foe=foe)
    if reason == "bad target":
        return say("{foe} has not been found yet; SCAN first", foe=foe)
    return {
        "undetected": say("nobody has been found yet; SCAN first"),
        "extreme": say("no shot reaches to Extreme range; CLOSE first"),
        "no lock": say("you need the Advantage (DOGFIGHT) or a lock (TARGET)"),
        "not at extreme": say("only from Extreme range; OPEN leads there"),
        "nothing to escape": say("only when a shot or a lock threatens you"),
    }[reason]
