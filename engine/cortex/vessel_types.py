"""What task groups are made of: kinds of vessels, weapons and crews (names and numbers of our own).

A group's points add up those of its vessels; at equal points no class of group wins more than 58 of
100 battles against the others (docs/balance.md).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.cortex.tables import PLANETCRAFT, SPACECRAFT, STEPS, die


class Kind(NamedTuple):
    """A kind of vessel; `dice` are Strength, Agility, Vitality, Alertness and gunnery.

    `armour` is that against Wound and that against Stun, `crew` who is aboard besides the pilot,
    and `arms` how many of each weapon it carries. `points` are those with a regular crew.
    """

    scale: str
    dice: tuple[str, str, str, str, str]
    speed: int
    lp: int
    armour: tuple[int, int]
    arms: Mapping[str, int]
    points: int
    crew: tuple[str, ...] = ()
    ftl: bool = False


class Grade(NamedTuple):
    """How good a crew is: the pilot's dice, by how many steps the others differ, and its price."""

    pilot: str
    steps: int
    percent: int
    trait: str | None = None


DICE = ("str", "agi", "vit", "alt", "gunnery")
DICE_NAMES = ("Strength", "Agility", "Vitality", "Alertness", "gunnery")
OTHER_KINDS = ("freighter", "installation")
"""What only scenarios have."""

ARMS: Mapping[str, Mapping[str, Any]] = {
    "Laser": {"range": "skirmish", "damage": "d6", "linked": True},
    "Beam": {"range": "capital", "damage": "d6"},
    "Talon": {"range": "skirmish", "damage": "d8", "linked": True},
    "Dart": {"range": "short", "missile": True, "size": "light"},
    "Torpedo": {"range": "short", "missile": True, "size": "heavy", "warhead": "fragments"},
    "Maul": {"range": "capital", "damage": "d12"},
    "Flak": {"range": "skirmish", "scale": PLANETCRAFT, "damage": "d4", "pd": True},
    "Railgun": {"range": "capital", "damage": "d10", "battery": True},
    "Javelin": {"range": "long", "missile": True, "size": "medium"},
}
"""Weapons as a set-up writes them, without their names and numbers."""

KINDS: Mapping[str, Kind] = {
    "interceptor": Kind(
        PLANETCRAFT, ("d4", "d12", "d4", "d6", "d6"), 10, 12, (2, 2), {"Laser": 4}, 25,
    ),
    "fighter": Kind(
        PLANETCRAFT, ("d6", "d10", "d6", "d6", "d8"), 8, 16, (3, 3), {"Talon": 2, "Dart": 2}, 30,
    ),
    "striker": Kind(
        PLANETCRAFT, ("d8", "d8", "d8", "d6", "d6"), 6, 20, (3, 3), {"Beam": 1, "Torpedo": 4}, 43,
    ),
    "gunboat": Kind(
        PLANETCRAFT, ("d10", "d6", "d10", "d8", "d8"), 5, 26, (3, 3), {"Maul": 2, "Flak": 1}, 60,
    ),
    "frigate": Kind(
        SPACECRAFT, ("d10", "d4", "d10", "d8", "d8"), 3, 150, (2, 2),
        {"Railgun": 6, "Flak": 3, "Javelin": 4}, 300,
        ("commander", "sensors", "comms", "tactical"), True,
    ),
    "cruiser": Kind(
        SPACECRAFT, ("d12", "d4", "d12", "d8", "d8"), 2, 200, (3, 3),
        {"Railgun": 12, "Flak": 4, "Javelin": 6}, 510,
        ("commander", "executive", "sensors", "comms", "tactical"), True,
    ),
}  # fmt: skip

CREWS: Mapping[str, Grade] = {
    "green": Grade("d4", -1, 75),
    "regular": Grade("d6", 0, 100),
    "veteran": Grade("d8", 1, 130),
    "ace": Grade("d10", 2, 165, "d4"),
}
USUAL_CREW = "regular"
_OFFICER = "d8"
"""The die of an officer's own attribute, and of the skill of a regular one."""


def points(kind: str, crew: str) -> int:
    """Return what a vessel is worth with a crew."""
    return KINDS[kind].points * CREWS[crew].percent // 100


def vessel_data(name: str, seat: str, kind: str, crew: str) -> dict[str, Any]:
    """Return a vessel as a set-up writes it."""
    one, grade = KINDS[kind], CREWS[crew]
    dice = dict(zip(DICE, one.dice, strict=True))
    # A crew changes who shoots, not the vessel, so no other of its dice moves.
    dice["gunnery"] = _moved(dice["gunnery"], grade.steps)
    wound, stun = one.armour
    return {
        "name": name,
        "seat": seat,
        # Like `seat` a key of the league's, which replays ignore (decision 0032).
        "kind": kind,
        "scale": one.scale,
        **dice,
        "speed": one.speed,
        "lp": one.lp,
        "armour": {"wound": wound, "stun": stun},
        "ftl": one.ftl,
        "crew": crew_data(kind, crew),
        "weapons": [{"name": arm, "count": n, **ARMS[arm]} for arm, n in one.arms.items()],
    }


def crew_data(kind: str, crew: str) -> dict[str, dict[str, str]]:
    """Return who is at which station, with their dice, as a set-up writes it."""
    grade = CREWS[crew]
    pilot = {"skill": grade.pilot} | ({} if grade.trait is None else {"trait": grade.trait})
    officer = {"attr": _OFFICER, "skill": _moved(_OFFICER, grade.steps)}
    return {"pilot": pilot, **{station: dict(officer) for station in KINDS[kind].crew}}


def _moved(written: str, steps: int) -> str:
    return die(max(STEPS[written] + steps, 1))
