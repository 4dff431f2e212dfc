"""Weapons, crews and dice of a set-up, or a sentence that names the field that is wrong."""

from engine import fields
from engine.cortex.model import Person, Weapon
from engine.cortex.tables import (
    LIMITS,
    MISSILES,
    MOST_LISTED,
    PERSONAL,
    RANGES,
    SCALES,
    SKIRMISH,
    SPACECRAFT,
    STATIONS,
    STEPS,
    WARHEADS,
)
from engine.errors import SetupError
from engine.fields import Data

_WITH_ATTRIBUTE = ("commander", "executive", "comms")


def name_of(value: Data, where: str) -> str:
    """Return the name of something; raise SetupError."""
    name = fields.text(value, "name", where)
    # The sign joins the names of a pair (`ranges`), and marks the referee's seat.
    if "|" in name:
        raise SetupError(f"{where}.name: {name!r} holds a |, which no name may")
    return name


def die(value: Data, key: str, where: str) -> int:
    """Return the step of the die under a key; raise SetupError."""
    found = value.get(key)
    if not isinstance(found, str) or found not in STEPS:
        raise SetupError(f"{where}.{key}: {found!r} is not a die such as d8 or d12+d4")
    return STEPS[found]


def die_or_none(value: Data, key: str, where: str) -> int:
    """Return the step of the die under a key, 0 where it is missing; raise SetupError."""
    return 0 if value.get(key) is None else die(value, key, where)


def number(value: Data, key: str, where: str, limits: str = "") -> int:
    """Return the number under a key within its limits; raise SetupError."""
    return fields.number(value, key, *LIMITS[limits or key], where)


def number_or(otherwise: int, value: Data, key: str, where: str, limits: str = "") -> int:
    """Return the number under a key, or what counts where it is missing; raise SetupError."""
    return fields.number_or(otherwise, value, key, LIMITS[limits or key], where)


def listed(value: Data, key: str, where: str) -> list[object]:
    """Return a list that may be missing and is not too long; raise SetupError."""
    found = fields.some(value, key, where)
    if len(found) > MOST_LISTED:
        raise SetupError(f"{where}.{key}: there may be {MOST_LISTED} at most")
    return found


def crew(value: Data, where: str) -> dict[str, Person]:
    """Return a vessel's crew by station; raise SetupError."""
    where = f"{where}.crew"
    given = fields.an_object(value.get("crew"), where)
    if given.get("pilot") is None:
        raise SetupError(f"{where}.pilot: a pilot is needed")
    return {
        station: _person(given[station], station, f"{where}.{station}")
        for station in STATIONS
        if given.get(station) is not None
    }


def _person(value: object, station: str, where: str) -> Person:
    person = fields.an_object(value, where)
    return Person(
        # The other stations roll with a die of the vessel: its Agility or Alertness (CX-51).
        attribute=die(person, "attr", where) if station in _WITH_ATTRIBUTE else 0,
        skill=die_or_none(person, "skill", where),
        trait=die_or_none(person, "trait", where),
    )


def weapons(value: Data, scale: str, where: str) -> list[tuple[Weapon, int]]:
    """Return a vessel's weapons, each with how many guns it has; raise SetupError."""
    found = [
        _weapon(one, scale, f"{where}.weapons[{n}]")
        for n, one in enumerate(listed(value, "weapons", where))
    ]
    fields.unique((one.name, f"{where}.weapons[{n}].name") for n, (one, _) in enumerate(found))
    return found


def _weapon(value: object, vessel: str, where: str) -> tuple[Weapon, int]:
    data = fields.an_object(value, where)
    name = name_of(data, where)
    # An assist names a station, the guns or a weapon, so these must differ (CX-52, CX-57).
    if name in (*STATIONS, "guns"):
        raise SetupError(f"{where}.name: no weapon is called {name!r}")
    # A weapon may have another scale than its vessel (CX-61).
    scale = vessel
    if data.get("scale") is not None:
        scale = fields.one_of(data["scale"], SCALES, f"{where}.scale")
    missile = fields.truth(data, "missile", where)
    weapon = Weapon(
        name=name,
        range=RANGES.index(fields.one_of(data.get("range"), RANGES, f"{where}.range")),
        scale=scale,
        damage=0 if missile else die(data, "damage", where),
        linked=fields.truth(data, "linked", where),
        battery=fields.truth(data, "battery", where),
        pd=fields.truth(data, "pd", where),
        missile=missile,
        size=_size(data, scale, where) if missile else "",
        warhead=fields.one_of_or_first(data, "warhead", WARHEADS, where) if missile else "",
    )
    _check(weapon, vessel, where)
    return weapon, number_or(1, data, "count", where)


def _size(data: Data, scale: str, where: str) -> str:
    if scale == PERSONAL:
        raise SetupError(f"{where}.missile: there are no missiles of personal scale")
    return str(fields.one_of(data.get("size"), MISSILES[scale], f"{where}.size"))


def _check(weapon: Weapon, vessel: str, where: str) -> None:
    """Raise SetupError for flags that do not go together."""
    if weapon.missile and (weapon.linked or weapon.battery or weapon.pd):
        raise SetupError(f"{where}.missile: it is neither linked, nor a battery, nor pd")
    if weapon.battery and weapon.linked:
        raise SetupError(f"{where}.battery: linked guns are not a battery")
    if weapon.battery and vessel != SPACECRAFT:
        raise SetupError(f"{where}.battery: only spacecraft have batteries")
    if weapon.pd and weapon.linked:
        raise SetupError(f"{where}.pd: linked guns are not a point defence")
    if weapon.pd and weapon.range != SKIRMISH:
        raise SetupError(f"{where}.pd: point defence has skirmish range")
