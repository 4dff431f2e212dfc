"""Answers to battle orders: how they were understood, what is filed, and what came too late."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NotRequired, TypedDict

from engine import fair_dice
from engine.fair_dice import Words
from engine.odds import Odds, odds
from engine.order_sheet import Sheet, Written, lines
from engine.seats import Seat
from pbem.games import seat_options, simultaneous
from pbem.games.session import Session, game_id, thread_of
from pbem.handlers.request import OrderAnswer, Request
from pbem.routing.line_kinds import Lines
from pbem.routing.order_dispatch import KeptLines, MoreNear, NearLine, keeps, nears, printed_sheets
from pbem.scrub import shown
from pbem.storage import Place


@dataclass(frozen=True)
class SeatOrders:
    """One part of a letter while it is handled: what it orders for one seat of a game.

    `found` is what else the letter says, and `answering` the letter's Message-ID. Only the first
    part has them, because a letter is answered once.
    """

    request: Request
    found: Lines
    session: Session
    place: Place
    written: Written
    answering: str

    @cached_property
    def seat(self) -> Seat:
        """Return the seat that the part is for."""
        return Seat(self.place.seat)

    @property
    def words(self) -> Words:
        """Return what the part adds to the dice: the Message-ID and the part's SALT lines."""
        return fair_dice.words_of(self.request.letter.message_id, self.written.salts)


class Understood(TypedDict):
    """What a letter's battle orders were understood as; `standing` are the orders then in force.

    `unclear` says what is amiss with new standing orders, `filed` is whether it held any orders.
    `queued` is what stays on file of earlier letters, and `dropped` what does not; `lacking` is
    what has no order yet, and `ready` is true where the player does not want to wait for that.
    """

    orders: list[seat_options.Weighed]
    near: list[NearLine | MoreNear]
    story: list[str]
    kept: list[KeptLines]
    unclear: list[str]
    filed: bool
    later: bool
    salts: int
    replaced: bool
    dropped: list[str]
    answers: list[OrderAnswer]
    waiting_for: list[Seat]
    standing: NotRequired[list[str]]
    queued: NotRequired[list[str]]
    lacking: NotRequired[list[simultaneous.Missing]]
    ready: NotRequired[bool]


def understood(seat_orders: SeatOrders) -> Understood:
    """Return the facts of the acknowledgement: orders with chances, and what was not understood."""
    written, found = seat_orders.written, seat_orders.found
    return {
        "orders": [
            seat_options.weigh(seat_orders.session, seat_orders.seat, text)
            for text in written.queue
        ],
        "near": nears([*found.near, *written.near]),
        "story": [shown(line) for line in written.story if line.strip()],
        "kept": keeps(found.kept),
        "unclear": seat_options.unclear(
            seat_orders.session, seat_orders.seat, written.standing or Sheet()
        ),
        "filed": not written.empty,
        "later": seat_orders.session.simultaneous,
        "salts": len(written.salts),
        "replaced": False,
        "dropped": [],
        "answers": found.answers,
        "waiting_for": [],
    }


def in_force(seat_orders: SeatOrders) -> list[str]:
    """Return the standing orders that are in force if a part's orders are filed."""
    standing = seat_orders.written.standing
    return lines(seat_orders.session.sheet(seat_orders.seat) if standing is None else standing)


def trial_odds(seat_orders: SeatOrders) -> Odds | None:
    """Return how the battle may continue, from trials with dice of their own.

    The dice do not depend on the game's secret, so a PREVIEW shows nothing of the real ones.
    Return None where the letter has cost too much already.
    """
    session = seat_orders.session
    sheet = session.merged(seat_orders.seat, seat_orders.written)
    seed = f"{game_id(session.game.id)} {session.game.steps}"
    budget = seat_orders.request.budget
    return odds(session.rules, session.state, seat_orders.seat, sheet, seed, budget)


def acknowledge(seat_orders: SeatOrders, kind: str, facts: Understood, **more: object) -> None:
    """Queue the acknowledgement of a part, of a kind."""
    session, place = seat_orders.session, seat_orders.session.places[seat_orders.seat]
    ports, player = seat_orders.request.ports, seat_orders.request.player
    if seat_orders.found.answers:  # an order of this letter may have changed the player's time zone
        player = ports.store.players.get(player.id)
    deadline = ports.reports.moment(session.game.deadline, player)
    asked = place.asked and not place.answered
    shown = {
        "offers": [],
        "plan": [],
        "queued": [],
        "lacking": [],
        "ready": False,
        **facts,
        **more,
        "deadline": deadline,
        "asked": asked,
    }
    _write(seat_orders, kind, thread=thread_of(place), **shown)


def stale(seat_orders: SeatOrders, turn: int | None) -> None:
    """Answer that orders came too late for their turn, and list what may be ordered now."""
    written, session, seat = seat_orders.written, seat_orders.session, seat_orders.seat
    standing = [] if written.standing is None else lines(written.standing)
    out = not session.over and not session.active(seat)
    late = session.over or out
    _write(
        seat_orders,
        "stale",
        over=session.over,
        out=out,
        answered=turn,
        not_taken=list(written.queue),
        standing=standing,
        offers=[] if late else seat_options.offers(session, seat),
        plan=[] if late else simultaneous.plan(session, seat),
        asked=seat_orders.place.asked and not seat_orders.place.answered,
        answers=seat_orders.found.answers,
        near=nears(seat_orders.found.near),
    )


def _write(seat_orders: SeatOrders, kind: str, **facts: Any) -> None:
    """Queue the answer to a part of a letter."""
    request, game = seat_orders.request, seat_orders.session.game
    suggested = _suggested(seat_orders) if seat_orders.written.near else ""
    request.ports.outbox.write(
        request.player,
        kind,
        request.now,
        ident=(request.letter.sha256, seat_orders.seat),
        reply=request.ports.reports.reply(game, seat_orders.place, suggested),
        system=game.system,
        answering=seat_orders.answering,
        game=request.ports.reports.game(game),
        attachments=printed_sheets(request, facts["answers"]),
        pilot=seat_orders.seat,
        mates=len(seat_orders.session.team(seat_orders.seat)) - 1,
        **facts,
    )


def _suggested(seat_orders: SeatOrders) -> str:
    """Return the only order that the answer suggests, "" where it is none or several."""
    if seat_orders.found.near or not seat_orders.written.empty:
        return ""
    meant = [order for near in seat_orders.written.near for order in near.meant]
    return meant[0] if len(meant) == 1 else ""
