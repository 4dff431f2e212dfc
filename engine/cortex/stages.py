"""The stages of a turn, in the order of CX-17."""

from collections.abc import Callable, Mapping, Sequence

from engine.cortex import attacks, bombard, crew, flight, missiles
from engine.cortex.attack_events import (
    Attacked,
    Detected,
    GunsLost,
    Launched,
    MissileFlew,
    MissileGone,
    PointDefended,
    Shelled,
    Struck,
)
from engine.cortex.attacks import point_defence
from engine.cortex.damage import land
from engine.cortex.events import (
    Avoided,
    Began,
    Closed,
    Defaulted,
    Ended,
    Gone,
    Positioned,
    Refused,
    Throw,
)
from engine.cortex.flight import obstacles, ram, strafe
from engine.cortex.legal import (
    ACTIONS,
    COURSES,
    KNOWN,
    NEAR_FLIGHT,
    SPOT,
    WING_FLIGHT,
    is_full_turn,
    is_pilots,
    spotters_refusal,
    station_of,
    vessels_refusal,
)
from engine.cortex.model import Advantage, Battle, Members, Order
from engine.cortex.queries import (
    active_in,
    band,
    everybody,
    is_active,
    is_immobile,
    leaders,
    pair,
    seat_of,
    unit_of,
    worst_pilot,
)
from engine.cortex.refusal_tests import has_drive, own_refusal, spot_refusal
from engine.cortex.tables import MARGIN, PERSONAL, SKIRMISH, SPACECRAFT
from engine.cortex.turn_state import Deed, Doing, Hit, Turn
from engine.events import Event

Given = Mapping[str, tuple[Order, ...]]
Agenda = Sequence[Mapping[str, Sequence[Order]]]


def play_turn(play: Turn) -> None:
    """Play a turn by the orders on file."""
    battle = play.battle
    given = battle.orders
    # What was won for this turn in the last one counts now (CX-52, CX-55).
    play.doing = {name: Doing(steps=dict(vessel.next)) for name, vessel in battle.vessels.items()}
    play.opened = battle.ranges
    play.record(Closed(battle.turn + 1))
    # An order that nobody knows has no moment of its own, so it is refused first of all (CX-17).
    for name, orders in given.items():
        for order in orders:
            if order.do not in KNOWN:
                _refuse(play, name, order, "unknown order")
    # Before the first stage, so that these units defend from the beginning (CX-18).
    _default(play, given)
    _begin(play)
    agenda = _agenda(battle, given)
    _prepare(play, agenda, given)
    _fly(play, agenda)
    _act(play, agenda)
    missiles.fly_missiles(play)
    _finish(play)


def play_alone(play: Turn, name: str, orders: Sequence[Order]) -> None:
    """Carry out a unit's orders of a turn, as if nobody else had any.

    Who is shot at defends (CX-18).
    """
    own = unit_of(play.battle, name) if name in play.battle.sheets else ()
    if own and not orders:
        _defend(play, own[0])
    for order in orders:
        if name in play.battle.spotters:
            _spot(play, name, order)
            continue
        if order.at in play.battle.sheets and order.at not in own:
            _defend(play, unit_of(play.battle, order.at)[0])
        _carry_out(play, name, (order,))
        # A shot behind a course needs the range that it leads to.
        if order.do in ("close", "open"):
            flight.change_ranges(play)


def _refuse(play: Turn, name: str, order: Order, reason: str) -> None:
    seat = seat_of(play.battle, name)
    assert seat is not None
    play.record(Refused(seat, name, order.do, order.index, reason))


def _default(play: Turn, given: Given) -> None:
    """Let units without orders defend (CX-18)."""
    for name in leaders(play.battle):
        # Any order counts, even one that is refused later: the player was there (CX-18).
        if not given.get(name):
            _defend(play, name)


def _defend(play: Turn, name: str) -> None:
    """Let a unit without orders defend, where it can."""
    battle, members = play.battle, unit_of(play.battle, name)
    immobile = is_immobile(battle, members)
    if immobile or (battle.sheets[name].scale == SPACECRAFT and "crew2" in battle.options):
        return
    play.record(Defaulted(name))
    for member in members:
        play.doing[member].defends = True
        play.doing[member].given.add("defend")


def _begin(play: Turn) -> None:
    """Roll for Advantage and initiative (CX-23, CX-24)."""
    battle = play.battle
    fights = _dogfights(battle)
    throws = dict[str, Throw]()
    for name in leaders(battle):
        # A unit throws once: all its members have what its worst pilot got.
        members = unit_of(battle, name)
        dogfight = name in fights
        throws[name] = _contend(play, members) if dogfight else _react(play, members)
        play.record(Began(name, worst_pilot(battle, members), dogfight, throws[name]))
        for member in members:
            play.initiative[member] = throws[name].total
    advantages = dict[str, Advantage]()
    for name in active_in(battle, 0):
        if name in fights:
            for foe in fights[name]:
                advantages |= _advantages(battle, throws, name, foe)
    # No event is needed where nobody had it and nobody has it.
    if advantages or battle.advantages:
        play.record(Positioned(advantages))


def _dogfights(battle: Battle) -> dict[str, list[str]]:
    """Return the leaders of units in dogfights, each with those of the units it fights."""
    if "dogfighting" not in battle.options:
        return {}
    fit: tuple[list[str], list[str]] = ([], [])
    for name in leaders(battle):
        sheet = battle.sheets[name]
        # Persons and wrecks fight no dogfights, but may be fired at (CX-23).
        if sheet.scale != PERSONAL and not is_immobile(battle, unit_of(battle, name)):
            fit[sheet.team].append(name)
    found = dict[str, list[str]]()
    for name in fit[0]:
        scale = battle.sheets[name].scale
        for foe in fit[1]:
            if battle.sheets[foe].scale == scale and band(battle, name, foe) == SKIRMISH:
                found.setdefault(name, []).append(foe)
                found.setdefault(foe, []).append(name)
    return found


def _contend(play: Turn, members: Members) -> Throw:
    """Throw a unit's roll for Advantage; to have held it helps (CX-23)."""
    name = worst_pilot(play.battle, members)
    # One step, however many enemies it has Advantage over (CX-23).
    held = any(one.holder == name for one in play.battle.advantages.values())
    return play.fly(members, "Advantage", steps=int(held), trait=True)


def _react(play: Turn, members: Members) -> Throw:
    name = worst_pilot(play.battle, members)
    sheet = play.battle.sheets[name]
    return play.throw(f"{name} initiative", sheet.agility, sheet.alertness)


def _advantages(
    battle: Battle, throws: Mapping[str, Throw], one: str, other: str
) -> dict[str, Advantage]:
    """Return who has Advantage among the vessels of two units (CX-24)."""
    won, lost = one, other
    if throws[one].total < throws[other].total:
        won, lost = other, one
    margin = throws[won].total - throws[lost].total
    if not margin:
        return {}
    # In opposed rolls a botch does not lose by itself; it doubles what the winner has (CX-4,
    # CX-24).
    steps = 2 if margin >= MARGIN or throws[lost].botch else 1
    return {
        pair(battle, holder, under): Advantage(holder, steps)
        for holder in unit_of(battle, won)
        for under in unit_of(battle, lost)
    }


def _agenda(battle: Battle, given: Given) -> Agenda:
    """Return the orders that are due at each moment, vessels in setup order (CX-17)."""
    agenda: list[dict[str, list[Order]]] = [{} for _ in range(ACTIONS + 1)]
    for name in everybody(battle):
        for order in given.get(name, ()):
            if order.do in KNOWN:
                agenda[KNOWN[order.do]].setdefault(name, []).append(order)
    return agenda


def _prepare(play: Turn, agenda: Agenda, given: Given) -> None:
    """Carry out what each vessel's crew does before it flies, then what spotters do."""
    # Vessel by vessel, because an assist has to come before the roll that it helps (CX-17).
    for name in everybody(play.battle):
        for due in agenda[:SPOT]:
            if name in due:
                _carry_out(play, name, due[name])
    _carry_out_all(play, agenda[SPOT])
    for name in play.battle.spotters:
        for order in given.get(name, ()):
            if order.do in KNOWN:
                _spot(play, name, order)


def _spot(play: Turn, name: str, order: Order) -> None:
    reason = spotters_refusal(play, name, order.do) or spot_refusal(play, name, order.at)
    if reason is None:
        bombard.spot(play, name, order)
    else:
        _refuse(play, name, order, reason)


def _fly(play: Turn, agenda: Agenda) -> None:
    """Let units fly, and what they meet strike (CX-17)."""
    for moment in WING_FLIGHT:
        _carry_out_all(play, agenda[moment])
    # After all courses, since the wishes of both sides are set against each other (CX-20).
    flight.change_ranges(play)
    obstacles(play)
    # Before rams and strafing runs: a unit shot down on its way in makes neither (CX-17).
    point_defence(play)
    _carry_out_all(play, agenda[NEAR_FLIGHT])


def _act(play: Turn, agenda: Agenda) -> None:
    """Let vessels act by initiative; hits wait for all of the same one (CX-19)."""
    acting = dict[int, list[str]]()
    due = agenda[ACTIONS]
    for name in due:
        # Of the unit it was in at stage 1: to leave a wing later changes nothing (CX-17).
        acting.setdefault(play.initiative.get(name, 0), []).append(name)
    for initiative in sorted(acting, reverse=True):
        hits: list[Hit] = []
        play.hits = hits
        for name in acting[initiative]:
            _carry_out(play, name, due[name])
        play.hits = None
        for hit in hits:
            land(play, hit)


def _carry_out_all(play: Turn, due: Mapping[str, Sequence[Order]]) -> None:
    for name, orders in due.items():
        _carry_out(play, name, orders)


def _carry_out(play: Turn, name: str, orders: Sequence[Order]) -> None:
    """Carry out or refuse orders of a vessel whose time has come."""
    for order in orders:
        # Asked again for each order: an earlier one may have changed who flies in the wing.
        members = unit_of(play.battle, name)
        deed = Deed(name, order, members, worst_pilot(play.battle, members))
        reason = vessels_refusal(play, deed) or own_refusal(play, deed)
        if reason is not None:
            _refuse(play, name, order, reason)
        else:
            # What a wing has flown holds for each member that was in it, if it leaves later
            # (CX-35).
            if order.do in COURSES:
                for member in members:
                    play.doing[member].course = order.do
            _DO[order.do](play, deed)
            _note(play, deed)


def _note(play: Turn, deed: Deed) -> None:
    """Note an order as given, for those that come after it (CX-15)."""
    doing, order = play.doing[deed.unit], deed.order
    station = station_of(order)
    if station is not None:
        doing.stations.add(station)
    if is_pilots(play.battle, deed.unit, order.do):
        # A wing's actions are those of its leader (CX-15).
        doing.actions += 1
        doing.full = doing.full or is_full_turn(play.battle, order.do)
    for member in deed.members:
        play.doing[member].given.add(order.do)


def _finish(play: Turn) -> None:
    """Let vessels jump, find spotters, and end the turn (CX-21, CX-22, CX-72)."""
    for name in everybody(play.battle):
        battle = play.battle
        # The drive may have been hit since the jump was ordered.
        if play.doing[name].jumping and is_active(battle, name) and has_drive(battle, name):
            play.record(Gone(name, "jumped"))
    for name in play.battle.spotters:
        if name in play.spots and not play.battle.spotters[name].detected:
            play.record(Detected(name))
    battle = play.battle
    over, winner = standing(battle)
    # The league ends battles in which nothing happens; replays do not (CX-22).
    kinds = set(map(type, play.events))
    still = battle.still + 1 if kinds.isdisjoint(_HARMFUL) else 0
    harmed = not kinds.isdisjoint(_LOSSES) or (Struck in kinds and any(map(_hurts, play.events)))
    harmless = 0 if harmed else battle.harmless + 1
    play.record(Ended(battle.turn + 1, over, winner, still, harmless))


def standing(battle: Battle) -> tuple[bool, str | None]:
    """Return whether a battle is over, and the only team that has an active vessel (CX-22)."""
    left = [team.name for number, team in enumerate(battle.teams) if active_in(battle, number)]
    over = len(left) < len(battle.teams)
    return over, left[0] if over and left else None


_HARMFUL = frozenset({Attacked, Avoided, Launched, MissileFlew, MissileGone, PointDefended, Struck})
"""What happens where somebody tries to do harm, or meets what might."""
_LOSSES = frozenset({Gone, GunsLost, Shelled})
"""What leaves somebody or something with less; a hit does where armour has not stopped it all."""


def _hurts(event: Event) -> bool:
    return isinstance(event, Struck) and (event.stun > 0 or event.wound > 0)


_DO: Mapping[str, Callable[[Turn, Deed], None]] = {
    "surrender": crew.surrender,
    "check_fire": crew.check_fire,
    "shield": crew.shield,
    "assist": crew.assist,
    "forward": crew.forward,
    "sense": crew.sense,
    "plot": crew.plot,
    "defend": crew.defend,
    "evade": crew.evade,
    "press": crew.press,
    "jump": crew.jump,
    "leave": flight.leave,
    "join": flight.join,
    "withdraw": flight.withdraw,
    "close": flight.steer,
    "open": flight.steer,
    "ram": ram,
    "strafe": strafe,
    "fire": attacks.fire,
    "aim": attacks.aim,
    "lock": missiles.lock,
    "launch": missiles.launch,
    "intercept": missiles.intercept,
    "outfly": missiles.outfly,
    "trick": missiles.trick,
    "bombard": bombard.bombard,
}
