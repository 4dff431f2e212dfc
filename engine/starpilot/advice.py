"""What a letter says next to each order: what it does, and why it is refused."""

from engine.i18n import Said, say
from engine.starpilot.legal import orders, refusal, target, without
from engine.starpilot.model import Battle, Order, Pilot, holds_lock, opponents, pair_of
from engine.starpilot.tables import (
    AT_ONE,
    FAR,
    NEAR,
    SKILL_STAT,
    STOPS,
    STOPS_LOCKS,
)
from engine.telling import Barred

_SELDOM = frozenset({"ESCAPE", "EJECT"})
"""What nobody expects to be possible in an ordinary turn, so that the reason comes last."""


def gloss(battle: Battle, name: str, order: Order) -> str:
    """Return in a few words what a legal order does as things are now."""
    command = order.command
    foe = target(battle, name, order)
    if foe is not None and command in AT_ONE:
        return _at_one(battle, name, command, foe)
    if command in STOPS:
        return _defence(battle, name, command)
    if command in ("CLOSE", "OPEN"):
        return _moving(battle, name, command)
    if command == "SCAN":
        # A SCAN with nothing left to find is legal all the same (SP-13).
        blind = set(opponents(battle, name)) - battle.pilots[name].found
        found = say("look for the opponents") if len(blind) > 1 else say("look for the opponent")
        return found if blind else say("nobody is left to find")
    if command == "SURRENDER" and order.at is not None:
        return say("give up to {name}; you are out", name=order.at)
    return {
        "ESCAPE": say("leave the battle, alive"),
        "EJECT": say("get out alive; the ship is lost"),
        "SURRENDER": say("give up; you are out"),
        "HOLD": say("let the turn pass"),
    }[command]


def _at_one(battle: Battle, name: str, command: str, foe: str) -> Said:
    mine = pair_of(battle, name, foe).advantage == name
    locked = holds_lock(battle, name, foe)
    if command == "TARGET":
        return say("renew the lock") if locked else say("get a lock: +30 to a shot next turn")
    if command == "DOGFIGHT":
        if mine:
            return say("you have the Advantage already")
        theirs = pair_of(battle, name, foe).advantage == foe
        return say("end the opponent's Advantage") if theirs else say("win the Advantage")
    # Only legal orders come here, and without Advantage or lock a shot is not legal (SP-17).
    if mine and locked:
        return say("shoot; you have Advantage and lock")
    return say("shoot; you have the lock") if locked else say("shoot; you have the Advantage")


def _defence(battle: Battle, name: str, command: str) -> Said:
    shot = any(s.at == name and s.weapon in STOPS[command] for s in battle.shots)
    lock = command in STOPS_LOCKS and any(k.on == name for k in battle.locks)
    if shot and lock:
        return say("stop the shot, break the lock")
    if shot or lock:
        return say("stop the shot") if shot else say("break the lock on you")
    return {
        "JINK": say("dodge beams and locks; none now"),
        "ECM": say("jam missiles and locks; none now"),
        "PROTECT": say("raise shields; nothing comes now"),
    }[command]


def _moving(battle: Battle, name: str, command: str) -> Said:
    ranges = {pair_of(battle, name, foe).range for foe in opponents(battle, name)}
    if len(ranges) > 1:
        return say("go nearer to all") if command == "CLOSE" else say("go farther from all")
    at = ranges.pop()
    if command == "CLOSE":
        if at == NEAR:
            return say("you are as near as can be")
        return say("go nearer, to Near range") if at == FAR else say("go nearer, to Far range")
    if at == NEAR:
        return say("go away, to Far range")
    return say("go away, to Extreme range") if at == FAR else say("you are as far as can be")


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
