"""A pilot between battles: enlistment, the persona sheet, and what a battle leaves behind."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.codec import Record, change, decode, encode, plain
from engine.errors import UnreadableOrder
from engine.ruleset import Career, Persona, View
from engine.seats import Seat
from engine.starpilot.model import Battle, ratings, skills
from engine.starpilot.tables import APTITUDES, LIGHT, SHIPS, SIDES, tenths
from engine.starpilot.view import ship_name, stat_rows
from engine.words import clean, closest, fold, unquote

POINTS, MOST_NEW, MOST_EACH_MODE = 36, 16, 4
MODES = ("BB", "RTC")
MISSIONS_TO_RANK_TWO = 4


class Pilot(Record, frozen=True):
    """A pilot's record; HP in tenths (SP-30), `fate` what its last battle did to it."""

    side: str
    mode: str
    weapons: int
    piloting: int
    sensors: int
    ship: str
    mark: int = 0
    rank: int = 1
    hp: int = 0
    hp_total: int = 0
    missions: int = 0
    kills: int = 0
    prizes: int = 0
    wounds: int = 0
    dead: bool = False


FORM = "ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
_ENLIST = re.compile(
    r"(?P<name>.+?) FOR (?:THE )?(?P<side>\S+(?: (?!MODE|WEAPONS|PILOTING|SENSORS|SHIP)\S+)*)"
    r"(?P<rest>(?: (?:MODE|WEAPONS|PILOTING|SENSORS|SHIP) .+)?)",
    re.I,
)
_KEY = re.compile(r" (MODE|WEAPONS|PILOTING|SENSORS|SHIP) ", re.I)


def enlist(text: str) -> Persona:
    """Read what stands behind ENLIST into a new pilot (SP-1, SP-3).

    Raises UnreadableOrder with a sentence that says what is wrong and what would be right.
    """
    match = _ENLIST.fullmatch(clean(text))
    if match is None:
        raise UnreadableOrder("ENLIST needs a name and a side", hint=FORM)
    values = _values(match["rest"])
    side = _side(match["side"])
    mode, ship = _mode(values.get("MODE", "BB")), _ship(values.get("SHIP", ""), side)
    pilot = Pilot(side, mode, *_aptitudes(values), ship=ship)
    return Persona(_name(match["name"]), side, plain(pilot))


def _values(rest: str) -> dict[str, str]:
    parts = _KEY.split(rest + " ")
    return {
        key.upper(): value.strip(" ,;") for key, value in zip(parts[1::2], parts[2::2], strict=True)
    }


def _name(written: str) -> str:
    name = unquote(written.strip())
    odd = any(c in '|<>"@:;,#=' for c in name) or clean(name) != name
    if odd or not 1 <= len(name) <= 30 or not fold(name):
        raise UnreadableOrder(
            f"{name!r} is no pilot's name: 1 to 30 letters, digits, spaces, hyphens, apostrophes",
            hint=FORM,
        )
    return name


def _side(written: str) -> str:
    wanted = fold(written)
    for key, side in SIDES.items():
        if wanted in (key, fold(side.title), fold(side.title.split()[0])):
            return key
    hint = closest(written, SIDES) or ""
    raise UnreadableOrder(f"{written!r} is no side; the sides are {', '.join(SIDES)}", hint=hint)


def _mode(written: str) -> str:
    if written.upper() not in MODES:
        raise UnreadableOrder(f"MODE is BB (mail and forum) or RTC (live chat), not {written!r}")
    return written.upper()


def _aptitudes(values: Mapping[str, str]) -> tuple[int, int, int]:
    """Give weapons, piloting and sensors."""
    points = []
    for name in APTITUDES:
        text = values.get(name.upper(), "")
        if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= MOST_NEW:
            said = f"{text!r} is not" if text else "is missing:"
            raise UnreadableOrder(
                f"{name.upper()} {said} a whole number from 1 to {MOST_NEW} (SP-1)", hint=FORM
            )
        points.append(int(text))
    total = sum(points)
    if total != POINTS:
        raise UnreadableOrder(
            f"the three aptitudes sum to {total}; exactly {POINTS} points are to be spent (SP-1)"
        )
    weapons, piloting, sensors = points
    return weapons, piloting, sensors


def _ship(written: str, side: str) -> str:
    offered = [s for s, ship in SHIPS.items() if ship.side == side and ship.weight == LIGHT]
    bare = fold(written).replace("-", "")
    for ship in offered:
        if bare == fold(ship).replace("-", ""):
            return ship
    said = f"{written!r} is not one" if written else "SHIP is missing"
    raise UnreadableOrder(f"{said}; a new pilot for {side} flies {' or '.join(offered)} (SP-3)")


def _record(persona: Persona) -> Pilot:
    return decode(encode(persona.record), Pilot)


def sheet(persona: Persona) -> View:
    """Give the persona sheet after Appendix B as plain values for a template."""
    pilot = _record(persona)
    values = ratings(pilot.ship, pilot.mark)
    aptitudes = {name: getattr(pilot, name) for name in APTITUDES}
    return {
        "name": persona.name,
        "side": pilot.side,
        "side_title": SIDES[pilot.side].title,
        "mode": pilot.mode,
        "rank": pilot.rank,
        "rank_title": SIDES[pilot.side].ranks[pilot.rank - 1],
        "ship": ship_name(pilot.ship, pilot.mark),
        "hp": tenths(pilot.hp),
        "hp_total": tenths(pilot.hp_total),
        "missions": pilot.missions,
        "kills": pilot.kills,
        "prizes": pilot.prizes,
        "wounds": pilot.wounds,
        "dead": pilot.dead,
        "rows": stat_rows(values, values, skills(values, aptitudes)),
        **aptitudes,
    }


def bar(one: Persona, other: Persona) -> str | None:
    """Say why two pilots of different players may not fight, or None (SP-6)."""
    if one.side == other.side:
        return f"{one.name} and {other.name} both fly for the {one.side} (SP-6)"
    if _record(one).mode != _record(other).mode:
        return f"{one.name} and {other.name} do not play in the same mode (BB or RTC)"
    return None


def crowded(others: Sequence[Persona], new: Persona) -> str | None:
    """Say why a player's active pilots leave no place for a new one, or None (SP-2)."""
    mode = _record(new).mode
    same = [p for p in others if _record(p).mode == mode and not _record(p).dead]
    for twin in same:
        if twin.side == new.side:
            return f"your pilot {twin.name} already flies for the {new.side} in {mode} play (SP-2)"
    if len(same) >= MOST_EACH_MODE:
        return f"you have {MOST_EACH_MODE} active pilots in {mode} play already (SP-2)"
    return None


def available(persona: Persona) -> str | None:
    """Say why a pilot can't fight any more, or None."""
    pilot = _record(persona)
    if pilot.dead:
        return f"{persona.name} is dead"
    return f"{persona.name} has retired with honour (SP-34)" if pilot.rank >= 5 else None


def duel(one: Persona, other: Persona, first: str | None) -> dict[str, Any]:
    """Give the set-up of a duel; each team bears its pilot's name. `first` may name a pilot."""
    teams = [{"name": p.name, "pilots": [_entry(p)]} for p in (one, other)]
    return {"teams": teams} | ({"first": first} if first else {})


def _entry(persona: Persona) -> dict[str, Any]:
    pilot = _record(persona)
    entry = {key: getattr(pilot, key) for key in ("side", "rank", "ship", "mark", *APTITUDES)}
    return {"name": persona.name, "hp": tenths(pilot.hp), **entry}


def after(persona: Persona, battle: Battle, seat: Seat) -> Persona:
    """Give a pilot's record after a battle (SP-27 to SP-31, SP-35).

    Not here: the moderator's HP for a major battle, and awards.
    """
    pilot, flown = _record(persona), battle.pilots[seat]
    missions = pilot.missions + battle.fought
    dead = flown.fate == "killed"
    promoted = not dead and pilot.rank == 1 and missions >= MISSIONS_TO_RANK_TWO
    changed = change(
        pilot,
        rank=pilot.rank + promoted,
        hp=pilot.hp + flown.hp - flown.hp_lost,
        hp_total=pilot.hp_total + flown.hp,
        missions=missions,
        kills=pilot.kills + flown.kills,
        prizes=pilot.prizes + flown.prizes,
        wounds=pilot.wounds + (flown.wounded and not dead),
        dead=dead,
    )
    return Persona(persona.name, persona.side, plain(changed))


CAREER = Career(
    enlist=enlist,
    sheet=sheet,
    bar=bar,
    crowded=crowded,
    duel=duel,
    after=after,
    available=available,
)
