"""WAIT, READY, STORY, DRAW, TAKEOVER: when a battle goes on or ends early, and who plays."""

from collections.abc import Sequence
from datetime import timedelta
from re import Match

from engine.i18n import Said, say
from engine.seats import Seat
from pbem.games import live_battles, meetings, simultaneous_turns
from pbem.games.places_of_each_player import one_each
from pbem.games.session import Session
from pbem.handlers.battles import live_play
from pbem.handlers.names.own_pilots_and_places import own_places, running_places
from pbem.handlers.request import Answer, Refusal, Request
from pbem.i18n.days import day
from pbem.people import tokens
from pbem.storage import Game, Persona, Place, Player, stored_games

_OPEN_PLACES = say("{order} lists the places that are open", order=say("GAMES"))


def story(request: Request, match: Match[str] | None) -> Answer:
    """Refuse a story where nobody can know of which battle of the player's it tells."""
    if not (mine := stored_games.places_of(request.ports.store, request.player.id)):
        raise Refusal(say("you are in no running game, so nobody has seen your story"))
    hint = say("a line such as GAME {number} above the word STORY", number=mine[0].game_id)
    raise Refusal(say("say which game the story is for; nobody has seen it yet"), hint)


def wait(request: Request, match: Match[str]) -> Answer:
    """Hold a turn of simultaneous orders until its deadline, or until the player writes READY."""
    session, mine = running_places(request, match["number"])
    game, title = session.game.id, session.rules.title
    if not session.simultaneous:
        why = say("in {title} one acts after the other, and nothing waits", title=title)
        hint = say(
            "whoever is asked has until the deadline; {order} goes on sooner", order=say("READY")
        )
        raise Refusal(why, hint)
    for place in mine:
        stored_games.change_place(request.ports.store, place.id, waiting=True)
    until = say(
        "game {game} is held until its deadline, or your {order}", game=game, order=say("READY")
    )
    return Answer(True, until, title=say("Game {game} is held", game=game))


def ready(request: Request, match: Match[str]) -> Answer:
    """Continue a battle with the orders on file, without waiting for the deadline.

    Where the same letter holds orders or a story for that battle, these are filed first.
    """
    session, mine = running_places(request, match["number"])
    game = session.game
    if game.live == live_battles.READY:
        return live_play.ready(request, session, mine)
    asked = [session.seat_of(place.id) for place in mine if place.asked or place.waiting]
    if not asked:
        return Answer(True, say("game {game} does not wait for you", game=game.id))
    for seat in asked:
        session.change(seat, waiting=False)
        # READY adds to the dice as orders do: the latest words of each seat count (docs/dice.md).
        session.speak(seat, request.words_after(session.words[seat], request.salts))
        request.ports.referee.note_letter(session, seat, request.now)
    # `ready_in` leaves the rest to the battle orders, which run the game after filing theirs.
    first = not request.bare or not (session.simultaneous or session.held_up_by)
    if game.id in request.games and first:
        session.save()
        return Answer(True, "", ready_in=game.id)
    filled = simultaneous_turns.complete(session, request.player.id)
    if request.bare:
        session.answer(request.player.id, request.letter.message_id)  # the next report is the reply
    if request.ports.referee.advance(session, request.now):
        return Answer(
            True, say("game {game} goes on; the report follows", game=game.id), separate=True
        )
    waiting, unready = session.held_up_by, request.ports.referee.unready(session)
    unable = [seat for seat in asked if seat in waiting or seat in unready]
    if unable:
        text = say(
            "{seat} has no legal order in game {game}; send orders", seat=unable[0], game=game.id
        )
        return Answer(False, text)
    return Answer(True, _still_waiting(session, filled, waiting), title=say("You are ready"))


def _still_waiting(session: Session, filled: Sequence[str], waiting: Sequence[Seat]) -> Said:
    """Return what to answer who is ready while the game waits for others.

    `filled` are the pieces that the referee fills in an order for.
    """
    game = session.game.id
    if not session.simultaneous:
        return say("you are ready, and game {game} waits for {waiting}", game=game, waiting=waiting)
    # The names are left out: opponents may not know who has sent orders already.
    if filled:
        return say(
            "you are ready; the referee fills in an order for {pieces}, and game {game} waits for"
            " others",
            pieces=filled,
            game=game,
        )
    return say("you are ready, and game {game} waits for others", game=game)


def draw(request: Request, match: Match[str]) -> Answer:
    """Offer a draw, or accept the one that is offered."""
    session, mine = running_places(request, match["number"])
    game = session.game
    for place in mine:
        session.change(session.seat_of(place.id), draw=True)
    if request.ports.referee.draw(session, request.now):
        return Answer(
            True,
            say("game {game} ends in a draw; its last report follows", game=game.id),
            separate=True,
        )
    others = [p for s, p in session.places.items() if session.active(s) and not p.draw]
    # One letter for each player, even if several of their pilots must agree.
    for other in one_each(others):
        _offer_draw(request, session, other, mine[0].seat)
    text = say(
        "a draw is offered in game {game}; it stands until you write {order}",
        game=game.id,
        order=say("NO DRAW {game}", game=game.id),
    )
    if len(session.places) > 2:
        text = say("{text}; {pilots} must still agree", text=text, pilots=[p.seat for p in others])
    return Answer(True, text, title=say("You offer a draw in game {game}", game=game.id))


def _offer_draw(request: Request, session: Session, other: Place, seat: str) -> None:
    """Notify a player that a draw is offered."""
    ports, game = request.ports, session.game
    ports.outbox.write(
        ports.store.get(Player, other.player_id),
        "draw_offer",
        request.now,
        ident=(game.id, other.seat, request.letter.sha256),
        **ports.reports.about(game, session.rules, other, f"DRAW {game.id}"),
        offered_by=seat,
    )


def no_draw(request: Request, match: Match[str]) -> Answer:
    """Withdraw the player's offer of a draw."""
    store, places = request.ports.store, own_places(request, match["number"])
    game = places[0].game_id
    if not any(place.draw for place in places):
        raise Refusal(say("you have not offered a draw in game {game}", game=game))
    for place in places:
        stored_games.change_place(store, place.id, draw=False)
    text = say("your offer of a draw in game {game} is taken back", game=game)
    return Answer(True, text, title=say("No draw in game {game}", game=game))


def takeover(request: Request, match: Match[str]) -> Answer:
    """Take over an open place; the pilot still belongs to its owner."""
    ports = request.ports
    game = ports.store.find(Game, int(match["number"]))
    if game is None:
        raise Refusal(say("there is no game {game}", game=match["number"]), _OPEN_PLACES)
    if not game.running:
        raise Refusal(say("game {game} is over", game=game.id), _OPEN_PLACES)
    place = _open_place(request, game, match["seat"])
    _has_no_interest(request, game, place)
    ports.referee.seating.hand_over(game, place, request.player, request.words, request.now)
    done = say("you have taken {seat} over in game {game}", seat=place.seat, game=game.id)
    title = say("You play {seat} in game {game} now", seat=place.seat, game=game.id)
    return Answer(True, say("{done}; its report follows", done=done), title=title)


def _open_place(request: Request, game: Game, seat: str | None) -> Place:
    """Return the open place that is meant.

    Raise Refusal where there is none, or more than one, or the player has a part in the game.
    """
    places = stored_games.places_in(request.ports.store, game.id)
    fit = [place for place in places if place.vacant]
    if seat is not None:
        fit = [place for place in fit if place.seat.casefold() == seat.casefold()]
    if not fit:
        raise Refusal(say("no such place in game {game} is open", game=game.id), _OPEN_PLACES)
    if len(fit) > 1:
        seats = [place.seat for place in fit]
        example = say("TAKEOVER {game} AS {seat}", game=game.id, seat=fit[0].seat)
        raise Refusal(say("which place? open are {seats}", seats=seats), example)
    # Nobody leads two sides of one battle (docs/rulings.md, SP-29).
    if any(_is_in(request, place) for place in places if place.id != fit[0].id):
        raise Refusal(say("you have a place in game {game} already", game=game.id))
    if fit[0].player_id == request.player.id:
        keep = say("send orders or {order} to keep it", order=say("READY"))
        raise Refusal(say("{seat} is yours still", seat=fit[0].seat), keep)
    return fit[0]


def _is_in(request: Request, place: Place) -> bool:
    """Return whether a place or its persona is or was the player's, who then knows its orders."""
    # A token of the place shows that the player got its reports before.
    store, player = request.ports.store, request.player.id
    owner = store.get(Persona, place.persona_id).player_id
    return player in (place.player_id, owner) or tokens.stood_for(store, place.id, player)


def _has_no_interest(request: Request, game: Game, place: Place) -> None:
    """Raise Refusal where the player may want the place to lose, as a recent friend or rival might.

    That is a player who was in a battle with the place's owner, or with somebody of the other side,
    within the league's `takeover_days`, as an ally or an opponent.
    """
    store, days = request.ports.store, request.ports.settings.limits.takeover_days
    owner = store.get(Persona, place.persona_id).player_id
    # With 0 there is no limit; and owners may always take their pilots back.
    if not days or owner == request.player.id:
        return
    # Otherwise a friend of the other side could take the place over to lose the battle.
    foes = {one for side in meetings.sides(store, game) if owner not in side for one in side}
    since = request.now - timedelta(days=days)
    if meetings.met_since(store, request.player.id, {owner, *foes}, since):
        raise Refusal(
            say(
                "since {day} you have been in a battle with a player of game {game}; so that"
                " nobody has to doubt how it ends, somebody else must take {seat} over",
                day=day(since),
                game=game.id,
                seat=place.seat,
            ),
            _OPEN_PLACES,
        )
