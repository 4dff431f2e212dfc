"""What a pilot may do: why an order is refused or useless, and the orders that a letter offers."""

from functools import lru_cache

from engine.i18n import Said, say
from engine.ruleset import LegalOrder
from engine.starpilot.model import (
    Battle,
    Order,
    Pilot,
    at_edge,
    holds_lock,
    mates,
    may_move,
    opponents,
    pair_of,
)
from engine.starpilot.tables import (
    AT_ONE,
    COMMANDS,
    EXTREME,
    LOCK_BONUS,
    NAMING,
    SHOOTING,
    SKILL_STAT,
    STATS,
    ejection_chance,
)

REASONS = {
    "over": say("the battle is over"),
    "unknown pilot": say("no such pilot is in this battle"),
    "out of the battle": say("the pilot is out of the battle"),
    "not your turn": say("it is not the pilot's turn"),
    "unknown command": say("there is no such command"),
    "undetected": say("no opponent has been found yet; SCAN first"),
    "bad target": say("it takes an opponent who is in the battle, and found"),
    "disabled": say("the stat it needs is shot away"),
    "extreme": say("nobody shoots at Extreme range"),
    "disadvantage": say("the opponent has the Advantage"),
    "no lock": say("without the Advantage it takes a TARGET lock from the turn before"),
    "not at extreme": say(
        "ESCAPE is for a pilot that begins its turn at Extreme to every opponent"
    ),
    "nothing to escape": say("EJECT is for a pilot with a shot in flight or a lock on it"),
    "can act": say("HOLD is for a pilot that can do nothing else"),
}
"""The reason codes of refused orders, in the order in which they are tested, each in words."""


_PLAIN = {command: Order(command) for command in COMMANDS}


def target(battle: Battle, name: str, order: Order) -> str | None:
    """Return the opponent that an order is for: the one it names, or the only one; else None.

    One against one a SURRENDER names nobody, so what it names is ignored (SP-25, SP-28).
    """
    # What such a command names is ignored (scenario format).
    if order.command not in NAMING:
        return None
    foes = opponents(battle, name)
    if order.command == "SURRENDER" and len(foes) == len(mates(battle, name)) == 1:
        return foes[0]
    if order.at is not None:
        return order.at
    return foes[0] if len(foes) == 1 else None


def refusal(battle: Battle, name: str, order: Order) -> str | None:
    """Return the reason code why an order is not legal now, or None if it is (SP-11 to SP-28b)."""
    if battle.over:
        return "over"
    pilot = battle.pilots.get(name)
    if pilot is None:
        return "unknown pilot"
    if pilot.fate != "active":
        return "out of the battle"
    if not may_move(battle, name):
        return "not your turn"
    if order.command not in COMMANDS:
        return "unknown command"
    return _refused_command(battle, pilot, order)


def _refused_command(battle: Battle, pilot: Pilot, order: Order) -> str | None:
    command = order.command
    if command in SKILL_STAT:
        return _refused_skill(battle, pilot, order)
    if command == "SURRENDER":
        # A captor need not have been found (SP-12).
        captor = target(battle, pilot.card.name, order)
        return None if captor in opponents(battle, pilot.card.name) else "bad target"
    if command == "ESCAPE":
        return None if at_edge(battle, pilot.card.name) else "not at extreme"
    if command == "EJECT":
        return _refused_eject(battle, pilot)
    # HOLD is the last command left. It is never `undetected`, even for a blind pilot (SP-28b).
    return "can act" if can_act(battle, pilot.card.name) else None


def _refused_skill(battle: Battle, pilot: Pilot, order: Order) -> str | None:
    command, name = order.command, pilot.card.name
    if not pilot.found and command != "SCAN":
        return "undetected"
    foe = None
    if command in AT_ONE:
        foe = target(battle, name, order)
        # An opponent that was found may have left the battle since.
        if foe not in pilot.found or foe not in opponents(battle, name):
            return "bad target"
    # After the target, since the reasons are tested in the order of REASONS.
    if pilot.stats[SKILL_STAT[command]] <= 0:
        return "disabled"
    return _refused_shot(battle, name, foe) if foe and command in SHOOTING else None


def _refused_shot(battle: Battle, name: str, foe: str) -> str | None:
    pair = pair_of(battle, name, foe)
    if pair.range == EXTREME:
        return "extreme"
    if pair.advantage == foe:
        return "disadvantage"
    if pair.advantage is None and not holds_lock(battle, name, foe):
        return "no lock"
    return None


def _refused_eject(battle: Battle, pilot: Pilot) -> str | None:
    if not pilot.found:
        return "undetected"
    name = pilot.card.name
    return None if threats(battle, name) else "nothing to escape"


def threats(battle: Battle, name: str) -> list[str]:
    """Return who has shots in flight at a pilot, then who has locks on it, oldest first (SP-22)."""
    shooters = [shot.by for shot in battle.shots if shot.at == name]
    # Both are kept in order of age; any shot goes before any lock (SP-22).
    return shooters + [lock.by for lock in battle.locks if lock.on == name]


def can_act(battle: Battle, name: str) -> bool:
    """Return whether a pilot has a legal order other than SURRENDER and HOLD (SP-28b)."""
    return bool(_acts(battle, name))


def _acts(battle: Battle, name: str) -> list[Order]:
    """Return the legal orders other than SURRENDER and HOLD of a pilot whose turn it is."""
    pilot = battle.pilots[name]
    # Built directly, not by asking `refusal` of every order: this is asked in each step of a trial.
    acts = _skilled(battle, pilot) if pilot.found else _blind(pilot)
    if at_edge(battle, name):
        acts.append(_PLAIN["ESCAPE"])
    if _refused_eject(battle, pilot) is None:
        acts.append(_PLAIN["EJECT"])
    return acts


def _blind(pilot: Pilot) -> list[Order]:
    """Return what a pilot can do that has found nobody (SP-12)."""
    return [_PLAIN["SCAN"]] if pilot.stats[SKILL_STAT["SCAN"]] > 0 else []


def _skilled(battle: Battle, pilot: Pilot) -> list[Order]:
    """Return a pilot's legal orders among the ten commands that take a skill."""
    name, acts = pilot.card.name, []
    foes = opponents(battle, name)
    found = [foe for foe in foes if foe in pilot.found]
    for command, stat in SKILL_STAT.items():
        if pilot.stats[stat] <= 0:
            continue
        if command not in AT_ONE:
            acts.append(_PLAIN[command])
            continue
        for foe in found:
            if command not in SHOOTING or _refused_shot(battle, name, foe) is None:
                acts.append(_PLAIN[command] if len(foes) == 1 else Order(command, foe))
    return acts


def orders(battle: Battle, name: str) -> list[Order]:
    """Return every legal order of a pilot; an opponent is named only where there are several."""
    if not may_move(battle, name):
        return []
    found = _acts(battle, name)
    foes = opponents(battle, name)
    if not found:
        found.append(_PLAIN["HOLD"])
    if len(foes) == 1:
        return [*found, _PLAIN["SURRENDER"]]
    return [*found, *(Order("SURRENDER", captor) for captor in foes)]


def forced(battle: Battle, name: str) -> Order | None:
    """Return the only order that a pilot has besides SURRENDER, None where it has a choice.

    To give up is a choice only for a pilot that is under fire, or can do nothing else.
    """
    if not may_move(battle, name) or threats(battle, name):
        return None
    acts = _acts(battle, name)
    return acts[0] if len(acts) == 1 else None


def chance(battle: Battle, name: str, order: Order) -> int | None:
    """Return an order's chance in percent, at most 100; None where no die is rolled."""
    pilot = battle.pilots[name]
    if order.command == "EJECT":
        return ejection_chance(pilot.card.rank)
    skill = pilot.card.skills.get(order.command)
    if skill is not None and battle.locks and order.command in SHOOTING:
        foe = target(battle, name, order)
        if foe is not None and holds_lock(battle, name, foe):
            skill += LOCK_BONUS
    # Capped last: the bonus of a lock is added before (docs/rulings.md, SP-5).
    return 100 if skill is not None and skill > 100 else skill


def legal(battle: Battle, name: str) -> list[LegalOrder[Order]]:
    """Return a pilot's legal orders, each with its chance in percent."""
    return [_offer(o.command, o.at, chance(battle, name, o)) for o in orders(battle, name)]


@lru_cache(maxsize=4096)
def _offer(command: str, at: str | None, percent: int | None) -> LegalOrder[Order]:
    """Return an offer; equal offers share one cached value."""
    return LegalOrder(Order(command, at), percent)


def without(pilot: Pilot, command: str) -> Said:
    """Return why a pilot's ship can't use a command any more, or never could."""
    place = SKILL_STAT[command]
    stat = say(STATS[place].capitalize())
    if pilot.card.ratings[place]:
        return say("the stat {stat} is shot away", stat=stat)
    return say("this ship has no {stat}", stat=stat)


def vain(battle: Battle, name: str, order: Order) -> str | None:
    """Return why an order can do nothing any more in this battle, or None."""
    pilot = battle.pilots[name]
    if pilot.fate != "active":
        return None
    foes = opponents(battle, name)
    if order.command in NAMING and order.at is not None and order.at not in foes:
        return say("{foe} is out of the battle", foe=order.at)
    if order.command in SKILL_STAT and pilot.stats[SKILL_STAT[order.command]] <= 0:
        return without(pilot, order.command)
    if order.command == "SCAN" and pilot.found >= set(foes):
        return say("nobody is left to find")
    return None
