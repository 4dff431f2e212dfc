"""GM PROXY, PROCESS and PREDICT: rulings about orders."""

from re import Match

from engine import codec
from engine.i18n import say
from engine.orders.orders_on_file import Sheet, Written, lines
from engine.orders.reading import read_for
from engine.preview.budget import Budget
from engine.preview.forecast import Forecast, forecast
from engine.seats import Seat
from pbem.games import ruling_log, turn_cost
from pbem.games.session import Session, game_id, thread_of
from pbem.handlers.request import Refusal, too_dear
from pbem.handlers.ruling_request import (
    RulingRequest,
    is_moderator,
    log,
    moderator,
    proclaim,
    running,
    seat_named,
)
from pbem.storage import Place, Player, stored_games


def proxy(request: RulingRequest, match: Match[str]) -> str:
    """File the orders below the ruling for a pilot, as if its player had sent them."""
    ports = request.ports
    game, place = seat_named(request, match["name"], match["number"])
    session, seat = Session(ports.store, game), Seat(place.seat)
    if not session.active(seat):
        raise Refusal(say("{seat} is out of game {game}", seat=seat, game=place.game_id))
    written = _written(request, session, seat)
    # No words: a moderator's letter adds nothing to the dice.
    ports.referee.file(session, seat, written, request.now, words=None)
    session.save()
    text = log(request, session.game, say("the moderator gives orders for {seat}", seat=seat))
    _tell(request, session, place, written)
    ports.referee.advance(session, request.now)
    return text


def _written(request: RulingRequest, session: Session, seat: Seat) -> Written:
    """Read the orders below the ruling; raise Refusal where a line is not an order."""
    written = read_for(session.rules, session.state, seat, "\n".join(request.below))
    odd = [near.text for near in written.near] + [line for line in written.words if line.strip()]
    if odd:
        raise Refusal(say("{line!r} is not an order; nothing was put on file", line=odd[0]))
    if written.empty:
        raise Refusal(
            say("there are no orders below it"),
            say("write each on a line of its own below the line with GM PROXY"),
        )
    return written


def _tell(request: RulingRequest, session: Session, place: Place, written: Written) -> None:
    """Notify the player, and nobody else, which orders the moderator filed for the pilot.

    A moderator who keeps the place gets the answer alone.
    """
    ports = request.ports
    player = ports.store.get(Player, place.player_id)
    if is_moderator(ports, player):
        return
    # The ruling that `proxy` has just logged: its number makes the letter's Message-ID unique.
    [ruling] = ruling_log.latest(ports.store, 1)
    ports.outbox.write(
        player,
        "proxied",
        request.now,
        ident=(ruling.id,),
        thread=thread_of(place),
        **ports.reports.about(session.game, session.rules, place),
        pilot=place.seat,
        orders=list(written.queue),
        standing=lines(written.standing or Sheet()),
    )


def process(request: RulingRequest, match: Match[str]) -> str:
    """Continue a game at once with the orders on file; nobody is counted as silent."""
    game = running(request, match["number"])
    if game.paused is not None:
        raise Refusal(
            say("game {game} is paused", game=game.id), say("GM RESUME {game}", game=game.id)
        )
    text = proclaim(request, game, say("the game goes on at once, with the orders on file"))
    session = Session(request.ports.store, game)
    # The Refusal rolls the announcement back as well.
    if not request.ports.referee.process(session, request.now):
        raise Refusal(say("nobody who is to act in game {game} has a legal order", game=game.id))
    return text


def predict(request: RulingRequest, match: Match[str]) -> str:
    """Return what the orders on file would do at the deadline.

    Raise Refusal where the moderator has a place in the game, because nobody in a battle may know
    the other side's orders.
    """
    game = running(request, match["number"])
    own = moderator(request.ports)
    if own is not None and stored_games.places(request.ports.store, game=game.id, player=own.id):
        raise Refusal(
            say(
                "you fight in game {game} yourself, and what the other side has ordered is for"
                " nobody in it to know",
                game=game.id,
            ),
            say("PREVIEW shows what your own orders would do"),
        )
    session, limits = Session(request.ports.store, game), request.ports.settings.limits
    league = request.ports.settings.league
    found = forecast(
        session.rules,
        session.state,
        {seat: codec.decode(place.sheet, Sheet) for seat, place in session.places.items()},
        {seat for seat, place in session.places.items() if place.asked},
        league.turns_per_letter * turn_cost.pairs(session),
        f"{game_id(game.id)} {game.steps}",
        # A ruling from the shell comes without a budget, and trials need one to end.
        request.budget or Budget(limits.letter_cost),
        forced=league.forced_moves,
    )
    if found is None:
        raise too_dear()
    return _foretold(session, found)


def _foretold(session: Session, found: Forecast) -> str:
    seat, order = found.first
    begins = say("{seat} with {order}", seat=seat, order=order) if seat else say("nobody")
    sides = {session.rules.side(session.state, s) for s in session.rules.seats(session.state)}
    ends = [say("{side} wins in {n}", side=side, n=found.won[side]) for side in sorted(sides)]
    return say(
        "game {game}, tried out {trials} times with dice of its own: {ends}, {drawn} are drawn and"
        " {open} go on; {turns} turns on average. To begin: {begins}. Nothing was logged",
        game=session.game.id,
        trials=found.trials,
        ends=ends,
        drawn=found.drawn,
        open=found.trials - found.drawn - sum(found.won.values()),
        turns=found.turns,
        begins=begins,
    )
