"""Checks a league's database against itself: reports what differs, and repairs nothing."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine import codec, registry
from engine.orders.orders_on_file import Sheet
from pbem.games import export, step_log
from pbem.games.session import Session
from pbem.games.step_log import rebuild
from pbem.maintenance.fsck_rows import PARTS, Found
from pbem.storage import Game, Pledge, Store, StoreDown, copies, stored_games

Track = Callable[[list[Game]], Iterable[Game]]
"""Something that shows the progress of a list that is gone through."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong: in which part of the database, where, and what."""

    part: str
    where: str
    text: str


def inspect(url: str, track: Track = iter) -> Iterator[Fault]:
    """Check a league's database as it is at one moment, on a copy: the daemon may go on.

    If SQLite itself finds damage, nothing else is checked.
    """
    file = copies.file_of(url)
    if file is not None and (faults := copies.damage(file)):
        yield from (Fault("database", file.name, text) for text in faults)
        return
    with TemporaryDirectory(prefix="pbem-") as folder:
        copy = Path(folder) / "league.db"
        try:
            copies.copy(url, copy)
            store = Store(f"sqlite:///{copy}", upgrade=True)
            # The copy of a server's database has new tables, so the server's own are compared.
            made = url if file is None else store.url
            yield from (Fault("database", "tables", text) for text in copies.unlike(made))
        except StoreDown as down:
            yield Fault("database", file.name if file else "server", str(down))
            return
        with closing(store):
            # A damaged text must be reported, not end the check.
            store.read_damaged()
            yield from check(store, track)


def check(store: Store, track: Track = iter) -> Iterator[Fault]:
    """Yield what is wrong in a league whose database is intact.

    Rows that were spoiled may break a check in any way; that is reported too.
    """
    yield from _guarded("game", lambda: _games(store, track))
    for part, find in PARTS:
        found = partial(_found, store, part, find)
        yield from _guarded(part, found)


def _games(store: Store, track: Track) -> Iterator[Fault]:
    for game in track(stored_games.games(store)):
        yield from (Fault("game", str(game.id), text) for text in _game(store, game))


def _found(store: Store, part: str, find: Callable[[Store], Found]) -> Iterator[Fault]:
    yield from (Fault(part, where, text) for where, text in find(store))


def _guarded(part: str, find: Callable[[], Iterator[Fault]]) -> Iterator[Fault]:
    try:
        yield from find()
    except Exception as error:
        yield Fault(part, "all", f"these rows can't be read: {error!r}")


def _game(store: Store, game: Game) -> Iterator[str]:
    """Rebuild a game from its log, once by its dice and once by its events.

    A log that was spoiled may break the engine in any way; that is reported too.
    """
    if game.system not in registry.RULESETS:
        yield f"nobody knows its system {game.system!r}"
        return
    try:
        yield from _differences(store, game)
    except export.Wrong as wrong:
        yield f"its log does not agree with its secret and rules: {wrong}"
    except Exception as error:
        yield f"its log can't be read: {error!r}"
    yield from _seating(store, game)


def _differences(store: Store, game: Game) -> Iterator[str]:
    steps = step_log.steps_of(store, game.id)
    if [step.n for step in steps] != list(range(game.steps)):
        yield f"it has {game.steps} steps, and its log has {len(steps)}, or they are misnumbered"
    rules: Any = registry.RULESETS[game.system]
    rolled = codec.encode(export.retrace(store, game))
    folded = codec.encode(rebuild(rules, game.setup, steps)[0])
    # Read and written again, since an earlier version did not know all fields of today.
    try:
        kept = codec.encode(codec.decode(game.state, rules.state))
    except ValueError as error:
        kept = rolled
        yield f"its state can't be read: {error}"
    if rolled != kept:
        yield f"its state is not what its log gives: {_first_difference(kept, rolled)}"
    if folded != rolled:
        yield f"its events lead to another state than its dice: {_first_difference(folded, rolled)}"
    state = codec.decode(rolled, rules.state)
    if game.running != (rules.outcome(state) is None):
        yield (
            "it is marked as running, and is over"
            if game.running
            else "it is marked as ended, and is not over"
        )


def _first_difference(kept: str, rebuilt: str) -> str:
    """Return the first place where two JSON texts differ."""
    return _differs(json.loads(kept), json.loads(rebuilt), "") or "they are written differently"


def _differs(one: object, other: object, where: str) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        pairs = [(f"{where}.{key}", one.get(key), other.get(key)) for key in keys]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{where}[{n}]", *pair) for n, pair in enumerate(zip(one, other, strict=True))]
    else:
        return "" if one == other else f"{where.lstrip('.')} is {one!r}, and should be {other!r}"
    return next(filter(None, (_differs(a, b, at) for at, a, b in pairs)), "")


def _seating(store: Store, game: Game) -> Iterator[str]:
    places = stored_games.places_in(store, game.id)
    pledge = store.get(Pledge, game.id)
    if pledge.secret != game.secret or not (game.renewed or pledge.commitment == game.commitment):
        yield "its secret or commitment is not what was committed to"
    if game.running and {place.seat for place in places} != set(json.loads(game.words)):
        yield "its places are not those of the players with whom it began"
    waits = game.deadline is not None or game.paused is not None
    # While a ruling is awaited, a game has no deadline (decision 0033).
    if game.running and not waits and Session(store, game).question is None:
        yield "it runs, is not paused, and has no deadline"
    if not game.running and (game.deadline is not None or any(place.asked for place in places)):
        yield "it is over, but waits for somebody"
    for place in places:
        if not all(map(_is_sheet, (place.sheet, place.before))):
            yield f"the orders on file of {place.seat} can't be read"
        if place.reported_to > game.steps:
            yield f"{place.seat} was shown {place.reported_to} steps, and {game.steps} were taken"
        if (place.left is None) != (not place.unbound):
            yield f"{place.seat} has left it and has no record of before that, or the reverse"


def _is_sheet(text: str) -> bool:
    try:
        codec.decode(text, Sheet)
    except ValueError:
        return False
    return True
