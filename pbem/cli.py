"""The program `pbem`: one short function a command."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine import dice as fair
from engine.errors import EngineError
from engine.library import RULESETS
from engine.replay import replay as replay_scenario
from engine.standing import lines, read_for
from pbem import export as exports
from pbem.courier import CourierDown
from pbem.handout import script
from pbem.intake import read_letter
from pbem.mailbox import MailboxDown
from pbem.office import LAST_POLL, Office, wall_clock
from pbem.session import Session, game_id
from pbem.settings import Settings, SettingsError, load
from pbem.store import Game, Store, StoreDown

Args = argparse.Namespace


class UsageError(Exception):
    """What was asked for can't be done; one line says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; status 0 for done, 1 for a check that failed, 2 for bad input."""
    args = _parser().parse_args(arguments)
    try:
        return int(args.command(args) or 0)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except (UsageError, SettingsError, StoreDown, MailboxDown, CourierDown, EngineError) as error:
        print(f"pbem: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="pbem", description="The referee that lives in a mailbox.")
    top.add_argument("--config", help="league.toml (else PBEM_CONFIG, else ./league.toml)")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, command, told, options in _COMMANDS:
        parser = commands.add_parser(name, help=told, description=told)
        for words, keywords in options:
            parser.add_argument(*words, **keywords)
        parser.set_defaults(command=command)
    return top


def _config(args: Args) -> Path:
    return Path(args.config or os.environ.get("PBEM_CONFIG") or "league.toml")


def _json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


@contextmanager
def _opened(args: Args) -> Iterator[tuple[Settings, Store]]:
    settings = load(_config(args))
    store = Store(settings.store_url())
    try:
        yield settings, store
    finally:
        store.close()


def _read_file(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} can't be read ({error.strerror})") from None


def init(args: Args) -> None:
    """Make a new league's folder."""
    from pbem.founding import ask, found_league

    given = dict(pair.split("=", 1) for pair in args.set)
    flags = {"league.name": args.name, "league.address": args.address}
    given |= {key: value for key, value in flags.items() if value is not None}
    asked = sys.stdin.isatty() and not args.yes
    file = found_league(Path(args.dir), ask(given, input) if asked else given)
    print(f"{file} is written, and the database is made. Next:")
    print(f"  1. write the passwords into the files beside it, and look through {file.name}")
    print(f"  2. pbem --config {file} check")
    print(f"  3. pbem --config {file} run")


def check(args: Args) -> int:
    """Try each part and say what is wrong."""
    from pbem.checkup import check as findings

    failed = 0
    for finding in findings(_config(args)):
        failed += not finding.ok
        if args.json:
            _json({"part": finding.part, "ok": finding.ok, "text": finding.text})
        else:
            print(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.part}: {finding.text}")
    return 1 if failed else 0


def run(args: Args) -> None:
    """Run the daemon."""
    from pbem import daemon

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    daemon.run(load(_config(args)))


def once(args: Args) -> int:
    """Do all that is due, and leave."""
    from pbem.daemon import only_one

    with _opened(args) as (settings, store), only_one(settings):
        office, mailbox, courier = Office(settings, store), settings.mailbox(), settings.courier()
        try:
            store.unclaim()
            mailbox.connect()
            done = office.attend(mailbox, wall_clock, _progress("letters"))
            sent = office.outbox.flush(courier, wall_clock())
            moved = office.put_away(mailbox)
        finally:
            mailbox.close()
            courier.close()
        facts = {"kept": done.kept, "handled": done.handled, "deadlines": done.deadlines}
        facts |= {"sent": sent, "moved": moved, "waiting": store.outbox.count(state="queued")}
    _show(args, facts)
    return 0


def _progress(what: str) -> Callable[[list[Any]], Iterable[Any]]:
    """Show a bar on long work where a terminal looks on."""
    from tqdm import tqdm

    return lambda items: tqdm(items, unit=what, leave=False, disable=not sys.stderr.isatty())


def _show(args: Args, facts: dict[str, Any]) -> None:
    if args.json:
        _json(facts)
        return
    for key, value in facts.items():
        print(f"{key.replace('_', ' ')}: {value}")


def status(args: Args) -> None:
    """Tell how the league stands."""
    with _opened(args) as (settings, store):
        _show(
            args,
            {
                "league": settings.league.name,
                "players": store.players.count(confirmed=True),
                "pilots": store.personas.count(),
                "open_challenges": store.challenges.count(state="open"),
                "running_battles": store.games.count(running=True),
                "finished_battles": store.games.count(running=False),
                "letters_waiting": store.letters.count(state="received"),
                "letters_shunted": store.letters.count(state="shunted"),
                "outbox_queued": store.outbox.count(state="queued"),
                "outbox_failed": store.outbox.count(state="failed"),
                "last_poll": store.meta(LAST_POLL) or "never",
            },
        )


def game(args: Args) -> None:
    """Tell how a battle stands, or write out a finished one."""
    with _opened(args) as (settings, store):
        found = store.games.find(id=args.number)
        if found is None:
            raise UsageError(f"there is no battle {args.number}")
        if args.export:
            print(_export(Office(settings, store), found), end="")
            return
        session = Session(store, found)
        places = session.places.items()
        _show(
            args,
            {
                "battle": game_id(found.id),
                "system": session.rules.title,
                "running": found.running,
                "turn": found.turn,
                "steps": found.steps,
                "deadline": found.deadline.isoformat() if found.deadline else None,
                "waiting_for": [seat for seat, p in places if p.asked and not p.answered],
                "commitment": fair.commitment(found.secret),
                "state": session.rules.scenario_state(session.state),
            },
        )


def _export(office: Office, found: Game) -> str:
    try:
        return office.export(found)
    except ValueError as error:
        raise UsageError(str(error)) from None


def replay(args: Args) -> None:
    """Replay a scenario, or one a line."""
    if args.batch:
        for line in sys.stdin.buffer:
            _json(_replayed(line))
        return
    if args.file is None:
        raise UsageError("replay: name a scenario's file, - for standard input, or --batch")
    _json(replay_scenario(_scenario(_read_file(args.file))))


def _scenario(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"scenario: it is no JSON ({error})") from None


def _replayed(line: bytes) -> dict[str, Any]:
    try:
        return replay_scenario(_scenario(line))
    except (UsageError, EngineError, RecursionError) as error:
        return {"error": str(error)}


def read(args: Args) -> None:
    """Say what each letter is, and what orders are in it."""
    for raw in [_read_file(name) for name in args.file]:
        _json(_letter(raw))


def _letter(raw: bytes) -> dict[str, Any]:
    reading = read_letter(raw)
    written = read_for(RULESETS["starpilot"], None, None, reading.text)
    standing = lines(written.standing) if written.standing else []
    return {
        "class": reading.klass,
        "text": reading.text,
        "orders": [*written.queue, *standing],
        "near": [near.text for near in written.near],
        "failed": list(reading.failed),
        "reason": reading.reason,
    }


def dice(args: Args) -> None:
    """Print the rolls of a step's stream."""
    try:
        secret = bytes.fromhex(args.secret)
    except ValueError:
        raise UsageError("--secret must be hex digits, two a byte") from None
    if not 1 <= args.sides <= 2**32:
        raise UsageError("--sides must be a whole number from 1 to 4294967296")
    if not 0 <= args.step < 2**64 or args.count < 0:
        raise UsageError("--step and --count must not be negative")
    stream = fair.SeededDice(secret, args.game, args.step, fair.digest(args.orders))
    print(",".join(str(stream.roll(args.sides, "")) for _ in range(args.count)))


def verify(args: Args) -> int:
    """Check a finished battle's export from the secret up."""
    if args.print_script:
        print(script(), end="")
        return 0
    if args.file is None:
        raise UsageError("verify: name the export of a finished battle, or --print-script")
    text = _read_file(args.file).decode("utf-8", "replace")
    ok = True
    for finding in exports.verify(text):
        ok = ok and finding.ok
        print(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.text}")
    print("All of it agrees." if ok else "It does not agree.")
    return 0 if ok else 1


def demo(args: Args) -> int:
    """Play a whole duel through embedded servers."""
    from pbem.demo.duel import demonstrate, play

    return play(Path(args.out)) if args.play else demonstrate(Path(args.out))


_JSON = (("--json",), {"action": "store_true", "help": "for another program to read"})
_Option = tuple[tuple[str, ...], dict[str, Any]]

_COMMANDS: tuple[tuple[str, Callable[[Args], int | None], str, tuple[_Option, ...]], ...] = (
    (
        "init",
        init,
        "make a new league's folder: league.toml, password files, database",
        (
            (("dir",), {"metavar": "DIR"}),
            (("--name",), {"help": "the league's name"}),
            (("--address",), {"help": "the address that players write to"}),
            (
                ("--set",),
                {"action": "append", "default": [], "metavar": "SECTION.KEY=VALUE"},
            ),
            (("--yes",), {"action": "store_true", "help": "ask nothing"}),
        ),
    ),
    ("check", check, "try each part, and say what is wrong and how to mend it", (_JSON,)),
    ("run", run, "run the daemon until it is told to stop", ()),
    ("once", once, "read all that waits, play all that is due, send all, leave", (_JSON,)),
    ("status", status, "tell how the league stands", (_JSON,)),
    (
        "game",
        game,
        "tell how a battle stands",
        (
            (("number",), {"type": int, "metavar": "N"}),
            (("--export",), {"action": "store_true", "help": "write out a finished battle"}),
            _JSON,
        ),
    ),
    (
        "replay",
        replay,
        "replay a scenario",
        (
            (("file",), {"nargs": "?", "metavar": "FILE|-"}),
            (("--batch",), {"action": "store_true", "help": "one scenario a line on stdin"}),
        ),
    ),
    (
        "read",
        read,
        "say what letters are, and what orders are in them",
        ((("file",), {"nargs": "+", "metavar": "FILE"}),),
    ),
    (
        "dice",
        dice,
        "print the rolls of a step",
        (
            (("--secret",), {"required": True, "metavar": "HEX"}),
            (("--game",), {"required": True, "metavar": "ID"}),
            (("--step",), {"required": True, "type": int, "metavar": "N"}),
            (("--orders",), {"default": "", "metavar": "TEXT"}),
            (("--sides",), {"required": True, "type": int, "metavar": "S"}),
            (("--count",), {"default": 1, "type": int, "metavar": "C"}),
        ),
    ),
    (
        "verify",
        verify,
        "check the dice of a finished battle",
        (
            (("file",), {"nargs": "?", "metavar": "FILE"}),
            (("--print-script",), {"action": "store_true", "help": "for those without pbem"}),
        ),
    ),
    (
        "demo",
        demo,
        "play a whole duel by mail on embedded servers",
        (
            (("--out",), {"default": "demo-letters", "metavar": "DIR"}),
            (("--play",), {"action": "store_true", "help": "write one side's letters yourself"}),
        ),
    ),
)


if __name__ == "__main__":
    sys.exit(main())
