"""Racetrack as one value: the race on squared paper, for 2 to 6 players."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder, SetupError, UnreadableOrder
from engine.i18n import say
from engine.letter_texts import Difference, Effects, Telling
from engine.ruleset import LegalOrder, Match, Near, Outcome, Phase, Pictures, Ruleset
from engine.seats import REFEREE, Seat
from racetrack.model import (
    COURSE,
    GRID,
    LONGEST,
    STEPS,
    Car,
    Driven,
    Event,
    Left,
    Over,
    Race,
    Stopped,
    driver,
    line,
    square,
    steered,
)
from racetrack.picture import pictures

REASONS = {
    "over": say("the race is over"),
    "not your turn": say("it is another car's turn"),
}
_ORDER = re.compile(r"STEER(?: TO(?: THE)?)? (\w+)", re.I)


def setup(data: Any) -> Race:
    """Return a race at its start; `players` are the drivers' names."""
    names = data.get("players") if isinstance(data, Mapping) else None
    if not isinstance(names, list) or not 2 <= len(set(map(str, names))) == len(names) <= len(GRID):
        raise SetupError(f"players: a list of 2 to {len(GRID)} different names is needed")
    return Race({Seat(name): Car((at,)) for name, at in zip(names, GRID, strict=False)})


def phase(race: Race) -> Phase:
    """Return whose turn it is, or how the race ended."""
    if race.over:
        return Phase((), {}, outcome=Outcome(race.winner, race.winner is None))
    may = tuple(seat for seat, car in race.cars.items() if not car.out)
    # A car that rests owes nothing: its turn is the referee's to take.
    car = race.cars[driver(race)]
    return Phase(may, {} if car.out or car.rests else {driver(race): ("",)})


def offers(race: Race, seat: Seat) -> list[LegalOrder[str]]:
    """Return the steps that a driver may take; no die decides any of them."""
    return [LegalOrder(step, None) for step in STEPS] if seat in phase(race).owing else []


def refusal(race: Race, seat: Seat, order: str) -> str | None:
    """Return why an order is not legal now, or None."""
    if race.over:
        return "over"
    if seat == REFEREE:
        return None
    return None if seat in phase(race).owing else "not your turn"


def cautious(race: Race, seat: Seat) -> str:
    """Return the way that brakes most without leaving the road."""
    car = race.cars[seat]

    def risk(way: str) -> tuple[bool, int]:
        move = steered(car, way)
        crashes = any(square(point) == "#" for point in line(car.trail[-1], move))
        return crashes, max(map(abs, move))

    return min(STEPS, key=risk)


def read(race: Race | None, seat: Seat | None, text: str) -> str | Near | None:
    """Return the way in a player's line, such as STEER NE."""
    match = _ORDER.fullmatch(text.strip().rstrip(".!"))
    if match is None:
        return None
    way = match[1].upper()
    return way if way in STEPS else Near(text, "STEER NE")


def parse(race: Race, seat: Seat, text: str) -> str:
    """Return an order from its canonical text; the referee's are DRAW and FORFEIT Bob."""
    if seat == REFEREE and (text == "DRAW" or text.removeprefix("FORFEIT ") in race.cars):
        return text
    way = text.removeprefix("STEER ")
    if seat == REFEREE or way not in STEPS:
        raise UnreadableOrder(say("{text!r} is not an order; one is STEER NE", text=text))
    return way


def resolve(
    race: Race, orders: Mapping[Seat, Sequence[str]], dice: Dice
) -> tuple[Race, tuple[Event, ...]]:
    """Return the race after one car's turn, or a ruling, and what happened."""
    happened: list[Event] = []
    for seat, given in orders.items():
        for order in given:
            reason = refusal(race, seat, order)
            if reason is not None:
                raise IllegalOrder(REASONS[reason], reason=reason)
            happened += _ruled(race, order) if seat == REFEREE else _drive(race, seat, order, dice)
    if not orders:
        car = race.cars[driver(race)]
        happened.append(Driven(driver(race), car.trail[-1], (0, 0)))
    for event in happened:
        race = apply(race, event)
    if not race.over and race.turn >= LONGEST * len(race.cars):
        happened.append(Over(None))
        race = apply(race, happened[-1])
    return race, tuple(happened)


def _ruled(race: Race, order: str) -> list[Event]:
    if order == "DRAW":
        return [Over(None)]
    seat = Seat(order.removeprefix("FORFEIT "))
    left = [name for name, car in race.cars.items() if name != seat and not car.out]
    return [Left(seat), Over(left[0])] if len(left) == 1 else [Left(seat)]


def _drive(race: Race, seat: Seat, way: str, dice: Dice) -> list[Event]:
    """Drive a car through the squares of its move, until something is in its way."""
    car = race.cars[seat]
    move, at = steered(car, way), car.trail[-1]
    others = {
        one.trail[-1]: name for name, one in race.cars.items() if name != seat and not one.out
    }
    for point in line(at, move):
        if square(point) == "#" or point in others:
            rests = dice.roll(3, f"{seat} rests")
            return [Stopped(seat, at, others.get(point, ""), rests)]
        at = point
        if square(at) == "F":
            return [Driven(seat, at, move), Over(seat)]
    return [Driven(seat, at, move)]


def apply(race: Race, event: Event) -> Race:
    """Return the race after an event."""
    if isinstance(event, Over):
        return change(race, over=True, winner=event.winner)
    car = race.cars[event.seat]
    if isinstance(event, Left):
        return change(race, cars={**race.cars, event.seat: change(car, out=True)})
    if isinstance(event, Stopped):
        car = change(car, trail=(*car.trail, event.to), move=(0, 0), rests=event.rests)
    elif car.rests or car.out:
        car = change(car, rests=max(car.rests - 1, 0))
    else:
        car = change(car, trail=(*car.trail, event.to), move=event.move)
    return change(race, cars={**race.cars, event.seat: car}, turn=race.turn + 1)


def view(race: Race, seat: Seat | None) -> dict[str, Any]:
    """Return what anybody may know, which is everything."""
    cars = [
        {"name": name, "at": list(car.trail[-1]), "move": list(car.move), "rests": car.rests,
         "out": car.out, "trail": [list(at) for at in car.trail], "won": name == race.winner}
        for name, car in race.cars.items()
    ]  # fmt: skip
    teams = [{"name": name} for name in race.cars]
    next_one = None if race.over else driver(race)
    return {"me": seat, "mates": [], "teams": teams, "pilots": cars, "next": next_one,
            "course": COURSE}  # fmt: skip


def words(race: Race, seat: Seat, way: str, differences: Sequence[Difference]) -> Iterator[str]:
    """Say where a way leads, by what differs once it was driven."""
    for one in differences:
        if one.where == ("cars", seat, "rests"):
            yield say("off the road, or into a car")
        elif one.where == ("cars", seat, "trail"):
            x, y = one.after[0][-1]
            yield say("to {x}, {y}", x=x, y=y)
        elif one.where == ("winner",):
            yield say("over the line")


RACETRACK: Ruleset[Race, str] = Ruleset(
    key="racetrack",
    title="Racetrack",
    version=1,
    credits="Racetrack is a traditional game on squared paper.",
    state=Race,
    event=Event,
    setup=setup,
    teams=lambda race: {name: (name,) for name in race.cars},
    phase=phase,
    offers=lambda race, seat: (
        [LegalOrder(w, None) for w in STEPS] if seat in phase(race).owing else []
    ),
    refusal=refusal,
    cautious=cautious,
    read=read,
    parse=parse,
    format=lambda order: f"STEER {order}" if order in STEPS else order,
    resolve=resolve,
    apply=apply,
    audience=lambda event: None,
    view=view,
    foresee=lambda race, seat: _as_if(race, seat),
    match=Match(fewest=2, most=len(GRID), setup=lambda names: {"players": list(names)}),
    pictures=Pictures(draw=pictures),
    telling=Telling(explain=lambda reason: REASONS[reason], effects=Effects(words=words)),
)


def _as_if(race: Race, seat: Seat) -> Race:
    """Return the race as if it were a car's turn."""
    car = race.cars.get(seat)
    if race.over or car is None or car.out:
        return race
    cars = {**race.cars, seat: change(car, rests=0)}
    return change(race, cars=cars, turn=list(race.cars).index(seat))
