"""Orders in a letter about one battle that fit another battle of the same player."""

from collections.abc import Sequence
from dataclasses import replace

from engine.i18n import say
from engine.orders.line_shapes import clean
from engine.orders.orders_on_file import Written
from engine.orders.reading import LineReader
from engine.ruleset import Near
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers.request import Request
from pbem.storage import Game, stored_games

_MOST_GAMES, _MOST_LINES = 5, 20
"""In so many other battles, and for so many lines, it is looked for an order that fits."""


def fitting(request: Request, lines: Sequence[str], besides: int = 0) -> dict[str, list[int]]:
    """Return which battles of a player, besides one, take lines as orders, by the lines."""
    found: dict[str, list[int]] = {}
    wanted = [line for line in dict.fromkeys(map(str.strip, lines)) if clean(line)][:_MOST_LINES]
    if not wanted:
        return found
    store = request.ports.store
    places = [
        one for one in stored_games.places_of(store, request.player.id) if one.game_id != besides
    ]
    for place in places[:_MOST_GAMES]:
        session, seat = Session(store, store.get(Game, place.game_id)), Seat(place.seat)
        if not session.active(seat):
            continue
        reader = LineReader(session.rules, session.state, seat, request.language)
        for line in wanted:
            games = found.setdefault(line, [])
            if place.game_id not in games and isinstance(reader.orders(line), list):
                games.append(place.game_id)
    return {line: games for line, games in found.items() if games}


def only_fit(request: Request, lines: Sequence[str]) -> int:
    """Return the only battle that takes all of a letter's orders; 0 if there is none or several."""
    found = fitting(request, lines).values()
    common = set.intersection(*map(set, found)) if found else set[int]()
    return common.pop() if len(common) == 1 else 0


def _naming(line: str, games: Sequence[int]) -> Near:
    """Return the hint to a line that it is an order for a battle, or for one of several."""
    several = tuple(say("GAME {game}\n{order}", game=game, order=line) for game in games)
    return Near(line, several[0], several=several)


def named_elsewhere(request: Request, session: Session, text: str, written: Written) -> Written:
    """Return what a text is for a battle, with a hint for each line that fits another battle."""
    near = [one.text for one in written.near]
    fits = fitting(request, [*near, *written.words], session.game.id)
    if not fits:
        return written
    hints = [_naming(line, games) for line, games in fits.items()]
    return replace(
        written,
        near=(*(one for one in written.near if one.text.strip() not in fits), *hints),
        words=tuple(line for line in written.words if line.strip() not in fits),
        kinds=tuple(
            "near" if line.strip() in fits and kind == "words" else kind
            for line, kind in zip(text.splitlines(), written.kinds, strict=True)
        ),
    )
