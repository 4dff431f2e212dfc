"""Doctrines that everybody has, which depend on the weapons of a ship."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.starpilot.bots import gun_of
from engine.starpilot.model import Battle, foes_of
from engine.starpilot.tables import BEAMS, FAR, MISSILES, NAMING, NEAR, RANGES, STATS


class _Gun(NamedTuple):
    """A weapon: the order that shoots it, its stat, and the range at which it does most."""

    shot: str
    stat: str
    range: int

    @property
    def gone(self) -> str:
        """The condition that it is shot away."""
        return f"{self.stat} <= 0"


_GUNS = (_Gun("FIRE", STATS[BEAMS].upper(), NEAR), _Gun("LAUNCH", STATS[MISSILES].upper(), FAR))


def doctrine(battle: Battle, name: str, which: str) -> Sequence[str]:
    """Return the standing orders that a doctrine of everybody's means for a pilot.

    All fight for the Advantage, and shoot. A sound pilot leaves when its weapons are gone, a bold
    one never does; a careful one also defends itself, and ejects before its ship is lost.
    """
    pilot = battle.pilots[name]
    best, _ = gun_of(pilot)
    owned = [g for g in _GUNS if pilot.card.ratings[STATS.index(g.stat.lower())] > 0]
    # The better weapon first, because the first rule that holds is followed.
    guns = sorted(owned, key=lambda gun: gun.shot != best)
    parts = {"sound": _sound, "bold": _fighting, "careful": _careful}
    rules = ["IF UNDETECTED: SCAN", *parts[which](guns)]
    foes = foes_of(battle, name).pilots
    if len(foes) > 1:
        rules[-1:-1] = _pursuit(guns)
    return [line for rule in rules for line in _named(rule, foes)]


def _pursuit(guns: Sequence[_Gun]) -> Iterator[str]:
    """Yield what to do with the Advantage over an opponent at Extreme range alone."""
    # ADVANTAGE and EXTREME can't name an opponent: neither a shot nor the duel's CLOSE fits there.
    # Who can't move waits behind its shields.
    for order in ("CLOSE", "PROTECT"):
        yield from (f"IF ADVANTAGE AND NOT {gun.gone}: {order}" for gun in guns)


def _named(rule: str, foes: Sequence[str]) -> Iterator[str]:
    """Yield a rule once, or where there are several opponents once for each whom it may name."""
    conditions, _, order = rule.rpartition(": ")
    if len(foes) == 1 or order not in NAMING:
        yield rule
        return
    for foe in foes[:-1]:
        # A sheet has one ELSE; for the others a condition that always holds does the same.
        yield f"{conditions.replace('ELSE', 'IF TURN >= 1')}: {order} {foe}"
    yield f"{rule} {foes[-1]}"


def _sound(guns: Sequence[_Gun]) -> Iterator[str]:
    yield from _leaving(guns)
    yield from _fighting(guns)


def _careful(guns: Sequence[_Gun]) -> Iterator[str]:
    yield "IF STRUCTURE <= 0 AND SHOT AT: EJECT"
    yield from _leaving(guns)
    yield "IF DISADVANTAGE AND FIRED ON: JINK"
    yield "IF DISADVANTAGE AND LAUNCHED AT: ECM"
    yield from _fighting(guns)


def _leaving(guns: Sequence[_Gun]) -> Iterator[str]:
    """Yield the ways out for a ship whose weapons are shot away."""
    unarmed = " AND ".join(gun.gone for gun in guns)
    yield f"IF {unarmed} AND EXTREME: ESCAPE"
    # A ship that can't OPEN never gets to Extreme, so it could not escape.
    yield f"IF {unarmed} AND SPEED <= 0: SURRENDER"
    yield f"IF {unarmed}: OPEN"


def _fighting(guns: Sequence[_Gun]) -> Iterator[str]:
    yield "IF EXTREME: CLOSE"
    for gun in guns:
        here = "" if len(guns) == 1 else f" AND {RANGES[gun.range].upper()}"
        yield f"IF ADVANTAGE{here}: {gun.shot}"
        yield f"IF LOCKED{here}: {gun.shot}"
    if len(guns) > 1:  # one of them is shot away, or the ship can't move to its range
        yield from (f"IF ADVANTAGE: {gun.shot}" for gun in guns)
    # Another range takes the opponent's Advantage away, and is often reached more easily.
    yield "IF DISADVANTAGE AND NEAR: OPEN"
    yield "IF DISADVANTAGE AND FAR: CLOSE"
    # An order that is refused is passed over, and SURRENDER never is: something is always possible.
    yield "IF NOT ADVANTAGE: DOGFIGHT"
    yield "IF NOT ADVANTAGE: TARGET"
    yield "ELSE: SURRENDER"
