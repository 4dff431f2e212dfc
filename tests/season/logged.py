"""Orders as exports hold them, read into those of the naive referees."""

import re
from typing import Any

Json = dict[str, Any]


def _given(found: re.Match[str]) -> Json:
    """Return what stands there, without what does not."""
    return {key: value for key, value in found.groupdict().items() if value is not None}


# ---- Black Skies ------------------------------------------------------------------------------

_CARDS: dict[str, tuple[int, str | None]] = {
    "STEADY": (1, "steady"),
    "ACCELERATE": (1, "accelerate"),
    "DECELERATE": (1, "decelerate"),
    **{f"{how} LEFT": (2, how.lower()) for how in ("BREAK", "SMOOTH", "LATE")},
    **{f"{how} RIGHT": (3, how.lower()) for how in ("BREAK", "SMOOTH", "LATE")},
    "AFTERBURNER": (4, None),
    "HARD LEFT": (5, None),
    "HARD RIGHT": (6, None),
    "SNAKE LEFT": (7, "left-first"),
    "SNAKE RIGHT": (7, "right-first"),
    "SIDESLIP LEFT": (8, None),
    "SIDESLIP RIGHT": (9, None),
    "BOOTLEGGER": (10, None),
    "REVERSE LEFT": (11, None),
    "REVERSE RIGHT": (12, None),
}
_CARD = re.compile(
    r"(?P<element>[^:]+): (?P<card>[A-Z ]+?)(?: (?P<by>\d+))?"
    r"(?:; TARGETS (?P<targets>[^;]+))?(?P<held>; HOLD FIRE)?"
)


def card(text: str) -> Json:
    """Return a card as `Red: ACCELERATE 2; TARGETS Blue, Grey 1; HOLD FIRE` says it."""
    found = _CARD.fullmatch(text)
    assert found, text
    if found["card"] in ("WITHDRAW", "SURRENDER"):
        return {"element": found["element"], "command": found["card"].lower()}
    number, option = _CARDS[found["card"]]
    return {
        "element": found["element"],
        "card": number,
        "option": option,
        "by": int(found["by"]) if found["by"] else None,
        "targets": found["targets"].split(", ") if found["targets"] else [],
        "hold_fire": bool(found["held"]),
    }


# ---- Starfarer --------------------------------------------------------------------------------

_ACTION = re.compile(
    r"(?:IF (?P<if>\w+): )?"
    r"(?P<do>ATTACK|AIM AT|EVADE|PARRY|MOVE TOWARD|MOVE TO|TREAT|DROP|RISE|HOLD|YIELD)"
    r"(?: (?P<at>(?!WITH |WITHIN |FINISH|right hand|left hand).+?))??(?: WITH (?P<with>.+?))??"
    r"(?: (?P<arm>right|left) hand)?(?: WITHIN (?P<within>-?\d+))?(?P<finish> FINISH)?"
)


def plan(text: str) -> Json:
    """Return a plan as `Kitai: IF HURT: EVADE, ELSE ATTACK Bo; ABORT: PARRY; KEEP` says it."""
    name, _, body = text.partition(": ")
    found: Json = {"character": name, "plan": []}
    for part in body.split("; "):
        if part.startswith("ABORT: "):
            found["abort"] = part.removeprefix("ABORT: ").lower()
        elif part != "KEEP":
            found["plan"].append([_choices(one) for one in part.split(" AND ")])
    return found


def _choices(text: str) -> Json:
    """Return an action with what is done else."""
    first, *others = map(_action, text.split(", ELSE "))
    last = first
    for other in others:
        last["else"] = last = other
    return first


def _action(text: str) -> Json:
    found = _ACTION.fullmatch(text)
    assert found, text
    given = _given(found) | {"do": found["do"].split()[0].lower()}
    if "if" in given:
        given["if"] = given["if"].lower()
    if "within" in given:
        given["within"] = int(given["within"])
    given["finish"] = bool(given.get("finish"))
    if found["do"] == "MOVE TO":
        given["to"] = int(given.pop("at"))
    elif found["do"] == "MOVE TOWARD":
        given["toward"] = given.pop("at")
    elif found["do"] == "TREAT":
        given["area"], _, whom = given.pop("at").partition(" OF ")
        given |= {"at": whom} if whom else {}
    return given


# ---- Cortex -----------------------------------------------------------------------------------

_FORMS = tuple(
    re.compile(form)
    for form in (
        r"(?P<do>FIRE|AIM|LOCK|LAUNCH)(?: (?P<guns>\d+))?(?: (?P<weapon>(?!AT |ON ).+?))?"
        r"(?: (?:AT|ON) (?:(?P<called>sensors|engines|weapon) OF )?(?P<at>.+))?",
        r"(?P<do>INTERCEPT|OUTFLY|TRICK) (?P<missile>M\d+|missile)"
        r"(?: WITH(?: (?P<guns>\d+))? (?P<weapon>.+?))?(?: AROUND (?P<at>.+))?",
        r"(?:(?P<station>[A-Z]+) )?(?P<do>ASSIST) (?P<to>.+?)(?: OF (?P<at>.+))?",
        r"(?P<do>SENSE) FOR (?P<to>.+)",
        r"(?P<do>CLOSE) ON (?P<at>.+)",
        r"(?P<do>SHIELD) WITH (?P<at>.+)",
        r"(?P<do>PRESS)(?: WITH (?P<weapon>.+))?",
        r"(?P<do>JOIN|RAM|STRAFE) (?P<at>.+)",
        r"(?P<do>CHECK FIRE|DEFEND|EVADE|FORWARD|HOLD|JUMP|LEAVE|OPEN|PLOT|SURRENDER|WITHDRAW)",
    )
)


def group_orders(text: str) -> list[Json]:
    """Return a unit's orders as `Lance: CLOSE ON Raider, FIRE 2 cannon AT nearest, KEEP` does."""
    name, _, body = text.partition(": ")
    parts = [part for part in body.split(", ") if part != "KEEP"]
    return [{"unit": name} | _group_order(part) for part in parts]


def _group_order(text: str) -> Json:
    found = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    assert found, text
    given = _given(found)
    given["do"] = given["do"].lower().replace(" ", "_")
    if "station" in given:
        given["station"] = given["station"].lower()
    if "guns" in given:
        given["guns"] = int(given["guns"])
    return given
