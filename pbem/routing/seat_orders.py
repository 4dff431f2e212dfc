"""Seat orders: what a part of a letter orders for its seat, and the story that it tells."""

from dataclasses import dataclass, replace
from functools import cached_property

from engine.errors import AmbiguousOrder
from engine.fair_dice import Words
from engine.i18n import say
from engine.orders.orders_on_file import Sheet, Written
from engine.orders.reading import read_for
from engine.ruleset import Near
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers.request import Answer, Request, private_way
from pbem.routing.courtesies import is_courtesy
from pbem.routing.line_kinds import Lines, Part
from pbem.routing.orders_for_other_battle import named_elsewhere
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
    part: Part
    written: Written
    answering: str = ""

    @property
    def place(self) -> Place:
        """Return the place that the part is for."""
        assert self.part.place is not None
        return self.part.place

    @property
    def story(self) -> list[str] | None:
        """Return what others may read, None where the part has no STORY."""
        return self.part.story

    @cached_property
    def seat(self) -> Seat:
        """Return the seat that the part is for."""
        return Seat(self.place.seat)

    @cached_property
    def is_stuck(self) -> bool:
        """Return whether the seat must act now and none of its orders on file is possible."""
        unready = self.request.ports.referee.unready
        return not self.session.simultaneous and self.seat in unready(self.session)

    @property
    def words(self) -> Words:
        """Return what the part adds to the dice: the message's name and the part's SALT lines."""
        return self.request.words_after(self.session.words[self.seat], self.written.salts)


def read_part(request: Request, found: Lines, session: Session, part: Part) -> Written:
    """Return what a part of a letter says for its place."""
    assert part.place is not None
    text, game = "\n".join(part.lines), session.game
    # READY beside it needs it too, and to read it costs most of all.
    key = part.place.id, game.steps, text
    if key not in found.written:
        seat, language = Seat(part.place.seat), request.language
        own = session.doctrines(seat)
        written = read_for(session.rules, session.state, seat, text, language, game.turn, own)
        odd = written.near or written.words
        found.written[key] = named_elsewhere(request, session, text, written) if odd else written
    return found.written[key]


def for_all_to_read(request: Request, found: Lines, session: Session, written: Written) -> Written:
    """Return what of a part counts that everybody can read: no order that is to stay secret.

    What does not is refused, with where it may be written.
    """
    if not request.public:
        return written
    refused = list[str]()
    if session.simultaneous and (written.queue or written.standing):
        refused.append(say("here all orders are secret until the turn is played"))
        written = replace(written, queue=(), standing=None)
    if written.standing is not None:
        refused.append(say("standing orders are secret"))
        written = replace(written, standing=None)
    if written.salts:
        refused.append(say("a SALT that everybody can read protects no dice"))
        written = replace(written, salts=())
    found.answers += [Answer(False, text, private_way(request)).facts("") for text in refused]
    return written


def sorted_out(seat_orders: SeatOrders) -> SeatOrders:
    """Return a part with the orders that count."""
    written = _bounded(seat_orders, _without_ambiguous(seat_orders))
    # The words of farewells are like some orders, and what a yes is enough for is asked about.
    asked = {one.wrote for one in seat_orders.part.unsure}
    near = tuple(
        near
        for near in written.near
        if near.text.strip() not in asked and not is_courtesy(near.text)
    )
    return replace(seat_orders, written=replace(written, near=near))


def _without_ambiguous(seat_orders: SeatOrders) -> Written:
    """Return a part's orders with those as near misses that are ambiguous, or never possible.

    Examples are an order that names no opponent where there are several, and one that its piece
    can never carry out. In the queue such an order would block all orders after it.
    """
    session, seat, written = seat_orders.session, seat_orders.seat, seat_orders.written
    telling, queue, near = session.rules.telling, [], [*written.near]
    for text in written.queue:
        try:
            order = session.rules.parse(session.state, seat, text)
        except AmbiguousOrder as error:
            near.append(Near(_readable(seat_orders, text), error.hint, several=error.meant))
            continue
        why = session.rules.refusal(session.state, seat, order) if telling.lasting else None
        if why in telling.lasting:
            near.append(Near(_readable(seat_orders, text), telling.explain(why), why=True))
        else:
            queue.append(text)
    return replace(written, queue=tuple(queue), near=tuple(near))


def _readable(seat_orders: SeatOrders, order: str) -> str:
    """Return an order in the words of its player's language."""
    translation = seat_orders.session.rules.translations.get(seat_orders.request.language)
    return translation.shown(order) if translation else order


def _bounded(seat_orders: SeatOrders, written: Written) -> Written:
    """Return a part without its orders, and report that, where it has more than the limit."""
    most = seat_orders.request.ports.settings.limits.order_lines
    sheet = written.standing or Sheet()
    if len(written.queue) + len(sheet.rules) + len(sheet.elses) <= most:
        return written
    text = say("more than {most} orders in one letter", most=most)
    seat_orders.found.answers.append(Answer(False, text).facts(""))
    return Written((), None, written.near, written.words)
