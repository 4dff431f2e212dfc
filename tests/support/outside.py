"""Systems from outside: packages in a folder, with entry points as an installer writes them."""

from pathlib import Path

CODE = '''
from dataclasses import dataclass

from engine.codec import Record, Tagged
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.ruleset import Offer, Outcome, Phase, Ruleset
from engine.seats import REFEREE, Seat


class Race(Record, frozen=True):
    """Who throws, and who has thrown a head first."""

    throwers: tuple[Seat, ...]
    turn: int = 0
    winner: str | None = None
    over: bool = False


class Thrown(Tagged, frozen=True):
    """Somebody has thrown the coin."""

    seat: Seat
    face: int


class Ended(Tagged, frozen=True):
    """The referee has ended the race."""

    winner: str | None


def phase(race):
    if race.over:
        return Phase((), {}, outcome=Outcome(race.winner, race.winner is None))
    seat = race.throwers[race.turn % len(race.throwers)]
    return Phase(race.throwers, {seat: ("",)})


def apply(race, event):
    if isinstance(event, Ended):
        return Race(race.throwers, race.turn, event.winner, True)
    won = event.face == 1
    return Race(race.throwers, race.turn + 1, event.seat if won else None, won)


def resolve(race, orders, dice):
    [(seat, _)] = orders.items()
    event = Ended(None) if seat == REFEREE else Thrown(seat, dice.roll(2, seat))
    return apply(race, event), (event,)


def parse(race, seat, text):
    if text not in ("THROW", "DRAW"):
        raise UnreadableOrder(say("the order is THROW"))
    return text


RULES = Ruleset(
    key="coin",
    title="Coin",
    version=1,
    credits="",
    state=Race,
    event=Thrown | Ended,
    setup=lambda data: Race(tuple(map(Seat, data["players"]))),
    teams=lambda race: {seat: (seat,) for seat in race.throwers},
    phase=phase,
    offers=lambda race, seat: [Offer("THROW", 50)] if seat in phase(race).owing else [],
    refusal=lambda race, seat, order: None if seat in phase(race).owing else "not your turn",
    cautious=lambda race, seat: "THROW",
    read=lambda race, seat, line: "THROW" if line.strip().upper() == "THROW" else None,
    parse=parse,
    format=str,
    resolve=resolve,
    apply=apply,
    audience=lambda event: None,
    view=lambda race, seat: {"me": seat, "teams": [{"name": name} for name in race.throwers]},
)
'''
"""A whole system: who first throws a head has won."""

SITUATION = "{% macro short(view) %}The coin goes round.{% endmacro %}\n"
GERMAN = 'msgid "The coin goes round."\nmsgstr "Die Münze geht um."\n'


def install(folder: Path, key: str, code: str, module: str = "") -> None:
    """Put a package of a system into a folder as an installer would."""
    package = folder / (module or key)
    (package / "templates").mkdir(parents=True)
    (package / "locale" / "de").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(code)
    (package / "templates" / "situation.j2").write_text(SITUATION)
    (package / "locale" / "de" / f"{key}.po").write_text(GERMAN)
    about = folder / f"{package.name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[pbem.systems]\n{key} = {package.name}.rules:RULES\n")
