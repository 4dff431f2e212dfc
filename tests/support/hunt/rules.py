"""Hunt: two to four submarines in the dark, as an author from outside would write it.

What it has and the other systems have not: squares that nobody else may know, dice that are rolled
in secret, a team of several seats that all order at once, and a chance that would tell a secret.
"""

import re

from engine.codec import Record, Tagged, change
from engine.errors import IllegalOrder, SetupError, UnreadableOrder
from engine.i18n import say
from engine.letter_texts import Effects, Telling
from engine.order_translations import Translation
from engine.ruleset import (
    UNTOLD,
    Bots,
    LegalOrder,
    Match,
    Near,
    Outcome,
    Phase,
    Ruleset,
    Trials,
)
from engine.seats import REFEREE, Seat

SIDE, LAST = 6, 12
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
NAMES = ("ABCDEF", "123456")
SHAPE = re.compile(r"LURK|PING|REPAIR|(?:SAIL [NESW](?: 2)?|KEEP [NESW]|FIRE [A-F][1-6])")
REASONS = {
    "over": say("the hunt is over"),
    "ordered": say("your boat has its order, or is sunk"),
    "edge": say("that leads off the chart"),
    "whole": say("there is nothing to mend"),
}


class Boat(Record, frozen=True):
    team: str
    at: tuple[int, int] = (0, 0)
    hull: int = 2
    order: str = ""


class Sea(Record, frozen=True):
    boats: dict[Seat, Boat]
    turn: int = 0
    over: bool = False
    winner: str | None = None


class Placed(Tagged, frozen=True):
    seat: Seat
    at: tuple[int, int]
    crew: tuple[Seat, ...]


class Filed(Tagged, frozen=True):
    seat: Seat
    order: str


class Echo(Tagged, frozen=True):
    seat: Seat
    found: tuple[str, ...]
    crew: tuple[Seat, ...]


class Blast(Tagged, frozen=True):
    at: tuple[int, int]


class Hit(Tagged, frozen=True):
    seat: Seat
    sunk: bool


class Mended(Tagged, frozen=True):
    seat: Seat
    well: bool
    crew: tuple[Seat, ...]


class Turned(Tagged, frozen=True):
    pass


class Left(Tagged, frozen=True):
    seat: Seat


class Over(Tagged, frozen=True):
    winner: str | None


def square(at):
    return NAMES[0][at[0]] + NAMES[1][at[1]]


def setup(data):
    names = data.get("players", [])
    if not 2 <= len(names) <= 4:
        raise SetupError("players: a list of 2 to 4 names is needed")
    teams = ["West", "West", "East", "East"] if len(names) == 4 else names
    return Sea({Seat(n): Boat(t) for n, t in zip(names, teams, strict=True)})


def teams(sea):
    names = dict.fromkeys(boat.team for boat in sea.boats.values())
    return {t: tuple(s for s, boat in sea.boats.items() if boat.team == t) for t in names}


def afloat(sea):
    return tuple(seat for seat, boat in sea.boats.items() if boat.hull > 0)


def phase(sea):
    if sea.over:
        return Phase((), {}, outcome=Outcome(sea.winner, sea.winner is None))
    if sea.turn == 0:
        return Phase(afloat(sea), {})
    owing = {seat: ("",) for seat in afloat(sea) if not sea.boats[seat].order}
    return Phase(afloat(sea), owing, simultaneous=True)


def ahead(at, order):
    _, way, *two = order.split()
    return tuple(one + step * (2 if two else 1) for one, step in zip(at, STEPS[way], strict=True))


def refusal(sea, seat, order):
    if sea.over:
        return "over"
    if seat == REFEREE:
        return None
    if seat not in phase(sea).owing:
        return "ordered"
    boat = sea.boats[seat]
    if order.startswith(("SAIL", "KEEP")):
        return None if all(0 <= one < SIDE for one in ahead(boat.at, order)) else "edge"
    return "whole" if order == "REPAIR" and boat.hull == 2 else None


def offers(sea, seat):
    orders = [
        "LURK",
        "PING",
        "REPAIR",
        *(f"SAIL {way}{two}" for way in STEPS for two in ("", " 2")),
    ]
    orders += [f"FIRE {x}{y}" for x in NAMES[0] for y in NAMES[1]]
    legal = [order for order in orders if refusal(sea, seat, order) is None]
    # How likely it is to hear anybody depends on how many are left, which nobody knows.
    chances = {"REPAIR": 50, "PING": UNTOLD}
    return [LegalOrder(order, chances.get(order)) for order in legal]


def read(sea, seat, line):
    text = line.strip().rstrip(".!").upper()
    if text.split()[:1] and text.split()[0] in ("LURK", "PING", "REPAIR", "SAIL", "KEEP", "FIRE"):
        return text if SHAPE.fullmatch(text) else Near(line, "SAIL N 2")
    return None


def parse(sea, seat, text):
    if seat == REFEREE:
        fits = text in ("DRAW", "END") or text.removeprefix("FORFEIT ") in sea.boats
    else:
        fits = SHAPE.fullmatch(text)
    if not fits:
        raise UnreadableOrder(say("{text!r} is not an order; one is SAIL N 2", text=text))
    return text


def resolve(sea, orders, dice):
    told = []
    for seat, given in orders.items():
        for order in given:
            reason = refusal(sea, seat, order)
            if reason is not None:
                raise IllegalOrder(REASONS[reason], reason=reason)
            if seat != REFEREE:
                sea = tell(sea, told, Filed(seat, order))
            elif order == "END":
                sea = turn(sea, told, dice)
            elif order == "DRAW":
                sea = tell(sea, told, Over(None))
            else:
                sea = ended(tell(sea, told, Left(Seat(order.removeprefix("FORFEIT ")))), told)
    if not orders:
        sea = turn(sea, told, dice) if sea.turn else placed(sea, told, dice)
    return sea, tuple(told)


def tell(sea, told, event):
    told.append(event)
    return apply(sea, event)


def crew(sea, seat):
    return teams(sea)[sea.boats[seat].team]


def placed(sea, told, dice):
    for seat in sea.boats:
        at = tuple(dice.roll(SIDE, f"begins: {seat}") - 1 for _ in range(2))
        sea = tell(sea, told, Placed(seat, at, crew(sea, seat)))
    return tell(sea, told, Turned())


def turn(sea, told, dice):
    orders = {seat: sea.boats[seat].order or "LURK" for seat in afloat(sea)}
    for seat, order in orders.items():
        if order.startswith(("SAIL", "KEEP")):
            at = ahead(sea.boats[seat].at, order)
            sea = tell(sea, told, Placed(seat, at, crew(sea, seat)))
        elif order == "REPAIR":
            well = dice.roll(2, f"mends: {seat}") == 1
            sea = tell(sea, told, Mended(seat, well, crew(sea, seat)))
    for seat, order in orders.items():
        if order == "PING":
            others = [s for s in afloat(sea) if sea.boats[s].team != sea.boats[seat].team]
            found = [s for s in others if dice.roll(2, f"listens: {seat}") == 1]
            where = tuple(f"{s} at {square(sea.boats[s].at)}" for s in found)
            sea = tell(sea, told, Echo(seat, where, crew(sea, seat)))
        elif order.startswith("FIRE"):
            at = NAMES[0].index(order[5]), NAMES[1].index(order[6])
            sea = tell(sea, told, Blast(at))
            for other in [s for s in afloat(sea) if sea.boats[s].at == at]:
                sea = tell(sea, told, Hit(other, sea.boats[other].hull == 1))
    return ended(tell(sea, told, Turned()), told)


def ended(sea, told):
    left = sorted({sea.boats[seat].team for seat in afloat(sea)})
    if len(left) > 1 and sea.turn <= LAST:
        return sea
    return tell(sea, told, Over(left[0] if len(left) == 1 else None))


def apply(sea, event):
    if isinstance(event, Over):
        return change(sea, over=True, winner=event.winner)
    if isinstance(event, Turned):
        boats = {seat: change(boat, order="") for seat, boat in sea.boats.items()}
        return change(sea, turn=sea.turn + 1, boats=boats)
    if isinstance(event, Echo | Blast):
        return sea
    boat = sea.boats[event.seat]
    if isinstance(event, Filed):
        boat = change(boat, order=event.order)
    elif isinstance(event, Placed):
        boat = change(boat, at=event.at)
    elif isinstance(event, Mended):
        boat = change(boat, hull=2 if event.well else boat.hull)
    elif isinstance(event, Left) or event.sunk:
        boat = change(boat, hull=0)
    else:
        boat = change(boat, hull=max(boat.hull - 1, 1))
    return change(sea, boats={**sea.boats, event.seat: boat})


def audience(event):
    return (event.seat,) if isinstance(event, Filed) else getattr(event, "crew", None)


def rolled(why):
    """Let a boat's own crew alone know where it began and what it heard."""
    what, _, seat = why.partition(": ")
    return None if what == "mends" else (Seat(seat),)


def view(sea, seat):
    mine = crew(sea, seat) if seat in sea.boats else ()
    boats = [
        {"name": s, "at": square(boat.at) if s in mine and sea.turn else "", "sunk": boat.hull == 0}
        for s, boat in sea.boats.items()
    ]
    return {
        "me": seat,
        "mates": [one for one in mine if one != seat],
        "teams": [{"name": name} for name in teams(sea)],
        "pilots": boats,
        "turn": sea.turn,
    }


def imagine(sea, seat, dice):
    """Put each enemy on some square: where it is and how whole, nobody on this side knows."""
    boats = dict(sea.boats)
    for enemy in [s for s in afloat(sea) if s not in crew(sea, seat)]:
        at = dice.roll(SIDE, "x") - 1, dice.roll(SIDE, "y") - 1
        boats[enemy] = Boat(boats[enemy].team, at)
    return change(sea, boats=boats)


def bot(sea, seat, dice):
    legal = offers(sea, seat)
    return legal[dice.roll(len(legal), "whim") - 1].order


RULES = Ruleset(
    key="hunt",
    title="Silent Deep",
    version=1,
    credits="After a game on squared paper.",
    state=Sea,
    event=Placed | Filed | Echo | Blast | Hit | Mended | Turned | Left | Over,
    setup=setup,
    teams=teams,
    phase=phase,
    offers=offers,
    refusal=refusal,
    cautious=lambda sea, seat: "LURK",
    read=read,
    parse=parse,
    format=str,
    resolve=resolve,
    apply=apply,
    audience=audience,
    rolled=rolled,
    view=view,
    keeps=lambda order: order.startswith("KEEP"),
    match=Match(fewest=2, most=4, setup=lambda names: {"players": list(names)}),
    bots=Bots(choose={"sound": bot}, imagine=imagine, cost=lambda sea, strength: 200),
    telling=Telling(
        explain=lambda reason: REASONS[reason],
        effects=Effects(
            words=lambda sea, seat, order, differences: (
                [say("loud")] if order.endswith(" 2") else []
            )
        ),
    ),
    trials=Trials(succeeded=lambda events: any(isinstance(e, Mended) and e.well for e in events)),
    translations={
        "de": Translation(
            commands={
                "SAIL": ("FAHRE",),
                "KEEP": ("WEITER",),
                "LURK": ("LAUERE",),
                "PING": ("HORCHE",),
                "FIRE": ("FEUERE",),
                "REPAIR": ("REPARIERE",),
            },
            links={},
            things={},
            numbers=True,
        )
    },
)
