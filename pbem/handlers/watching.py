"""WATCH and UNWATCH: the public reports of other players' battles."""

from re import Match

from engine.i18n import say
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Game, Watch


def watch(request: Request, match: Match[str]) -> Answer:
    """Send the public reports of a running battle from now on; or list what the player watches."""
    store, number = request.ports.store, match["number"]
    if number is None:
        return Answer(True, say("you watch {games}", games=_listed(_watched(request))))
    game = store.games.find(id=int(number))
    if game is None:
        raise Refusal(
            say("there is no game {number}", number=number),
            say("WATCH and the number of a running battle"),
        )
    _may(request, game)
    if store.watches.find(game=game.id, player=request.player.id) is None:
        store.watches.insert(game=game.id, player=request.player.id)
    return Answer(
        True,
        say(
            "the public reports of game {number} come to you from now on; for what"
            " has happened so far, write HISTORY {number}",
            number=number,
        ),
    )


def _may(request: Request, game: Game) -> None:
    """Raise Refusal where a battle can't be watched by the player."""
    if request.ports.store.places.find(game=game.id, player=request.player.id) is not None:
        raise Refusal(say("you fight in game {game} yourself, and get its reports", game=game.id))
    if not game.running:
        raise Refusal(
            say("game {game} is over", game=game.id),
            say("HISTORY {game} sends its whole account", game=game.id),
        )
    if game.practice:
        raise Refusal(
            say("game {game} is practice against the house, and is not made public", game=game.id)
        )


def unwatch(request: Request, match: Match[str]) -> Answer:
    """Send no more public reports of a battle."""
    watched, number = _watched(request), match["number"]
    if number is None and len(watched) != 1:
        raise Refusal(
            say("which game? you watch {games}", games=_listed(watched)),
            say("write its number behind it"),
        )
    found = watched[0].game_id if number is None else int(number)
    if not request.ports.store.watches.remove(game=found, player=request.player.id):
        raise Refusal(
            say(
                "you do not watch game {number}; you watch {games}",
                number=found,
                games=_listed(watched),
            )
        )
    return Answer(True, say("no more reports of game {number} come to you", number=found))


def _watched(request: Request) -> list[Watch]:
    return request.ports.store.watches.all(player=request.player.id)


def _listed(watched: list[Watch]) -> str:
    if not watched:
        return say("no battle")
    return say("{games}", games=[say("game {game}", game=row.game_id) for row in watched])
