"""Stations, the pilot's defences, surrender and jump (CX-21, CX-51 to CX-59)."""

from engine.cortex.events import Forwarded, Gone, Manned, Prompted, Signalled, Throw
from engine.cortex.legal import station_of
from engine.cortex.queries import weapon_of
from engine.cortex.refusal_tests import helped
from engine.cortex.tables import (
    AVERAGE,
    EVADE_DEFENCE,
    EVADING,
    GUIDED,
    HARD,
    HELP,
    MARGIN,
    SENSORS_DAMAGED,
)
from engine.cortex.turn_state import Deed, Turn, succeeds


def degree(throw: Throw, needed: int) -> int:
    """Return 0 for a botch, 1 for a failure, 2 for a success, 3 for an extraordinary one."""
    if throw.botch:
        return 0
    # The index of a degree in the tables HELP, GUIDED and EVADING (CX-51).
    return 1 + succeeds(throw, needed) + succeeds(throw, needed + MARGIN)


def surrender(play: Turn, deed: Deed) -> None:
    """Surrender with the whole unit (CX-21)."""
    for name in deed.members:
        play.record(Gone(name, "surrendered"))


def check_fire(play: Turn, deed: Deed) -> None:
    """Silence the unit's point defence for the turn (CX-47)."""
    play.record(Signalled(deed.unit, "check_fire"))
    for name in deed.members:
        play.doing[name].silent = True


def shield(play: Turn, deed: Deed) -> None:
    """Name the member that takes the wing's hits (CX-38)."""
    play.record(Signalled(deed.unit, "shield", deed.order.at))
    for name in deed.members:
        play.doing[name].shield = deed.order.at


def assist(play: Turn, deed: Deed) -> None:
    """Help a station or the gunners: for the next turn, or under the second draft for this."""
    station, to = str(station_of(deed.order)), str(deed.order.to)
    person = play.battle.sheets[deed.unit].crew[station]
    throw = play.throw(f"{deed.unit} {station}", person.attribute, person.skill, 0, person.trait)
    steps = HELP[degree(throw, HARD)]
    second = "crew2" in play.battle.options
    # The second draft knows no help for other vessels (CX-57).
    at = deed.pilot if second else helped(deed)
    play.record(Manned(deed.unit, "assist", station, at, to, HARD, throw, steps))
    doing = play.doing[deed.pilot]
    if second and to == "pilot":
        doing.helm += steps
    elif second:
        doing.gunnery += steps
    elif deed.order.at in (None, deed.unit):
        _prompt(play, at, to, steps)
    else:
        # Help for a vessel that is named, be it the wing's own worst pilot's, waits for comms to
        # forward it; a botched command too (CX-36, CX-53).
        play.commands.setdefault(deed.unit, []).append((at, to, steps))


def _prompt(play: Turn, name: str, to: str, steps: int) -> None:
    if steps:
        play.record(Prompted(name, to, steps))


def forward(play: Turn, deed: Deed) -> None:
    """Forward this turn's commands to other vessels, or lose them (CX-53)."""
    person = play.battle.sheets[deed.unit].crew["comms"]
    steps = play.doing[deed.unit].steps.get("comms", 0)
    throw = play.throw(f"{deed.unit} comms", person.attribute, person.skill, steps, person.trait)
    passed = succeeds(throw, AVERAGE)
    play.record(Forwarded(deed.unit, throw, passed))
    # Lost if the roll fails: they are not kept for the next turn (CX-53).
    commands = play.commands.pop(deed.unit, [])
    for command in commands if passed else ():
        _prompt(play, *command)


def _scan(play: Turn, name: str, station: str) -> Throw:
    """Throw a vessel's Alertness with the skill of the one who operates its sensors."""
    sheet, vessel = play.of(name)
    person = sheet.crew[station]
    steps = play.doing[name].steps.get(station, 0)
    if "sensors" in vessel.damaged:
        steps += SENSORS_DAMAGED
    return play.throw(f"{name} {station}", sheet.alertness, person.skill, steps, person.trait)


def sense(play: Turn, deed: Deed) -> None:
    """Guide the pilot's defence, or a weapon (CX-54)."""
    throw, to = _scan(play, deed.unit, "sensors"), str(deed.order.to)
    doing = play.doing[deed.pilot]
    steps = (HELP if to == "pilot" else GUIDED)[degree(throw, HARD)]
    if to == "pilot":
        doing.defence += steps
    else:
        doing.steps[to] = doing.steps.get(to, 0) + steps
    play.record(Manned(deed.unit, "sense", "sensors", deed.pilot, to, HARD, throw, steps))


def plot(play: Turn, deed: Deed) -> None:
    """Help the pilot and the gunners of this turn (CX-57)."""
    throw = _scan(play, deed.unit, "tactical")
    steps = HELP[degree(throw, HARD)]
    play.record(Manned(deed.unit, "plot", "tactical", deed.pilot, "", HARD, throw, steps))
    doing = play.doing[deed.pilot]
    doing.helm += steps
    doing.gunnery += steps


def defend(play: Turn, deed: Deed) -> None:
    """Defend with Agility + Pilot (CX-8, CX-55)."""
    play.record(Signalled(deed.unit, "defend"))
    for name in deed.members:
        play.doing[name].defends = True


def evade(play: Turn, deed: Deed) -> None:
    """Evade: a better defence, and worse attacks (CX-55, CX-59)."""
    if "crew1" in play.battle.options:
        play.record(Signalled(deed.unit, "evade"))
        for name in deed.members:
            doing = play.doing[name]
            # A better defence, paid for with the aim of all the vessel's weapons (CX-55).
            doing.defends = True
            doing.defence += EVADE_DEFENCE
            doing.gunnery -= 1
        return
    throw, steps = _manoeuvre(play, deed, EVADING)
    for name in deed.members:
        # Rolled once: the total is the defence against every attack of the turn (CX-8, CX-59).
        play.doing[name].dodge = throw.total
        play.doing[name].gunnery += steps


def press(play: Turn, deed: Deed) -> None:
    """Press the attack: better attacks, now or in the next turn (CX-55, CX-59)."""
    if "crew1" in play.battle.options:
        weapon = str(deed.order.weapon)
        play.record(Signalled(deed.unit, "press", weapon))
        for name in deed.members:
            # The price: the vessel is an EASY target in this turn (CX-55).
            play.doing[name].exposed = True
            if weapon_of(play.battle.sheets[name], weapon) is not None:
                _prompt(play, name, weapon, 1)
        return
    _, steps = _manoeuvre(play, deed, HELP)
    for name in deed.members:
        play.doing[name].gunnery += steps


_FLOWN = {"evade": "evades", "press": "presses"}
"""What receipts say that a die was rolled for, by the order."""


def _manoeuvre(play: Turn, deed: Deed, table: tuple[int, int, int, int]) -> tuple[Throw, int]:
    """Throw for a second-draft `evade` or `press` (CX-57 to CX-59)."""
    do = deed.order.do
    steps = play.doing[deed.pilot].helm - play.doing[deed.unit].actions
    throw = play.fly(deed.members, _FLOWN[do], steps)
    found = table[degree(throw, HARD)]
    play.record(Manned(deed.unit, do, "pilot", deed.pilot, "guns", HARD, throw, found))
    return throw, found


def jump(play: Turn, deed: Deed) -> None:
    """Make ready to jump at the end of the turn (CX-21)."""
    play.record(Signalled(deed.unit, "jump"))
    for name in deed.members:
        # Only at the end: until then the drive, or the vessel, may still be hit (CX-21).
        play.doing[name].jumping = True
