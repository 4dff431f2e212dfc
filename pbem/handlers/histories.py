"""HISTORY: the whole account of a battle, for everybody who asks."""

from re import Match

from engine.i18n import say
from pbem.games import drawings
from pbem.games.battle_account import ruled
from pbem.games.session import Session
from pbem.handlers.lookup import own_places
from pbem.handlers.request import Answer, Refusal, Request, pay
from pbem.storage import Game

STEP = 3000
"""What the account of one step costs, in units of a Budget."""


def history(request: Request, match: Match[str]) -> Answer:
    """Send the account of a battle from its beginning: stories, narration and rulings."""
    ports, game = request.ports, game_meant(request, match["number"])
    session = Session(ports.store, game)
    pay(request, STEP * game.steps)
    ports.outbox.write(
        request.player,
        "history",
        request.now,
        ident=("history", game.id, request.letter.sha256),
        system=game.system,
        pictures=drawings.for_history(
            ports.outbox.renderer, ports.settings, session, request.player
        ),
        rulings=ruled(ports.store.rulings.all(game=game.id)),
        **ports.reports.account(session, 0),
    )
    return Answer(
        True,
        say("the account of game {game} comes in a letter of its own", game=game.id),
        separate=True,
    )


def game_meant(request: Request, number: str | None) -> Game:
    """Return the game of a number, or without one the player's own game.

    Raise Refusal where there is no such game, or it is another player's practice.
    """
    store = request.ports.store
    if number is None:
        return store.games.get(own_places(request, None)[0].game_id)
    found = store.games.find(id=int(number))
    if found is None:
        raise Refusal(
            say("there is no game {number}", number=number), say("STATUS lists your games")
        )
    if found.practice and store.places.find(game=found.id, player=request.player.id) is None:
        raise Refusal(
            say("game {game} is practice against the house, and is not made public", game=found.id)
        )
    return found
