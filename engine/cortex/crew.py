"""Stations, the pilot's defences, surrender and jump (CX-21, CX-51 to CX-59)."""

from engine.cortex.events import Forwarded, Gone, Manned, Prompted, Signalled, Throw
from engine.cortex.legal import station_of
from engine.cortex.play import Deed, Telling, succeeds
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
from engine.cortex.units import weapon_of


def degree(throw: Throw, needed: int) -> int:
    """Return 0 for a botch, 1 for a failure, 2 for a success, 3 for an extraordinary one."""
    if throw.botch:
        return 0
    return 1 + succeeds(throw, needed) + succeeds(throw, needed + MARGIN)


def surrender(telling: Telling, deed: Deed) -> None:
    """Surrender with the whole unit (CX-21)."""
    for name in deed.members:
        telling.tell(Gone(name, "surrendered"))


def check_fire(telling: Telling, deed: Deed) -> None:
    """Silence the unit's point defence for the turn (CX-47)."""
    telling.tell(Signalled(deed.unit, "check_fire"))
    for name in deed.members:
        telling.doing[name].silent = True


def shield(telling: Telling, deed: Deed) -> None:
    """Name the member that takes the wing's hits (CX-38)."""
    telling.tell(Signalled(deed.unit, "shield", deed.order.at))
    for name in deed.members:
        telling.doing[name].shield = deed.order.at


def assist(telling: Telling, deed: Deed) -> None:
    """Help a station or the gunners: for the next turn, or under the second draft for this."""
    station, to = str(station_of(deed.order)), str(deed.order.to)
    person = telling.battle.sheets[deed.unit].crew[station]
    throw = telling.throw(f"{deed.unit} {station}", person.attribute, person.skill, 0, person.trait)
    steps = HELP[degree(throw, HARD)]
    second = "crew2" in telling.battle.options
    at = deed.pilot if second or deed.order.at is None else deed.order.at
    telling.tell(Manned(deed.unit, "assist", station, at, to, HARD, throw, steps))
    doing = telling.doing[deed.pilot]
    if second and to == "pilot":
        doing.helm += steps
    elif second:
        doing.gunnery += steps
    elif at in (deed.unit, deed.pilot):
        _prompt(telling, at, to, steps)
    else:
        telling.commands.setdefault(deed.unit, []).append((at, to, steps))


def _prompt(telling: Telling, name: str, to: str, steps: int) -> None:
    if steps:
        telling.tell(Prompted(name, to, steps))


def forward(telling: Telling, deed: Deed) -> None:
    """Forward this turn's commands to other vessels, or lose them (CX-53)."""
    person = telling.battle.sheets[deed.unit].crew["comms"]
    steps = telling.doing[deed.unit].steps.get("comms", 0)
    throw = telling.throw(f"{deed.unit} comms", person.attribute, person.skill, steps, person.trait)
    passed = succeeds(throw, AVERAGE)
    telling.tell(Forwarded(deed.unit, throw, passed))
    commands = telling.commands.pop(deed.unit, [])
    for command in commands if passed else ():
        _prompt(telling, *command)


def _scan(telling: Telling, name: str, station: str) -> Throw:
    """Throw a vessel's Alertness with the skill of whoever operates its sensors."""
    sheet, vessel = telling.of(name)
    person = sheet.crew[station]
    steps = telling.doing[name].steps.get(station, 0)
    if "sensors" in vessel.damaged:
        steps += SENSORS_DAMAGED
    return telling.throw(f"{name} {station}", sheet.alertness, person.skill, steps, person.trait)


def sense(telling: Telling, deed: Deed) -> None:
    """Guide the pilot's defence, or a weapon (CX-54)."""
    throw, to = _scan(telling, deed.unit, "sensors"), str(deed.order.to)
    doing = telling.doing[deed.pilot]
    steps = (HELP if to == "pilot" else GUIDED)[degree(throw, HARD)]
    if to == "pilot":
        doing.defence += steps
    else:
        doing.steps[to] = doing.steps.get(to, 0) + steps
    telling.tell(Manned(deed.unit, "sense", "sensors", deed.pilot, to, HARD, throw, steps))


def plot(telling: Telling, deed: Deed) -> None:
    """Help the pilot and the gunners of this turn (CX-57)."""
    throw = _scan(telling, deed.unit, "tactical")
    steps = HELP[degree(throw, HARD)]
    telling.tell(Manned(deed.unit, "plot", "tactical", deed.pilot, "", HARD, throw, steps))
    doing = telling.doing[deed.pilot]
    doing.helm += steps
    doing.gunnery += steps


def defend(telling: Telling, deed: Deed) -> None:
    """Defend with Agility + Pilot (CX-8, CX-55)."""
    telling.tell(Signalled(deed.unit, "defend"))
    for name in deed.members:
        telling.doing[name].defends = True


def evade(telling: Telling, deed: Deed) -> None:
    """Evade: a better defence, and worse attacks (CX-55, CX-59)."""
    if "crew1" in telling.battle.options:
        telling.tell(Signalled(deed.unit, "evade"))
        for name in deed.members:
            doing = telling.doing[name]
            doing.defends = True
            doing.defence += EVADE_DEFENCE
            doing.gunnery -= 1
        return
    throw, steps = _manoeuvre(telling, deed, EVADING)
    for name in deed.members:
        telling.doing[name].dodge = throw.total
        telling.doing[name].gunnery += steps


def press(telling: Telling, deed: Deed) -> None:
    """Press the attack: better attacks, now or in the next turn (CX-55, CX-59)."""
    if "crew1" in telling.battle.options:
        weapon = str(deed.order.weapon)
        telling.tell(Signalled(deed.unit, "press", weapon))
        for name in deed.members:
            telling.doing[name].exposed = True
            if weapon_of(telling.battle.sheets[name], weapon) is not None:
                _prompt(telling, name, weapon, 1)
        return
    _, steps = _manoeuvre(telling, deed, HELP)
    for name in deed.members:
        telling.doing[name].gunnery += steps


def _manoeuvre(telling: Telling, deed: Deed, table: tuple[int, int, int, int]) -> tuple[Throw, int]:
    """Throw for a second-draft `evade` or `press` (CX-57 to CX-59)."""
    do = deed.order.do
    steps = telling.doing[deed.pilot].helm - telling.doing[deed.unit].actions
    throw = telling.fly(deed.members, f"{do}s", steps)
    found = table[degree(throw, HARD)]
    telling.tell(Manned(deed.unit, do, "pilot", deed.pilot, "guns", HARD, throw, found))
    return throw, found


def jump(telling: Telling, deed: Deed) -> None:
    """Make ready to jump at the end of the turn (CX-21)."""
    telling.tell(Signalled(deed.unit, "jump"))
    for name in deed.members:
        telling.doing[name].jumping = True
