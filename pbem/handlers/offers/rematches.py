"""REMATCH: the same pilots against the same opponents once more."""

from re import Match

from engine.i18n import say
from pbem.games.meetings import pilots
from pbem.games.session import Session
from pbem.handlers.offers import making, practice
from pbem.handlers.offers.making import Asked, asked, board_of
from pbem.handlers.request import Answer, Refusal, Request
from pbem.storage import Game, Persona, Place, stored_games

_ANEW = say("to fight once more, challenge somebody")
_SHOWN = 5
"""How many battles are named that could be meant."""


def rematch(request: Request, match: Match[str]) -> Answer:
    """Challenge the opponents of a battle that is over again, or practise with the house again."""
    game = _game(request, match["number"])
    if game.running:
        raise Refusal(say("game {game} is not over yet", game=game.id))
    # Its pieces are nobody's pilots (decision 0033).
    if game.staged:
        raise Refusal(say("game {game} was set up by the moderator", game=game.id), _ANEW)
    ones, *rest = _sides(request, game)
    others = [row for team in rest for row in team]
    if game.practice:
        practice.check(request, ones[0])
        return practice.against_house(request, ones[0], game.bots, match["doctrine"])
    if not others:
        raise Refusal(
            say(
                "the referee played the other side in game {game}, and nobody can challenge it",
                game=game.id,
            ),
            say("PATROL WITH {pilot}", pilot=ones[0].name),
        )
    if ones[0].is_guest:
        wanted = Asked(channel=board_of(request, match))
        return making.to_named(request, [ones[:1], [*ones[1:], *others]], wanted)
    return making.to_named(request, [ones, *rest], asked(request, match))


def _game(request: Request, number: str | None) -> Game:
    """Return the battle of a number, the one that the letter answers, or the only one.

    Raise Refusal where the player had no part in it, or where several can be meant.
    """
    store = request.ports.store
    if number is None and request.place is not None:
        number = str(request.place.game_id)
    elif number is None and request.fought is not None:
        number = str(request.fought)
    fought = _fought(request)
    if number is not None:
        game = store.find(Game, int(number))
        if game is None or all(place.game_id != game.id for place in fought):
            raise Refusal(say("you had no part in game {number}", number=number))
        return game
    over = {p.game_id for p in fought if not store.get(Game, p.game_id).running}
    if len(over) == 1:
        return store.get(Game, over.pop())
    latest = sorted(over)[-_SHOWN:]
    if not latest:
        raise Refusal(say("no battle of yours is over yet"))
    raise Refusal(
        say("which game? your last ones are {numbers}", numbers=latest),
        say("REMATCH {number}", number=latest[-1]),
    )


def _fought(request: Request) -> list[Place]:
    """Return the places of the player's own pilots, no matter who played them."""
    store = request.ports.store
    # By the pilots: a battle that a substitute finished is its owner's (docs/rulings.md, SP-29).
    mine = [row.id for row in store.of_player(Persona, request.player.id)]
    return stored_games.places(store, persona__in=mine) if mine else []


def _sides(request: Request, game: Game) -> list[list[Persona]]:
    """Return the pilots of a game's sides, the player's own side and pilot first."""
    sides = pilots(Session(request.ports.store, game))
    own = next(s for s in sides if any(r.player_id == request.player.id for r in sides[s]))
    # The first of a team is the challenger (`OfferedBattle.made_by`).
    ones = sorted(sides.pop(own), key=lambda row: row.player_id != request.player.id)
    return [ones, *sides.values()]
