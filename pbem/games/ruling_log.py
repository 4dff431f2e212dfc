"""Rulings of the moderator, or of the program: logged with their game, and sent to its players."""

import json
from datetime import datetime

from engine.i18n import packed, say
from engine.registry import rules_of
from pbem.games.places_of_each_player import one_each
from pbem.games.reports.reports import Reports
from pbem.games.session import thread_of
from pbem.storage import Game, Player, Ruling, Store, stored_games


def log(store: Store, game: Game, text: str, now: datetime) -> Ruling:
    """Log a ruling about a game, and return it."""
    # Kept in its parts as well, so that each reader gets it in their own language.
    said = json.dumps(packed(text))
    return store.create(Ruling, game=game.id, after=game.steps, text=text, said=said, made=now)


def rulings_of(store: Store, game: int) -> list[Ruling]:
    """Return the rulings about a game, oldest first."""
    return store.all(Ruling.select().where(Ruling.game == game).order_by(Ruling.id))


def latest(store: Store, most: int) -> list[Ruling]:
    """Return the latest rulings, the latest first."""
    return store.all(Ruling.select().order_by(Ruling.id.desc()).limit(most))


def announce(reports: Reports, game: Game, text: str, now: datetime) -> None:
    """Log a ruling about a game, and send it to each of its players once."""
    row = log(reports.store, game, text, now)
    for place in one_each(stored_games.places_in(reports.store, game.id)):
        reports.outbox.write(
            reports.store.get(Player, place.player_id),
            "notice",
            now,
            ident=("ruling", row.id),
            thread=thread_of(place),
            **reports.about(game, rules_of(game.system), place),
            title=say("Game {game}: a ruling", game=game.id),
            text=say("in game {game} the moderator has ruled: {text}.", game=game.id, text=text),
        )
