"""Commands about letters that came in: explain, shunted, held."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from pbem.clock import wall_clock
from pbem.commands.common import (
    Args,
    UsageError,
    config,
    dropped_because,
    opened,
    print_json,
    read_file,
    show,
    show_rows,
)
from pbem.commands.gm import ruled
from pbem.intake import Limits, Reading, digest, read_letter
from pbem.maintenance import explain as explaining
from pbem.maintenance.explain import AskedRow
from pbem.mime_writer import visible
from pbem.rounds import SMALL
from pbem.routing.incoming import limits
from pbem.routing.router import opened as opened_letter
from pbem.service import Service
from pbem.storage import Letter, Store, StoreLocked
from pbem.storage.store import message_id

_NOT_KEPT = 2**62
"""The number of a letter that is not stored; it is higher than those of stored letters."""


def explain(args: Args) -> None:
    """Print which row took a letter and why, with the rows that were asked before."""
    # A file whose name is a number is meant if it is there.
    kept = args.letter.isdigit() and not Path(args.letter).exists()
    # Without a league, only what the letter is can be said, not who wrote it.
    if not kept and not config(args).is_file():
        raw = read_file(args.letter)
        _print(args, read_letter(raw), explaining.by_intake(raw, Limits()), {})
        return
    with opened(args) as (settings, store):
        service = Service(settings, store)
        letter = _kept(store, args.letter) if kept else _loose(read_file(args.letter))
        caps = limits(service.ports.settings)
        # As of its receipt: a token that has expired since was valid then.
        incoming = opened_letter(service.ports, letter, letter.received)
        looks = list(explaining.by_routing(incoming))
        if not letter.channel:  # a board's server has said already what its messages are
            looks = [*explaining.by_intake(letter.content, caps), *looks]
        fate = _fate(letter) if kept else {}
        said = "" if letter.channel else incoming.authentication.why
        _print(args, incoming.reading, looks, fate, said)


def _kept(store: Store, number: str) -> Letter:
    letter = store.letters.find(id=int(number))
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
    args: Args,
    reading: Reading,
    looks: Iterable[AskedRow],
    ledger: dict[str, object],
    said: str = "",
) -> None:
    facts = {"from": reading.sender or "nobody", "subject": reading.subject}
    facts |= {"sender": said} if said else {}
    if args.json:
        rows = [
            {"table": one.table, "number": one.number, "row": one.row, "why": one.why}
            for one in looks
        ]
        print_json(facts | {"rows": rows, "ledger": ledger or None})
        return
    show(args, facts)
    for one in looks:
        verdict = "no" if one.why is None else f"TAKES IT: {one.why}"
        print(f"{one.table} {one.number:2}  {one.row:24} {verdict}")
    if ledger:
        # The league has gone on since the letter was handled: a token may be spent by now.
        print("The rows above are asked as the league is today. What was decided at the time:")
        print(f"ledger: {', '.join(f'{key} {value}' for key, value in ledger.items() if value)}")


def shunted(args: Args) -> None:
    """List the letters whose handling failed; show, retry or drop one of them.

    Letters that still wait to be answered can be dropped too, and any letter can be shown.
    """
    with opened(args) as (_, store):
        if args.act == "list":
            _list(args, store, "shunted")
        elif args.act == "show":
            _show(args, _named(args, store, "shunted", None))
        else:
            _change(args, store)


def _change(args: Args, store: Store) -> None:
    """Retry or drop a letter: either before the daemon does anything with it, or not at all.

    The daemon checks once more that a letter still waits, within the transaction in which it is
    handled. So what is dropped here has done nothing, even if it was being handled.
    """
    try:
        with store.transaction():
            letter = _named(args, store, "shunted", ("shunted", "received"))
            _ACTS[args.act](args, store, letter)
    except StoreLocked:
        raise UsageError(
            f"letter {args.number}, or one next to it, is handled just now; try again in a moment"
        ) from None


def held(args: Args) -> None:
    """List the letters that their players were asked about; show, release or drop one of them."""
    with opened(args) as (settings, store):
        if args.act == "list":
            _list(args, store, "held")
            return
        letter = _named(args, store, "held")
        if args.act == "show":
            _show(args, letter)
            return
        reason = dropped_because(args) if args.act == "drop" else ""
        # As a ruling, so that a replay of the league makes it again (decision 0008).
        text = f"{args.act.upper()} LETTER {letter.id} {reason}".strip()
        show(args, {"letter": letter.id, "ruling": ruled(settings, store, text)})


def _list(args: Args, store: Store, state: str) -> None:
    letters = [_shown(letter) for letter in store.letters.all(state=state)]
    show_rows(args, letters, f"No letter is {state}.")


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


def _show(args: Args, letter: Letter) -> None:
    """Show a letter with its traceback, without anything that a terminal would obey."""
    if args.json:
        # Latin-1 maps each byte to one character, so that the raw bytes can be restored.
        text = letter.content.decode("latin-1")
        print_json(_shown(letter) | {"traceback": letter.error, "raw": text})
        return
    show(args, _shown(letter))
    text = letter.content.decode("utf-8", "backslashreplace")
    for line in ["", *letter.error.splitlines(), "", *text.splitlines()]:
        print(visible(line.expandtabs()))


def _retry(args: Args, store: Store, letter: Letter) -> None:
    """Put a letter back among those that wait to be answered."""
    waits = {"state": "received", "tries": 0, "in_hand": False, "error": "", "handled": None}
    store.letters.change(letter.id, **waits)
    show(args, {"letter": letter.id, "state": "received"})


def _drop(args: Args, store: Store, letter: Letter) -> None:
    """Discard a letter for good, and record the reason."""
    reason = dropped_because(args)
    why = f"dropped by the moderator: {reason}"
    gone = {"state": "discarded", "klass": "dropped", "reason": why, "in_hand": False}
    store.letters.change(letter.id, **gone, handled=wall_clock())
    show(args, {"letter": letter.id, "state": "discarded", "reason": reason})


_ACTS = {"retry": _retry, "drop": _drop}


def _named(
    args: Args, store: Store, state: str, states: tuple[str, ...] | None = ("held",)
) -> Letter:
    """Return the letter that the command names, in one of some states (None: in any)."""
    if args.number is None:
        raise UsageError(f"{state} {args.act}: name a letter; `pbem {state} list` shows them")
    letter = store.letters.find(id=args.number)
    if letter is None:
        raise UsageError(f"there is no letter {args.number}; `pbem {state} list` shows some")
    if states is not None and letter.state not in states:
        raise UsageError(
            f"letter {args.number} is {letter.state}, not {state};"
            f" `pbem {state} list` shows those that are"
        )
    return letter
