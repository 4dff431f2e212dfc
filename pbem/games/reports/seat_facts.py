"""What a seat can do now: its possible orders, the orders on file, and its team."""

from collections.abc import Iterable
from typing import TypedDict

from engine.errors import OrderError
from engine.orders.orders_on_file import asking, choices, rule_text, still_meant
from engine.preview.effects import effect
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games import simultaneous_turns, turn_cost
from pbem.games.offered_orders import Offered, offered
from pbem.games.session import Session, Weighed
from pbem.settings.sections import LeagueSettings
from pbem.storage import Player

MOST_BARRED = 4
"""The most orders that are listed as not legal now; more are called "most orders"."""


class Barred(TypedDict):
    """Orders that are not legal now, and in half a line why not.

    `pieces` are those that it is true of, and `orders` those of the first; a seat that is a piece
    itself has no name there.
    """

    pieces: list[str]
    orders: list[str]
    why: str


class ShownSheet(TypedDict):
    """A seat's queue and standing orders as canonical text; `held` are orders of the queue.

    They are the first, if it is not legal now, and each that can do nothing any more. `nameless`
    says to a seat that is asked which of its standing orders don't say whom they mean, and `asking`
    is the rule by which it asks itself, "" where none does.
    """

    queue: list[str]
    standing: list[str]
    held: list[Weighed]
    nameless: list[str]
    asking: str


class Silence(TypedDict, total=False):
    """What happens if a seat's player sends nothing; empty if the seat can order nothing."""

    on_file: bool
    forfeits: bool
    orders: list[str]


class Team(TypedDict):
    """Who leads a seat's team, in which order it acts, and whether the seat itself leads."""

    captain: str
    acting: list[Seat]
    leads: bool


class Crewman(TypedDict):
    """A seat of a team battle, and its player."""

    seat: str
    player: str


class Crew(TypedDict):
    """A side of a team battle, with its seats."""

    team: str
    pilots: list[Crewman]


def offers(session: Session, seat: Seat) -> list[Offered]:
    """Return the legal orders of a seat as things are now, with their chances in percent."""
    found = session.rules.offers(session.foreseen(seat), seat)
    return [offered(session, seat, one.order, one.chance) for one in found]


class Brought(TypedDict):
    """An order with what it brings."""

    order: str
    effect: str


def brought(session: Session, seat: Seat, orders: Iterable[str]) -> list[Brought]:
    """Return what some of a seat's orders bring as things are now, those that are possible."""
    rules, state, found = session.rules, session.foreseen(seat), list[Brought]()
    for text in orders:
        try:
            order = rules.parse(state, seat, text)
        except OrderError:
            continue
        told = "" if rules.refusal(state, seat, order) else effect(rules, state, seat, order)
        if told:
            found.append({"order": text, "effect": told})
    return found


def refused(session: Session, seat: Seat, before: object | None = None) -> list[Barred]:
    """Return the orders that a seat can't give as things are now, and why.

    Leave out what was so in a state `before`.
    """
    rules = session.rules
    found = barred_of(rules, session.foreseen(seat), seat)
    known = [] if before is None else barred_of(rules, rules.foresee(before, seat), seat)
    return [barred for barred in found if barred not in known]


def barred_of(rules: AnyRuleset, state: object, seat: Seat) -> list[Barred]:
    """Return the orders that a seat can't give in a state, and why.

    Pieces that can't do the same for the same reason are listed together.
    """
    found: dict[tuple[str, frozenset[str]], Barred] = {}
    for barred in rules.telling.barred(state, seat):
        piece, orders = rules.piece(barred.orders[0]), list(map(rules.format, barred.orders))
        bare = [order.removeprefix(f"{piece}: ") for order in orders]
        # Longer lists are shown as "most orders", so it makes no difference which ones they are.
        alike = frozenset(bare if len(bare) <= MOST_BARRED else ())
        new: Barred = {"pieces": [], "orders": orders, "why": barred.why}
        found.setdefault((barred.why, alike), new)["pieces"] += [piece] if piece else []
    return list(found.values())


def sheet(session: Session, seat: Seat) -> ShownSheet:
    """Return a seat's queue and standing orders as canonical text."""
    plays = session.active(seat) and not session.over
    given = still_meant(session.rules, session.state, seat, session.sheet(seat))
    weighed = [session.weigh(seat, text) for text in given.queue] if plays else []
    # After the first, an order that is not legal now may be so once its turn has come.
    held = [one for n, one in enumerate(weighed) if one["vain"] or not (n or one["legal_now"])]
    asked = plays and session.places[seat].asked
    nameless = session.unclear(seat, given) if asked else []
    rule = asking(session.rules, session.state, seat, given) if asked else None
    return {
        "queue": [*given.queue],
        "standing": session.standing(seat, given),
        "held": held,
        "nameless": nameless,
        "asking": "" if rule is None else rule_text(rule),
    }


def silence(session: Session, seat: Seat, allowed: int) -> Silence:
    """Return what happens if a seat's player sends nothing.

    Orders on file are played; or else the battle is forfeited, if this is the last of the misses
    that are `allowed`; or else a cautious order is played. Return nothing if the seat can order
    nothing.
    """
    rules, state = session.rules, session.foreseen(seat)
    if session.over or not rules.offers(state, seat):
        return {}
    # A default is needed as soon as one piece has no order.
    on_file = len(choices(rules, state, seat, session.sheet(seat))) == len(rules.owing(state, seat))
    forfeits = not on_file and session.places[seat].misses + 1 >= allowed
    cautious: list[str] = []
    if not on_file and not forfeits:
        lacking = [one["order"] for one in simultaneous_turns.missing(session, seat)]
        cautious = lacking or [rules.format(rules.cautious(state, seat))]
    return {"on_file": on_file, "forfeits": forfeits, "orders": cautious}


def halted(session: Session, seat: Seat, league: LeagueSettings) -> int:
    """Return the limit of turns between letters if only that stopped a seat's orders, else 0.

    Such a seat is asked although it has orders on file that can be followed.
    """
    place = session.places[seat]
    if not place.asked or place.answered or simultaneous_turns.lacking(session):
        return 0
    silent = silence(session, seat, league.misses_before_forfeit)
    # At the limit all are asked, also those with standing orders (decision 0004).
    most = league.turns_per_letter * turn_cost.pairs(session)
    return most if silent.get("on_file") else 0


def draw_offered(session: Session, seat: Seat) -> list[str]:
    """Return the seats that offer a draw, if this seat can still agree to it."""
    offering = [p.seat for s, p in session.places.items() if p.draw and session.active(s)]
    return offering if seat not in offering and session.active(seat) else []


def team(session: Session, seat: Seat, before: object | None = None) -> Team | None:
    """Return who leads a seat's team and in which order it acts; None if the seat is alone.

    Where all act at once nobody leads. Also None where the same mates took part in a state
    `before`, and act in the order of the set-up.
    """
    captain = session.captain(seat)
    if captain is None or session.simultaneous:
        return None
    # The order is only whom to ask first for a turn (docs/rulings.md, SP-28).
    mates = session.team(seat)
    acting = [mate for mate in mates if session.active(mate)]
    usual = mates == [mate for mate in session.rules.seats(session.state) if mate in mates]
    same = before and len(acting) == len({*mates} & {*session.rules.phase(before).may})
    if usual and same:
        return None
    return {"captain": captain, "acting": acting, "leads": captain == seat}


def crews(session: Session) -> list[Crew]:
    """Return each team with its pilots and players; nothing where each seat plays for itself.

    In a battle that the moderator has set up, nobody knows yet who has which seat.
    """
    if not session.game.staged and max(map(len, session.rules.teams(session.state).values())) == 1:
        return []
    found: dict[str, list[Crewman]] = {}
    for seat, place in session.places.items():
        player = session.store.get(Player, place.player_id).name
        side = session.rules.side(session.state, seat)
        found.setdefault(side, []).append({"seat": seat, "player": player})
    return [{"team": side, "pilots": pilots} for side, pilots in found.items()]
