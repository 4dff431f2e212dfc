"""The tasks of a round: each fails alone, is tried again later, and set aside in the end."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from engine.i18n import Said
from pbem.channels.mail.mailbox import MailboxDown
from pbem.outgoing.outbox import Outbox
from pbem.storage import Store, StoreDown

log = logging.getLogger("pbem")

FAILING = "failing"
"""The key in the database for the tasks that fail: how often, and when each is tried again."""
MOST = 5
"""After this many failures in a row a task is set aside, and the moderator is notified."""
# So a task is tried again after 1, 5, 25 and 125 minutes.
_FIRST, _FACTOR = timedelta(minutes=1), 5
_ASIDE = timedelta(days=1)
"""How long a task that was set aside waits; the program may have been repaired by then."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that a round does: a name for the database and the log, and words for letters.

    A task that is `vital` is tried in every round, however often it failed, because letters and
    deadlines can't wait. `on_failure` settles it after the last attempt; without that, the task is
    tried again once a day.
    """

    name: str
    label: Said
    do: Callable[[], object]
    vital: bool = False
    on_failure: Callable[[], object] | None = None


class Failing(NamedTuple):
    """How often a task has failed in a row, and when it is tried again."""

    tries: int
    until: str


def attempt(
    outbox: Outbox, task: Task, now: datetime, failures: dict[str, Failing] | None = None
) -> bool:
    """Do a task if it is due, and return whether it was due and went well.

    A failure is logged, and the time of the next attempt is saved. The tasks that fail are read
    unless the caller knows them, as `failures`. Raises StoreDown and MailboxDown.
    """
    failures = failing(outbox.store) if failures is None else failures
    known = failures.get(task.name)
    if known is not None and not task.vital and now < datetime.fromisoformat(known.until):
        return False
    try:
        task.do()
    # No fault of the task: nothing can be done until the server is back.
    except (StoreDown, MailboxDown):
        raise
    except Exception:
        log.exception("%s failed; it is tried again", task.name)
        failed(outbox, task, now)
        failures |= failing(outbox.store)
        return False
    if known is not None:
        succeeded(outbox, task)
        del failures[task.name]
    return True


def failed(outbox: Outbox, task: Task, now: datetime) -> None:
    """Record that a task has failed, and set it aside if that was its last attempt."""
    store = outbox.store
    known = failing(store).get(task.name)
    tries = known.tries + 1 if known else 1
    with store.transaction():
        _note(store, task.name, Failing(tries, _next(tries, now).isoformat()))
    if tries == MOST:
        log.error("%s failed %d times in a row; it is set aside", task.name, tries)
        _carefully(outbox, lambda: _tell_moderator(outbox, task, now))
    if tries >= MOST and task.on_failure is not None:
        _carefully(outbox, task.on_failure)
        _note(store, task.name, None)


def succeeded(outbox: Outbox, task: Task) -> None:
    """Record that a task has succeeded, if it had failed before."""
    if task.name in failing(outbox.store):
        _note(outbox.store, task.name, None)


def failing(store: Store) -> dict[str, Failing]:
    """Return the tasks that fail, by name."""
    known = json.loads(store.meta(FAILING) or "{}")
    return {name: Failing(*entry) for name, entry in known.items()}


def _next(tries: int, now: datetime) -> datetime:
    """Return when to retry a task that has failed this often."""
    wait = _FIRST * _FACTOR ** (tries - 1) if tries < MOST else _ASIDE
    try:
        return now + wait
    except OverflowError:
        return now  # the calendar ends before that, so it can't wait


def _note(store: Store, name: str, entry: Failing | None) -> None:
    """Save what is known of a failing task, or delete it."""
    with store.transaction():  # or another thread could note a task of its own meanwhile
        known = failing(store)
        known.pop(name, None)
        store.set_meta(FAILING, json.dumps(known | ({name: entry} if entry else {})))


def _carefully(outbox: Outbox, settle: Callable[[], object]) -> None:
    """Do something in one transaction, and log it if it fails, too. Raises StoreDown."""
    try:
        with outbox.store.transaction():
            settle()
    except StoreDown:
        raise
    except Exception:
        log.exception("a task can't be set aside")


def _tell_moderator(outbox: Outbox, task: Task, now: datetime) -> None:
    """Notify the moderator that a task is set aside."""
    ident, final = ("failing", task.name, now.isoformat()), task.on_failure is not None
    outbox.write_moderator("failing", now, ident, act=task.label, tries=MOST, final=final)
