"""ENLIST: what a player writes about a new pilot, read into its record."""

import re
from collections.abc import Mapping

from engine.campaign import Persona
from engine.errors import ForeignOrder, IllegalOrder, UnreadableOrder
from engine.i18n import either, say, spoken
from engine.names import closest, fold, unquote
from engine.orders.line_shapes import clean
from engine.starpilot.persona_record import Pilot, persona_of
from engine.starpilot.tables import APTITUDES, LIGHT, SHIPS, SIDES

# SP-1.
POINTS, MOST_NEW = 36, 16
MODES = ("BB", "RTC")
FORM = say("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
_ENLIST = re.compile(
    r"(?P<name>.+?) FOR (?:THE )?(?P<side>\S+(?: (?!MODE|WEAPONS|PILOTING|SENSORS|SHIP)\S+)*)"
    r"(?P<rest>(?: (?:MODE|WEAPONS|PILOTING|SENSORS|SHIP) .+)?)",
    re.I,
)
_KEY = re.compile(r" (MODE|WEAPONS|PILOTING|SENSORS|SHIP) ", re.I)
_KEYS = ("MODE", "WEAPONS", "PILOTING", "SENSORS", "SHIP")
_BARE = re.compile(
    rf"(.+?),? (?:THE )?({'|'.join(SIDES)}),? ((?:MODE|WEAPONS|PILOTING|SENSORS|SHIP) .+)", re.I
)
"""The same without FOR, which is asked for and never guessed."""
_FOR = re.compile(" FOR ", re.I)
_STOPS = re.compile(r"[ ,;:=]+")
"""What people put between the parts: `weapons: 14, piloting = 10`."""
_SINGULAR = re.compile(r"\b(WEAPON|SENSOR)\b", re.I)


def enlist(text: str) -> Persona:
    """Return the new pilot described by the text after ENLIST (SP-1, SP-3).

    Raise OrderError with a sentence that says what is wrong and what would be right.
    """
    # Only what follows the name loses its commas and signs: in a name they must be seen and
    # refused.
    name, *rest = _FOR.split(clean(text), maxsplit=1)
    parts = (_SINGULAR.sub(r"\1S", _STOPS.sub(" ", part)).strip() for part in rest)
    written = " FOR ".join([name, *parts])
    match = _ENLIST.fullmatch(written)
    if match is None:
        bare = _BARE.fullmatch(written)
        hint = FORM if bare is None else f"ENLIST {bare[1]} FOR {bare[2]} {bare[3]}"
        raise ForeignOrder(say("ENLIST needs a name, and FOR in front of a side"), hint=hint)
    _check_keys(written, match["rest"])
    values = _values(match["rest"])
    side = _side(match["side"])
    mode, ship = _mode(values.get("MODE", "BB")), _ship(values.get("SHIP", ""), side)
    pilot = Pilot(side, mode, *_aptitudes(values), ship=ship)
    return persona_of(_name(match["name"]), pilot)


def _check_keys(written: str, rest: str) -> None:
    """Raise UnreadableOrder with a hint for a mistyped key; never guess."""
    for word in rest.split():
        meant = closest(word, _KEYS)
        # A mistyped key would end up in the value before it, and be taken for a part of that.
        if meant and word.upper() != meant:
            hint = f"ENLIST {written}".replace(f" {word} ", f" {meant} ")
            raise UnreadableOrder(say("{written!r} is not a part of it", written=word), hint=hint)


def _values(rest: str) -> dict[str, str]:
    parts = _KEY.split(rest + " ")
    return {
        key.upper(): value.strip(" ,;") for key, value in zip(parts[1::2], parts[2::2], strict=True)
    }


def _name(written: str) -> str:
    name = unquote(written.strip())
    # These would be read as something else in a letter's lines, headers or quotes.
    odd = any(c in '|<>"@:;,#=' for c in name) or clean(name) != name
    if odd or not 1 <= len(name) <= 30 or not fold(name):
        raise UnreadableOrder(
            say(
                "{name!r} is not a pilot's name: 1 to 30 letters, digits, spaces, hyphens,"
                " apostrophes",
                name=name,
            ),
            hint=FORM,
        )
    return name


def _side(written: str) -> str:
    wanted = fold(written)
    for key, side in SIDES.items():
        if wanted in (key, fold(side.title), fold(side.title.split()[0])):
            return key
    if fold(written.split()[0]) in SIDES:
        why = say("behind the side come WEAPONS, PILOTING, SENSORS and SHIP, each with its value")
        raise UnreadableOrder(why, hint=FORM)
    hint = closest(written, SIDES) or ""
    raise UnreadableOrder(
        say(
            "{written!r} is not a side; the sides are {sides}", written=written, sides=spoken(SIDES)
        ),
        hint=hint,
    )


def _mode(written: str) -> str:
    if written.upper() not in MODES:
        raise UnreadableOrder(
            say("MODE is BB (mail and forum) or RTC (live chat), not {written!r}", written=written)
        )
    return written.upper()


def _aptitudes(values: Mapping[str, str]) -> tuple[int, int, int]:
    """Return weapons, piloting and sensors."""
    points = []
    for name in APTITUDES:
        text = values.get(name.upper(), "")
        if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= MOST_NEW:
            said = say("{text!r} is not", text=text) if text else say("is missing; it is")
            raise UnreadableOrder(
                say(
                    "{name} {said} a whole number from 1 to {most}",
                    name=say(name.upper()),
                    said=said,
                    most=MOST_NEW,
                ),
                hint=FORM,
            )
        points.append(int(text))
    total = sum(points)
    if total != POINTS:
        raise IllegalOrder(
            say(
                "the three aptitudes sum to {total}; exactly {points} points are to be spent",
                total=total,
                points=POINTS,
            )
        )
    weapons, piloting, sensors = points
    return weapons, piloting, sensors


def _ship(written: str, side: str) -> str:
    offered = [s for s, ship in SHIPS.items() if ship.side == side and ship.weight == LIGHT]
    # People leave the hyphen out: `Rus 133A`.
    bare = fold(written).replace("-", "")
    for ship in offered:
        if bare == fold(ship).replace("-", ""):
            return ship
    said = (
        say("{written!r} is not a ship for a new pilot", written=written)
        if written
        else say("SHIP is missing")
    )
    raise UnreadableOrder(
        say(
            "{said}; a new pilot of the {side} flies {offered}",
            said=said,
            side=say(side),
            offered=either(offered),
        )
    )
