"""WATCH and UNWATCH: another's battle, followed by mail as all may know it."""

from re import Match

from pbem.league.visit import Answer, Refusal, Visit
from pbem.store import Game, Watch


def watch(visit: Visit, match: Match[str]) -> Answer:
    """Send the public reports of a running battle from now on; or tell what is watched."""
    store, number = visit.office.store, match["number"]
    if number is None:
        return Answer(True, f"you watch {_listed(_watched(visit))}")
    game = store.games.find(id=int(number))
    if game is None:
        raise Refusal(f"there is no game {number}", "WATCH and the number of a running battle")
    _may(visit, game)
    if store.watches.find(game=game.id, player=visit.player.id) is None:
        store.watches.insert(game=game.id, player=visit.player.id)
    return Answer(
        True,
        f"the public reports of game {number} come to you from now on; for what has happened"
        f" so far, write HISTORY {number}",
    )


def _may(visit: Visit, game: Game) -> None:
    """Raise Refusal for a battle that can't be watched."""
    if visit.office.store.places.find(game=game.id, player=visit.player.id) is not None:
        raise Refusal(f"you fight in game {game.id} yourself, and get its reports")
    if not game.running:
        raise Refusal(f"game {game.id} is over", f"HISTORY {game.id} sends its whole account")
    if game.house:
        raise Refusal(f"game {game.id} is practice against the house, and is not made public")


def unwatch(visit: Visit, match: Match[str]) -> Answer:
    """Send no more reports of a battle that was watched."""
    watched, number = _watched(visit), match["number"]
    if number is None and len(watched) != 1:
        raise Refusal(f"which game? you watch {_listed(watched)}", "write its number behind it")
    found = watched[0].game_id if number is None else int(number)
    if not visit.office.store.watches.remove(game=found, player=visit.player.id):
        raise Refusal(f"you do not watch game {found}; you watch {_listed(watched)}")
    return Answer(True, f"no more reports of game {found} come to you")


def _watched(visit: Visit) -> list[Watch]:
    return visit.office.store.watches.all(player=visit.player.id)


def _listed(watched: list[Watch]) -> str:
    return ", ".join(f"game {row.game_id}" for row in watched) or "no battle"
