"""Commands about letters that came in: explain, shunted, held."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import click

from pbem.channels.mail.mime_writer import visible
from pbem.commands.common import (
    JSON,
    NUMBER,
    REASON,
    UsageError,
    command,
    config,
    dropped_because,
    print_json,
    read_file,
    show,
    show_rows,
)
from pbem.commands.gm import ruled
from pbem.commands.open_league import opened
from pbem.host.clock import wall_clock
from pbem.intake import Limits, Reading, digest, read_letter
from pbem.maintenance import explain as explaining
from pbem.maintenance.explain import AskedRow
from pbem.routing.incoming import limits
from pbem.routing.router import opened as opened_letter
from pbem.service.rounds import SMALL
from pbem.service.service import Service
from pbem.storage import Letter, Store, StoreLocked, stored_letters
from pbem.storage.store import NOBODY
from pbem.storage.stored_letters import message_id

_NOT_KEPT = 2**62
"""The number of a letter that is not stored; it is higher than those of stored letters."""


@command
@click.argument("letter", metavar="FILE|-|N")
@JSON
def explain(letter: str, as_json: bool) -> None:
    """Show which row of the tables took a letter, and why.

    The letter is a file, standard input (-), or one that the league keeps, by its number.
    """
    # A file whose name is a number is meant if it is there.
    kept = letter.isdigit() and not Path(letter).exists()
    # Without a league, only what the letter is can be said, not who wrote it.
    if not kept and not config().is_file():
        raw = read_file(letter)
        _print(as_json, read_letter(raw), explaining.by_intake(raw, Limits()), {})
        return
    with opened() as (settings, store):
        service = Service(settings, store)
        found = _kept(store, letter) if kept else _loose(read_file(letter))
        caps = limits(service.ports.settings)
        # As of its receipt: a token that has expired since was valid then.
        incoming = opened_letter(service.ports, found, found.received)
        looks = list(explaining.by_routing(incoming))
        if not found.channel:  # a board's server has said already what its messages are
            looks = [*explaining.by_intake(found.content, caps), *looks]
        fate = _fate(found) if kept else {}
        said = "" if found.channel else incoming.authentication.why
        _print(as_json, incoming.reading, looks, fate, said)


def _kept(store: Store, number: str) -> Letter:
    letter = store.find(Letter, int(number))
    if letter is None:
        raise UsageError(f"there is no letter {number}; `pbem letters` lists them")
    return letter


def _loose(raw: bytes) -> Letter:
    """Return a letter that was never stored as if it came now."""
    now = wall_clock()
    return Letter(
        id=_NOT_KEPT,
        account="",
        folder="",
        message_id=message_id(raw),
        sha256=hashlib.sha256(raw).hexdigest(),
        received=now,
        kept=now,
        digest=digest(raw),
        content=raw,
    )


def _fate(letter: Letter) -> dict[str, object]:
    """Return what became of a letter, by the database."""
    return {
        "letter": letter.id,
        "received": _moment(letter.received),
        "state": letter.state,
        "class": letter.klass,
        "reason": letter.reason,
        "tries": letter.tries,
    }


def _moment(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


def _print(
    as_json: bool,
    reading: Reading,
    looks: Iterable[AskedRow],
    ledger: dict[str, object],
    said: str = "",
) -> None:
    facts = {"from": reading.sender or "nobody", "subject": reading.subject}
    facts |= {"sender": said} if said else {}
    if as_json:
        rows = [
            {"table": one.table, "number": one.number, "row": one.row, "why": one.why}
            for one in looks
        ]
        print_json(facts | {"rows": rows, "ledger": ledger or None})
        return
    show(as_json, facts)
    for one in looks:
        verdict = "no" if one.why is None else f"TAKES IT: {one.why}"
        print(f"{one.table} {one.number:2}  {one.row:24} {verdict}")
    if ledger:
        # The league has gone on since the letter was handled: a token may be spent by now.
        print("The rows above are asked as the league is today. What was decided at the time:")
        print(f"ledger: {', '.join(f'{key} {value}' for key, value in ledger.items() if value)}")


@command
@click.argument("act", type=click.Choice(("list", "show", "retry", "drop")))
@NUMBER
@REASON
@JSON
def shunted(act: str, number: int | None, reason: str, as_json: bool) -> None:
    """List, show, retry or drop the letters whose handling failed.

    Letters that still wait to be answered can be dropped too, and any letter can be shown.
    """
    with opened() as (_, store):
        if act == "list":
            _list(as_json, store, "shunted")
            return
        if act == "show":
            _show(as_json, _named(act, number, store, "shunted", None))
            return
        try:
            # The daemon checks once more that a letter still waits, within the transaction in which
            # it is handled. So what is dropped has done nothing, even if it was being handled.
            with store.transaction():
                letter = _named(act, number, store, "shunted", ("shunted", "received"))
                facts = _retry(store, letter) if act == "retry" else _drop(store, letter, reason)
                show(as_json, {"letter": letter.id, **facts})
        except StoreLocked:
            raise UsageError(
                f"letter {number}, or one next to it, is handled just now; try again in a moment"
            ) from None


@command
@click.argument("act", type=click.Choice(("list", "show", "release", "drop")))
@NUMBER
@REASON
@JSON
def held(act: str, number: int | None, reason: str, as_json: bool) -> None:
    """List, show, release or drop letters that players must confirm."""
    with opened() as (settings, store):
        if act == "list":
            _list(as_json, store, "held")
            return
        letter = _named(act, number, store, "held")
        if act == "show":
            _show(as_json, letter)
            return
        why = dropped_because(reason) if act == "drop" else ""
        # As a ruling, so that a replay of the league makes it again (decision 0008).
        text = f"{act.upper()} LETTER {letter.id} {why}".strip()
        show(as_json, {"letter": letter.id, "ruling": ruled(settings, store, text)})


def _list(as_json: bool, store: Store, state: str) -> None:
    letters = [_shown(letter) for letter in stored_letters.letters(store, state=state)]
    show_rows(as_json, letters, f"No letter is {state}.")


def _shown(letter: Letter) -> dict[str, object]:
    # Only its beginning: a shunted letter may be one that takes too long to read.
    reading = read_letter(letter.content[:SMALL])
    lines = letter.error.strip().splitlines()
    return {
        "letter": letter.id,
        "received": _moment(letter.received),
        "from": reading.sender or "nobody",
        "subject": reading.subject,
        "reason": letter.reason,
        "error": visible(lines[-1]) if lines else "",
    }


def _show(as_json: bool, letter: Letter) -> None:
    """Show a letter with its traceback, without anything that a terminal would obey."""
    if as_json:
        # Latin-1 maps each byte to one character, so that the raw bytes can be restored.
        text = letter.content.decode("latin-1")
        print_json(_shown(letter) | {"traceback": letter.error, "raw": text})
        return
    show(as_json, _shown(letter))
    text = letter.content.decode("utf-8", "backslashreplace")
    for line in ["", *letter.error.splitlines(), "", *text.splitlines()]:
        print(visible(line.expandtabs()))


def _retry(store: Store, letter: Letter) -> dict[str, object]:
    """Put a letter back among those that wait to be answered."""
    waits = {"state": "received", "tries": 0, "error": "", "handled": None, **NOBODY}
    stored_letters.change(store, letter, **waits)
    return {"state": "received"}


def _drop(store: Store, letter: Letter, reason: str) -> dict[str, object]:
    """Discard a letter for good, and record the reason."""
    reason = dropped_because(reason)
    why = f"dropped by the moderator: {reason}"
    gone = {"state": "discarded", "klass": "dropped", "reason": why, **NOBODY}
    stored_letters.change(store, letter, **gone, handled=wall_clock())
    return {"state": "discarded", "reason": reason}


def _named(
    act: str,
    number: int | None,
    store: Store,
    state: str,
    states: tuple[str, ...] | None = ("held",),
) -> Letter:
    """Return the letter that the command names, in one of some states (None: in any)."""
    if number is None:
        raise UsageError(f"{state} {act}: name a letter; `pbem {state} list` shows them")
    letter = store.find(Letter, number)
    if letter is None:
        raise UsageError(f"there is no letter {number}; `pbem {state} list` shows some")
    if states is not None and letter.state not in states:
        raise UsageError(
            f"letter {number} is {letter.state}, not {state};"
            f" `pbem {state} list` shows those that are"
        )
    return letter
