"""Whether a plan may be filed, by SF-41 and SF-42, and which weapons and limbs actions use."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracle.starfarer.areas import AREAS, Json

DEEDS = ("attack", "aim", "evade", "parry", "move", "treat", "drop", "rise", "hold", "yield")
CONDITIONS = ("engaged", "clear", "hurt", "bleeding")
UNARMED: Json = {
    "name": "unarmed",
    "skill": "unarmed",
    "mode": "melee",
    "pr": 0,
    "dr": 2,
    "type": "unarmed",
    "reach": 1,
    "blunt": True,
}  # SF-13


def weapon_of(body: Json, action: Json) -> Json | None:
    """SF-17: the weapon of an attack or parry, None where it has none of the name."""
    name = action.get("with")
    if name == "unarmed":
        return UNARMED
    for weapon in body["weapons"]:
        melee = weapon["mode"] == "melee"
        if weapon["name"] == name or (name is None and (action["do"] == "attack" or melee)):
            return dict(weapon)
    return UNARMED if name is None else None


def arms_of(body: Json, action: Json) -> list[str]:
    """SF-17: the arms of an attack or parry."""
    weapon = weapon_of(body, action)
    assert weapon is not None
    if (weapon.get("hands") or 1) == 2:
        return ["right arm", "left arm"]
    return [(action.get("arm") or body["hand"]) + " arm"]


def limbs_of(body: Json, action: Json) -> list[str]:
    """SF-26: the limbs that an action uses, right before left."""
    do = action["do"]
    if do in ("attack", "parry"):
        return arms_of(body, action)
    if do == "treat":
        return [body["hand"] + " arm"]
    if do in ("evade", "rise") or (do == "move" and not body["prone"]):
        return ["right leg", "left leg"]
    return []


def chain(action: Json | None) -> Iterator[Json]:
    """An action, its else, that one's else and so on."""
    while action is not None:
        yield action
        action = action.get("else")


def refusal_of_plan(order: Json, bodies: dict[str, Json], several: bool) -> str | None:
    """SF-41, from the entries on."""
    body = bodies[order["character"]]
    for entry in order["plan"]:
        if len(entry) > (4 if several else 1):
            return "too many actions"
        for first in entry:
            for action in chain(first):
                reason = refusal_of_action(body, action, bodies)
                if reason is not None:
                    return reason
    if order.get("abort") not in (None, "evade", "parry"):
        return "unknown action"
    return None


def refusal_of_action(body: Json, action: Json, bodies: dict[str, Json]) -> str | None:
    """SF-41, for one action."""
    do = action["do"]
    if do not in DEEDS:
        return "unknown action"
    if action.get("if") not in (None, *CONDITIONS):
        return "unknown condition"
    if do in ("attack", "parry"):
        weapon = weapon_of(body, action)
        if weapon is None:
            return "unknown weapon"
        if do == "parry" and weapon["mode"] != "melee":
            return "wrong weapon"
    if has_bad_target(body, action, bodies):
        return "bad target"
    if do == "move" and (action.get("to") is None) == (action.get("toward") is None):
        return "bad move"
    if do == "treat" and action.get("area") not in (*AREAS, "shock"):
        return "bad area"
    if do in ("attack", "parry") and action.get("arm") not in (None, "right", "left"):
        return "bad arm"
    return None


def has_bad_target(body: Json, action: Json, bodies: dict[str, Json]) -> bool:
    """SF-41 and SF-42: it need not be present any more."""
    do, at, toward = action["do"], action.get("at"), action.get("toward")
    if do in ("attack", "aim") and at not in (None, "nearest"):
        return at not in bodies or bodies[at]["team"] == body["team"]
    if do == "treat" and at is not None:
        return at not in bodies or bodies[at]["team"] != body["team"]
    if do == "move" and toward not in (None, "nearest"):
        return toward not in bodies or toward == body["name"]
    return False
