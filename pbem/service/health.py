"""The health of the service: what is counted, and one sentence for each thing that is wrong."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from pathlib import Path

from engine.i18n import say
from pbem.i18n.days import in_utc
from pbem.outgoing import link_faults
from pbem.routing.router import UNANSWERED
from pbem.service import backup_age, disks, inbox
from pbem.service import daemon_status as presences
from pbem.settings import Settings
from pbem.storage import Outgoing, Post, Store, clock_jumps, queues, stored_letters
from pbem.storage.clock_jumps import LAST_POLL

CLOCK_SLACK = timedelta(minutes=5)
"""How far off the clock may be before that counts as a jump."""
LINK_SLACK = timedelta(hours=1)
"""For how long a server or a board may be away, unless it refuses us, before that is trouble."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong: a key that names its kind, and a sentence."""

    key: str
    text: str


TROUBLES = (
    *("poll", "mailbox", "withheld", "unanswered", "server", "boards", "outbox", "refused"),
    *("given_up", "shunted", "clock", "daemon", "settings", "disk", "database", "backup"),
)
"""The kinds of trouble."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The counts at a moment; `oldest` is when the oldest waiting letter was written.

    `newest_backup` is when the newest backup that is found was made. `failing` are the links that
    failed when they were last tried, which is trouble only after a while.
    """

    at: datetime
    last_poll: datetime | None
    letters_waiting: int
    letters_shunted: int
    outbox_queued: int
    outbox_failed: int
    oldest: datetime | None
    newest_backup: datetime | None = None
    failing: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    def facts(self) -> dict[str, object]:
        """Return the health as plain values."""
        facts = {field.name: getattr(self, field.name) for field in fields(self)}
        for key in ("at", "last_poll", "oldest", "newest_backup"):
            facts[key] = facts[key] and facts[key].isoformat(timespec="seconds")
        return facts | {"troubles": {one.key: str(one.text) for one in self.troubles}}


def examine(
    settings: Settings,
    store: Store,
    now: datetime,
    jump: timedelta = timedelta(),
    *,
    probing: bool = False,
) -> Health:
    """Return the counts, and what is wrong; `jump` is how far the clock just moved by itself.

    With `probing`, this also tests whether the database and its disk can be written. The daemon
    does not need that test, because it writes.
    """
    known = store.meta(LAST_POLL)
    oldest = queues.first(store, Outgoing, state="queued")
    found = Health(
        at=now,
        last_poll=datetime.fromisoformat(known) if known else None,
        letters_waiting=stored_letters.count(store, state="received"),
        letters_shunted=stored_letters.count(store, state="shunted"),
        outbox_queued=queues.count(store, Outgoing, state="queued"),
        outbox_failed=queues.count(store, Outgoing, state="failed"),
        oldest=oldest.made if oldest else None,
        newest_backup=_newest_backup(settings),
        failing=tuple(
            f"{link} since {in_utc(one.since)}: {one.why}"
            for link, one in link_faults.failing(store).items()
        ),
    )
    texts = {
        "poll": _poll(settings, found),
        **_links(settings, store, now),
        "withheld": _withheld(store),
        "unanswered": _unanswered(store, now),
        "outbox": _outbox(settings, found),
        "refused": _refused(store),
        "given_up": _given_up(store),
        "shunted": _shunted(found),
        "clock": _clock(found, jump) or _waits(store, now),
    }
    database = store.unwritable() if probing else ""
    near = around(settings, store.url, now, probing, database, store.is_held)
    return replace(found, troubles=(*_troubles(texts), *near))


def around(
    settings: Settings,
    url: str,
    now: datetime,
    probing: bool,
    database: str = "",
    elsewhere: Callable[[], bool] = lambda: False,
) -> tuple[Trouble, ...]:
    """Return what is wrong around a database, which may be missing.

    `database` is what is wrong with it, and `elsewhere` returns whether a daemon on another machine
    may have it.
    """
    known = presences.presence(settings)
    texts = {
        # The league may have moved to another machine, and this one's lock file is out of date.
        "daemon": "" if known.killed and elsewhere() else presences.trouble(known, now),
        "settings": presences.unread(known, settings),
        "disk": disks.trouble(settings, url, probing=probing),
        "database": database,
        "backup": backup_age.trouble(settings, now),
    }
    return _troubles(texts)


def _troubles(texts: Mapping[str, str]) -> tuple[Trouble, ...]:
    return tuple(Trouble(key, text) for key, text in texts.items() if text)


def _newest_backup(settings: Settings) -> datetime | None:
    with suppress(OSError):
        return backup_age.newest(settings)
    return None


def _hours(span: timedelta) -> int:
    return int(span.total_seconds() // 3600)


def _poll(settings: Settings, found: Health) -> str:
    if found.last_poll is None:
        return ""
    age = found.at - found.last_poll
    if age <= timedelta(hours=settings.watch.poll_hours):
        return ""
    return say("the mailbox was last read {hours} h ago", hours=_hours(age))


def _links(settings: Settings, store: Store, now: datetime) -> dict[str, str]:
    """Return what is wrong with links that refuse us, or are away for long, by kind of trouble."""
    known = link_faults.failing(store)
    mailbox, server = known.get(link_faults.MAILBOX), known.get(link_faults.SERVER)
    boards = [(name, known.get(link_faults.board(name))) for name in settings.channels]
    unread = [
        say("{board} has not been read since {since} (last tried {last}): {why}", board=name, **one)
        for name in settings.channels
        if (one := _facts(known.get(link_faults.reading(name)), now))
    ]
    silent = [
        say("{board} has taken no post since {since} (last tried {last}): {why}", board=name, **one)
        for name, found in boards
        if (one := _facts(found, now))
    ]
    return {
        # One that is only away shows by the time of the last poll.
        "mailbox": say(
            "the mailbox has refused us since {since} (last tried {last}): {why}",
            **_facts(mailbox, now),
        )
        if mailbox and mailbox.refused
        else "",
        "server": say(
            "the mail server has taken no letter since {since} (last tried {last}): {why}", **one
        )
        if (one := _facts(server, now))
        else "",
        "boards": say("posts wait: {faults}", faults=silent) if silent else "",
        "unread": say("what is written waits: {faults}", faults=unread) if unread else "",
    }


def _facts(found: link_faults.LinkFault | None, now: datetime) -> dict[str, str]:
    """Return what is told of a link; nothing where it works, or is away for a short time."""
    if found is None or not (found.refused or now - found.since > LINK_SLACK):
        return {}
    since, last = in_utc(found.since), in_utc(found.last)
    return {"since": since, "last": last, "why": found.why.rstrip(". ")}


def _refused(store: Store) -> str:
    waiting = queues.count(store, Outgoing, state="queued", fault="server")
    if not waiting:
        return ""
    return say(
        "letters that the mail server refuses, and that are tried again: {count}; pbem outbox list"
        " says why",
        count=waiting,
    )


def _given_up(store: Store) -> str:
    """Return how much was given up; not what went to addresses that do not exist."""
    letters = queues.count(store, Outgoing, state="failed", fault__ne="address")
    posts = queues.count(store, Post, state="failed")
    if not letters and not posts:
        return ""
    return say(
        "given up: {letters} letters, {posts} posts; pbem outbox list and pbem posts list say why;"
        " with retry or drop you settle them",
        letters=letters,
        posts=posts,
    )


def _withheld(store: Store) -> str:
    known = inbox.withheld(store)
    if not known:
        return ""
    return say(
        "letters that the mailbox lists and does not hand over: {count}, such as {first}",
        count=len(known),
        first=next(iter(known.values())),
    )


def _unanswered(store: Store, now: datetime) -> str:
    count = store.counted_since(UNANSWERED, now - timedelta(days=2))
    if not count:
        return ""
    return say(
        "letters with a valid token that got no answer since yesterday: {count}; `pbem explain"
        " {latest}` says why the latest got none",
        count=count,
        latest=store.meta(UNANSWERED) or "",
    )


def _outbox(settings: Settings, found: Health) -> str:
    age = found.at - found.oldest if found.oldest else timedelta()
    many = found.outbox_queued > settings.watch.outbox_letters
    if not many and age <= timedelta(hours=settings.watch.outbox_hours):
        return ""
    return say(
        "letters that wait to be sent: {count}, the oldest for {hours} h",
        count=found.outbox_queued,
        hours=_hours(age),
    )


def _shunted(found: Health) -> str:
    if not found.letters_shunted:
        return ""
    return say("letters that were set aside and wait for you: {count}", count=found.letters_shunted)


def _clock(found: Health, jump: timedelta) -> str:
    # The last poll is in the future: the clock went back while nothing ran to see it.
    if found.last_poll is not None and found.last_poll - found.at > CLOCK_SLACK:
        jump = found.at - found.last_poll
    if abs(jump) <= CLOCK_SLACK:
        return ""
    minutes = int(abs(jump).total_seconds() // 60)
    if jump > timedelta():
        return say("the clock went {minutes} minutes ahead, or the machine slept", minutes=minutes)
    return say("the clock went back by {minutes} minutes", minutes=minutes)


def _waits(store: Store, now: datetime) -> str:
    until = clock_jumps.waits_until(store, now)
    if until is None:
        return ""
    return say(
        "the clock jumped, or the mailbox was not read; what can't be undone waits until {until}",
        until=in_utc(until),
    )


def write_file(file: Path, found: Health) -> None:
    """Write the health as JSON for other programs, which never see half a file."""
    draft = file.with_name(f".{file.name}.draft")
    draft.write_text(json.dumps(found.facts() | {"pid": os.getpid()}) + "\n", "utf-8")
    draft.rename(file)
