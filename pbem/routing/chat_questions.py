"""Questions that are answered in one line in a chat room: HELP, ODDS, STATUS, RULES and VERIFY."""

from collections.abc import Callable, Mapping
from typing import Any

from engine.orders.line_shapes import clean
from pbem.games import live_battles
from pbem.games.reports import seat_facts
from pbem.games.session import Session, game_id
from pbem.handlers.order_words import in_english
from pbem.routing.board_message import Posted
from pbem.storage import Game, stored_games


def named(posted: Posted) -> str | None:
    """Return which question a line is, in English or in its player's language, or None."""
    word = in_english(clean(posted.text).rstrip("?.!"), posted.language).upper()
    return word if word in _QUESTIONS else None


def answer(posted: Posted) -> None:
    """Answer a question where it was asked: in the room, or to its writer alone."""
    word = named(posted)
    assert word is not None
    message, letter, ports = posted.message, posted.letter, posted.ports
    assert message is not None
    alone = message.account if message.private else ""
    ports.posts.write(
        "answer",
        posted.now,
        ident=f"A{letter.id}",
        thread=f"@{alone}" if alone else letter.thread,
        system=_system(posted),
        only=letter.channel,
        to=alone,
        word=word,
        name=message.name or message.account,
        **_QUESTIONS[word](posted),
    )


def _system(posted: Posted) -> str:
    """Return the system of the battle that a question is about, or else the league's first."""
    store, place = posted.ports.store, posted.place
    if place is None:
        return posted.ports.settings.league.systems[0]
    return store.get(Game, place.game_id).system


def _help(posted: Posted) -> Mapping[str, Any]:
    return {"room": posted.letter.channel}


def _odds(posted: Posted) -> Mapping[str, Any]:
    """Return what a player may order now, with chances; in public only what all may know."""
    place = posted.place
    if place is None:
        return {"game": "", "offers": [], "hidden": False}
    session = Session(posted.ports.store, posted.ports.store.get(Game, place.game_id))
    message = posted.message
    hidden = not session.is_open and message is not None and not message.private
    offers = [] if hidden else seat_facts.offers(session, session.seat_of(place.id))
    return {"game": game_id(place.game_id), "offers": offers, "hidden": hidden}


def _status(posted: Posted) -> Mapping[str, Any]:
    """Return a player's battles, each with who is to act and how much time is left."""
    store, player, rows = posted.ports.store, posted.player, list[dict[str, Any]]()
    for place in stored_games.places_of(store, player.id):
        game = store.get(Game, place.game_id)
        left = None if game.deadline is None else game.deadline - posted.now
        rows.append(
            {
                "game": game_id(game.id),
                "seat": place.seat,
                "asked": place.asked and not place.answered,
                "stands": game.live,
                "left": None if left is None else max(0, int(left.total_seconds())),
            }
        )
    return {"games": rows}


def _rules(posted: Posted) -> Mapping[str, Any]:
    return {}


def _verify(posted: Posted) -> Mapping[str, Any]:
    """Return where the proof of a battle's dice is."""
    store = posted.ports.store
    game = live_battles.latest_in_room(store, posted.letter.channel)
    if posted.place:
        game = store.get(Game, posted.place.game_id)
    return {
        "game": game.id if game else None,
        "commitment": game.commitment if game else "",
    }


_QUESTIONS: Mapping[str, Callable[[Posted], Mapping[str, Any]]] = {
    "HELP": _help,
    "ODDS": _odds,
    "STATUS": _status,
    "RULES": _rules,
    "VERIFY": _verify,
}
