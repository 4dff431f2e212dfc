"""Who plays for a seat without a player: cautious orders, and bots of three strengths."""

from collections.abc import Callable, Iterable, Mapping

from engine.dice import Dice
from engine.i18n import say
from engine.seats import Seat
from engine.starpilot.duel_solver import ACTS, Fighter, Position, ranking
from engine.starpilot.legal import orders
from engine.starpilot.model import Battle, Order, Pilot, holds_lock, opponents, pair_of
from engine.starpilot.tables import (
    BEAMS,
    ELECTRONICS,
    EXTREME,
    FAR,
    LEAVING,
    MANEUVER,
    MISSILES,
    NEAR,
    SKILL_STAT,
)
from engine.starpilot.winning_chance import life

_PREFERRED = (
    *("SCAN", "TARGET", "OPEN", "DOGFIGHT", "CLOSE"),
    *("LAUNCH", "FIRE", "EJECT", "ESCAPE", "HOLD"),
)
"""The orders of a pilot without any defence left: the first that is legal."""


def cautious(battle: Battle, name: str) -> Order:
    """Return the order for a pilot whose player is silent.

    It defends itself against the shots and locks on it, scans if it has found nobody, and otherwise
    chooses its best defence. Only a ship without any of these does something else, and none
    surrenders.
    """
    # Reversed, so that of several targets the first in set-up order is kept.
    legal = {order.command: order for order in reversed(orders(battle, name))}
    skills = battle.pilots[name].card.skills
    guards = [command for command in _answers(battle, name) if command in legal]
    if guards:
        # By name where skills are equal, so that the choice is the same everywhere.
        return legal[max(guards, key=lambda command: (skills[command], command))]
    return next(legal[command] for command in _PREFERRED if command in legal)


def _answers(battle: Battle, name: str) -> tuple[str, ...]:
    """Return the defences that stop what is on the pilot, or all of them."""
    weapons = {s.weapon for s in battle.shots if s.at == name}
    if weapons == {"fire"}:
        return ("JINK", "PROTECT")
    if weapons == {"launch"}:
        return ("ECM", "PROTECT")
    # Shots of both kinds: only PROTECT stops them all (SP-21).
    if weapons:
        return ("PROTECT", "JINK", "ECM")
    if any(k.on == name for k in battle.locks):
        # PROTECT stops no lock (SP-21).
        return ("ECM", "JINK")
    return ("PROTECT", "JINK", "ECM")


_WHIM = 3
"""An easy bot does anything that comes to mind in one turn of this many."""


def easy(battle: Battle, name: Seat, dice: Dice) -> Order:
    """Return a beginner's order: fight for the Advantage at any range, and often do
    just anything."""
    anything = [order for order in orders(battle, name) if order.command not in LEAVING]
    if anything and dice.roll(_WHIM, "whim") == 1:
        return anything[dice.roll(len(anything), "anything") - 1]
    wishes = ("FIRE", "LAUNCH", *_approach(battle, name), "DOGFIGHT", "TARGET")
    return _first(battle, name, leaving(battle, name) or wishes)


def sound(battle: Battle, name: Seat, dice: Dice) -> Order:
    """Return the order of good standing orders: get to the weapon's range, the Advantage, and
    shoot."""
    return _first(battle, name, leaving(battle, name) or _sound(battle, name))


def why(battle: Battle, name: Seat, order: Order) -> str:
    """Return in at most five words why a sound bot gives an order."""
    if order.command in leaving(battle, name):
        return say("nothing left to fight with")
    if order.command in _sound(battle, name):
        return _WHY[order.command]
    if order.command == "SCAN":
        return say("nobody is found yet")
    threatened = any(one.at == name for one in battle.shots)
    threatened = threatened or any(one.on == name for one in battle.locks)
    return say("it stops what threatens") if threatened else say("nothing better is possible")


_WHY = {
    "FIRE": say("a shot is possible now"),
    "LAUNCH": say("a shot is possible now"),
    "CLOSE": say("the best weapon needs it"),
    "OPEN": say("the best weapon needs it"),
    "DOGFIGHT": say("the Advantage allows a shot"),
    "TARGET": say("a lock allows a shot"),
}


def sharp(battle: Battle, name: Seat, dice: Dice) -> Order:
    """Return the best order by the solved game of positions."""
    return _first(battle, name, leaving(battle, name) or _sharp(battle, name))


BY_STRENGTH: Mapping[str, Callable[[Battle, Seat, Dice], Order]] = {
    "easy": easy,
    "sound": sound,
    "sharp": sharp,
}


def cost(battle: Battle, strength: str) -> int:
    """Return about what an order of a bot costs at most, in units of a Budget."""
    # A sharp bot costs much when it has to solve the positions of a new pair of ships.
    return 2000 if strength == "sharp" else 100 + 15 * len(battle.pilots)


def _first(battle: Battle, name: Seat, wishes: Iterable[str]) -> Order:
    """Return the first wish that is legal, or else the cautious order."""
    # In a fight of many, orders name their opponent; against one they do not.
    foe = _foe(battle, name)
    legal = {o.command: o for o in orders(battle, name) if o.at in (None, foe)}
    wish = next((wish for wish in wishes if wish in legal), None)
    return cautious(battle, name) if wish is None else legal[wish]


def _foe(battle: Battle, name: Seat) -> Seat:
    """Return whom to fight: one that can be shot at, else the one that takes the fewest hits."""
    foes = opponents(battle, name)
    if len(foes) == 1:
        return foes[0]
    # Only a pilot that was found can be shot at (SP-12).
    found = [foe for foe in foes if foe in battle.pilots[name].found]
    return min(found or foes, key=lambda foe: _interest(battle, name, foe))


def _interest(battle: Battle, name: Seat, foe: Seat) -> tuple[bool, bool, float]:
    held = pair_of(battle, name, foe).advantage == name
    return not holds_lock(battle, name, foe), not held, life(battle.pilots[foe].stats)


def leaving(battle: Battle, name: Seat) -> tuple[str, ...]:
    """Return the ways out for a pilot that can no longer harm anybody, otherwise nothing."""
    pilot = battle.pilots[name]
    if _armed(pilot) and (_may_aim(pilot) or _has_aim(battle, name)):
        return ()
    return ("ESCAPE", "OPEN" if pilot.found else "SCAN", "SURRENDER")


def _armed(pilot: Pilot) -> bool:
    return pilot.stats[BEAMS] > 0 or pilot.stats[MISSILES] > 0


def _may_aim(pilot: Pilot) -> bool:
    return pilot.stats[MANEUVER] > 0 or pilot.stats[ELECTRONICS] > 0


def _has_aim(battle: Battle, name: Seat) -> bool:
    return pair_of(battle, name, _foe(battle, name)).advantage == name


def _approach(battle: Battle, name: Seat) -> tuple[str, ...]:
    """Return the way back from Extreme, where nobody can shoot."""
    return ("CLOSE",) if pair_of(battle, name, _foe(battle, name)).range == EXTREME else ()


def _sound(battle: Battle, name: Seat) -> tuple[str, ...]:
    gun, best = gun_of(battle.pilots[name])
    distance = pair_of(battle, name, _foe(battle, name)).range
    move = () if best == distance else ("CLOSE" if best < distance else "OPEN",)
    return (gun, *move, "DOGFIGHT", "TARGET")


def gun_of(pilot: Pilot) -> tuple[str, int]:
    """Return the weapon that does most harm, and its range."""
    skills, ratings = pilot.card.skills, pilot.card.ratings
    beams = (pilot.stats[BEAMS] > 0) * ratings[BEAMS] * skills["FIRE"]
    missiles = (pilot.stats[MISSILES] > 0) * ratings[MISSILES] * skills["LAUNCH"]
    return ("FIRE", NEAR) if beams >= missiles else ("LAUNCH", FAR)


def _sharp(battle: Battle, name: Seat) -> list[str]:
    foe = _foe(battle, name)
    one, other = fighter_of(battle.pilots[name]), fighter_of(battle.pilots[foe])
    return ranking(one, other, position_of(battle, name, foe))


def fighter_of(pilot: Pilot) -> Fighter:
    """Return what counts of a ship; hits are rounded, so that more fights share a solution."""
    skills, stats, ratings = pilot.card.skills, pilot.stats, pilot.card.ratings
    chances = tuple(skills[act] if stats[SKILL_STAT[act]] > 0 else 0 for act in ACTS)
    return Fighter(chances, ratings[BEAMS], ratings[MISSILES], round(life(stats)))


def position_of(battle: Battle, name: Seat, foe: Seat) -> Position:
    """Return the position of a pilot to move, as compared with an opponent."""
    pair = pair_of(battle, name, foe)
    return Position(
        range=pair.range,
        advantage=(pair.advantage == name) - (pair.advantage == foe),
        lock=holds_lock(battle, name, foe),
        locked=any(lock.by == foe and lock.on == name for lock in battle.locks),
        incoming=next((shot.weapon for shot in battle.shots if shot.at == name), ""),
    )
