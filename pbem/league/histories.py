"""HISTORY: a battle's whole account, for whoever asks."""

from re import Match

from engine.said import say
from pbem.games.account import ruled
from pbem.games.session import Session
from pbem.league.own import own_places
from pbem.league.visit import Answer, Refusal, Visit, pay
from pbem.store import Game

STEP = 3000
"""What it costs to tell a step, in units of a Budget."""


def history(visit: Visit, match: Match[str]) -> Answer:
    """Send the account of a battle from its beginning: stories, narration, and rulings."""
    office, game = visit.office, game_meant(visit, match["number"])
    session = Session(office.store, game)
    pay(visit, STEP * game.steps)
    office.outbox.write(
        visit.player,
        "history",
        visit.now,
        ident=("history", game.id, visit.letter.sha256),
        system=game.system,
        rulings=ruled(office.store.rulings.all(game=game.id)),
        **office.reports.account(session, 0),
    )
    return Answer(
        True,
        say("the account of game {game} comes in a letter of its own", game=game.id),
        told=True,
    )


def game_meant(visit: Visit, number: str | None) -> Game:
    """Give the game of a number, be it whose it may unless it is practice, or the player's own."""
    store = visit.office.store
    if number is None:
        return store.games.get(own_places(visit, None)[0].game_id)
    found = store.games.find(id=int(number))
    if found is None:
        raise Refusal(
            say("there is no game {number}", number=number), say("STATUS lists your games")
        )
    if found.practice and store.places.find(game=found.id, player=visit.player.id) is None:
        raise Refusal(
            say("game {game} is practice against the house, and is not made public", game=found.id)
        )
    return found
