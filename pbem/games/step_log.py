"""What a game's log of steps says: events, states, and the order sheets in force after a step."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine import codec, play
from engine.orders.orders_on_file import Sheet
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from engine.undo import Track, Undo, undo_of
from pbem.storage import Step, Store


def events_of(rules: AnyRuleset, step: Step) -> tuple[object, ...]:
    """Return the events of a step."""
    return _events(rules.event, step.events)


# The reports of a turn ask for the same events several times.
@lru_cache(maxsize=1024)
def _events(event: Any, text: str) -> tuple[object, ...]:
    return codec.decode(text, tuple[event, ...])


def steps_of(store: Store, game: int) -> list[Step]:
    """Return the steps of a game, in their order."""
    return store.all(Step.select().where(Step.game == game).order_by(Step.id))


def step(store: Store, game: int, n: int) -> Step | None:
    """Return a step of a game by its number in it, or None."""
    return store.first(Step.select().where(Step.game == game, Step.n == n))


def add(store: Store, steps: Sequence[Mapping[str, object]]) -> None:
    """Add steps to the log."""
    store.run(Step.insert_many(steps))


def words_before(store: Store, game: int, n: int) -> str:
    """Return everybody's words as they stood before a step: those of the last that has any."""
    before = Step.select(Step.words).where(Step.game == game, Step.n < n, Step.words != "")
    return str(store.scalar(before.order_by(Step.n.desc())) or "")


def with_words(store: Store, steps: Sequence[Step]) -> list[Step]:
    """Return steps in a row, each with the words that it depends on.

    A step is stored without words where they are those of the step before.
    """
    found = list[Step]()
    for step in steps:
        words = step.words or (found[-1].words if found else "")
        found.append(step.changed(words=words or words_before(store, step.game_id, step.n)))
    return found


def rebuild(
    rules: AnyRuleset, setup: str, steps: Sequence[Step], last: Undo | None = None
) -> tuple[object, list[int]]:
    """Return a game's state, rebuilt from its set-up and its log, and the steps that stand.

    `last` is undone after the log's end. Raises UndoError.
    """
    state, track = _retraced(rules, setup, steps)
    return (state if last is None else track.undo(last.to)), list(track)


def states(rules: AnyRuleset, setup: str, steps: Sequence[Step]) -> dict[int, object]:
    """Return a game's states after each of the steps that stand, by their numbers.

    The key -1 holds the state before the first step.
    """
    return _retraced(rules, setup, steps)[1].kept()


def _retraced(rules: AnyRuleset, setup: str, steps: Sequence[Step]) -> tuple[object, Track[object]]:
    """Replay a log, and return the state after it and what holds after each step that stands."""
    state = rules.setup(json.loads(setup))
    track = Track(state)
    for step in steps:
        undo = undo_of(json.loads(step.orders))
        state = (
            play.fold(rules, state, events_of(rules, step)) if undo is None else track.undo(undo.to)
        )
        track.take(step.n, state)
    return state, track


def sheets_after(steps: Sequence[Step]) -> dict[Seat, str]:
    """Return the sheets that were in force after the last of the steps, which all stand."""
    # Not every step records the sheets: after the latest record, only queues have got shorter.
    since = next((n for n in range(len(steps) - 1, -1, -1) if steps[n].sheets), None)
    if since is None:
        return {}
    sheets = {Seat(seat): sheet for seat, sheet in json.loads(steps[since].sheets).items()}
    for step in steps[since + 1 :]:
        if step.source == "queue":
            [[author, _]] = json.loads(step.orders)
            sheet = codec.decode(sheets[author], Sheet)
            sheets[author] = codec.encode(codec.change(sheet, queue=sheet.queue[1:]))
    return sheets
