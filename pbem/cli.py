"""The program `pbem`: its commands and their options."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from engine.errors import EngineError
from engine.library import RULESETS
from pbem.commands import (
    backup,
    dkim,
    gm,
    health,
    league,
    ledger,
    newsletter,
    person,
    simulate,
    tools,
)
from pbem.commands.common import Args, Parser, UsageError
from pbem.daemon import Busy
from pbem.mail.mailbox import MailboxDown
from pbem.mail.transport import TransportDown
from pbem.maintenance.backup import BackupError
from pbem.settings import SettingsError
from pbem.storage import StoreDown

_REFUSALS = (
    UsageError, SettingsError, BackupError, StoreDown, MailboxDown, TransportDown, EngineError,
)  # fmt: skip
"""Errors with a reason in one line, to be printed without a traceback."""

TRY_AGAIN = 75
"""The status of `pbem run` when it ends although its settings are correct (sysexits.h)."""

_Option = tuple[tuple[str, ...], dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return 0 for done, 1 for a check that failed, 2 for bad input.

    `pbem run` ends with 2 only if a setting is wrong, because systemd does not restart it then.
    """
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = int(args.command(args) or 0)
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except _REFUSALS as error:
        print(f"pbem: {' '.join(str(error).split())}", file=sys.stderr)
        return _status(args, error)
    except OSError as error:
        _drop_output()
        print(f"pbem: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return _status(args, error)


def _status(args: argparse.Namespace, error: Exception) -> int:
    """Return 2, or TRY_AGAIN for a daemon that a restart may help: not every error is a setting."""
    passing = isinstance(error, OSError | StoreDown | MailboxDown | TransportDown | Busy)
    return TRY_AGAIN if args.command is league.run and passing else 2


def _drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    top = Parser(prog="pbem", description="The referee that lives in a mailbox.")
    told = "league.toml, or its folder (else PBEM_CONFIG, else ./league.toml)"
    top.add_argument("--version", action="version", version=f"pbem {version('pbem')}")
    top.add_argument("--config", metavar="FILE", help=told)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, command, purpose, options in _COMMANDS:
        parser = commands.add_parser(name, help=purpose, description=purpose)
        parser.add_argument("--config", metavar="FILE", default=argparse.SUPPRESS, help=told)
        for words, keywords in options:
            parser.add_argument(*words, **keywords)
        parser.set_defaults(command=command)
    return top


_JSON: _Option = (("--json",), {"action": "store_true", "help": "for another program to read"})
_COMMANDS: tuple[tuple[str, Callable[[Args], int | None], str, tuple[_Option, ...]], ...] = (
    (
        "init",
        league.init,
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
    (
        "check",
        league.check,
        "try each part, and say what is wrong and how to mend it",
        (
            (("--send",), {"action": "store_true", "help": "letters to oneself too"}),
            (("--wait",), {"type": float, "default": 120.0, "metavar": "SECONDS"}),
            _JSON,
        ),
    ),
    ("run", league.run, "run the daemon until it is told to stop", ()),
    ("once", league.once, "read all that waits, play all that is due, send all, leave", (_JSON,)),
    ("status", league.status, "tell how the league stands", (_JSON,)),
    ("audit", league.audit, "tell what may be cheating, a line for each pair of players", (_JSON,)),
    ("health", health.health, "tell how the league is; status 1 if there is trouble", (_JSON,)),
    (
        "game",
        league.game,
        "tell how a battle stands",
        (
            (("number",), {"type": int, "metavar": "N"}),
            (("--export",), {"action": "store_true", "help": "write out a finished battle"}),
            (("--pictures",), {"metavar": "DIR", "help": "draw each turn as all may see it"}),
            _JSON,
        ),
    ),
    (
        "gm",
        gm.gm,
        "make a ruling as the moderator, such as EXTEND 12 48h, PAUSE ALL, FORFEIT 12 Hawk",
        ((("ruling",), {"nargs": "+", "metavar": "WORD"}),),
    ),
    (
        "person",
        person.person,
        "show all that is kept about a person, or erase it",
        (
            (("act",), {"choices": ("show", "erase")}),
            (("who",), {"metavar": "WHO", "help": "an address, a name, a pilot or a number"}),
            (("--yes",), {"action": "store_true", "help": "ask nothing"}),
            _JSON,
        ),
    ),
    (
        "backup",
        backup.backup,
        "write a backup, while the daemon runs or not",
        ((("dir",), {"nargs": "?", "metavar": "DIR", "help": "else [backup] path"}), _JSON),
    ),
    (
        "restore",
        backup.restore,
        "put a backup back in place; the old database is kept beside it",
        (
            (("file",), {"metavar": "FILE"}),
            (("--force",), {"action": "store_true", "help": "over a league that is not empty"}),
            _JSON,
        ),
    ),
    (
        "move",
        backup.move,
        "take the books over from another database, such as sqlite:///league.db",
        ((("source",), {"metavar": "URL"}), _JSON),
    ),
    (
        "fsck",
        backup.fsck,
        "check the books, and each battle against its log; status 1 if anything is wrong",
        (
            (
                ("--accept",),
                {"metavar": "REASON", "help": "take what was changed by hand as it is now"},
            ),
            _JSON,
        ),
    ),
    (
        "rebuild",
        backup.rebuild,
        "replay all letters of the league into an empty database, and compare",
        ((("file",), {"metavar": "NEW.db"}), _JSON),
    ),
    (
        "explain",
        ledger.explain,
        "say which row of the tables took a letter, and why",
        ((("letter",), {"metavar": "FILE|-|N"}), _JSON),
    ),
    (
        "shunted",
        ledger.shunted,
        "list, show, retry or drop the letters that the referee stumbled over",
        (
            (("act",), {"choices": ("list", "show", "retry", "drop")}),
            (("number",), {"type": int, "nargs": "?", "metavar": "N"}),
            (("--reason",), {"default": "", "help": "why a letter is dropped"}),
            _JSON,
        ),
    ),
    (
        "held",
        ledger.held,
        "list, show, release or drop the letters that their players were asked about",
        (
            (("act",), {"choices": ("list", "show", "release", "drop")}),
            (("number",), {"type": int, "nargs": "?", "metavar": "N"}),
            (("--reason",), {"default": "", "help": "why a letter is dropped"}),
            _JSON,
        ),
    ),
    (
        "dkim",
        dkim.dkim,
        "print what DNS must say of the key that letters are signed with, or make a key",
        ((("--new",), {"action": "store_true", "help": "make the key's file first"}), _JSON),
    ),
    (
        "newsletter",
        newsletter.newsletter,
        "tell how the newsletter stands, print an issue, or order one",
        (
            (("number",), {"nargs": "?", "type": int, "metavar": "N", "help": "print issue N"}),
            (("--preview",), {"action": "store_true", "help": "print what one would say now"}),
            (("--now",), {"action": "store_true", "help": "let one be printed and sent"}),
            (("--html",), {"action": "store_true", "help": "as HTML"}),
            _JSON,
        ),
    ),
    (
        "replay",
        tools.replay,
        "replay a scenario",
        (
            (("file",), {"nargs": "?", "metavar": "FILE|-"}),
            (("--batch",), {"action": "store_true", "help": "one scenario a line on stdin"}),
        ),
    ),
    (
        "read",
        tools.read,
        "say what letters are, and what orders are in them",
        ((("file",), {"nargs": "+", "metavar": "FILE"}),),
    ),
    (
        "dice",
        tools.dice,
        "print the rolls of a step",
        (
            (("--secret",), {"required": True, "metavar": "HEX"}),
            (("--game",), {"required": True, "metavar": "ID"}),
            (("--system",), {"default": next(iter(RULESETS)), "metavar": "SYSTEM"}),
            (("--rules",), {"default": 1, "type": int, "metavar": "VERSION"}),
            (("--terms",), {"default": "{}", "metavar": "JSON", "help": "of the commitment"}),
            (("--setup",), {"default": "", "metavar": "HEX", "help": "its fingerprint"}),
            (("--house",), {"default": "", "metavar": "STRENGTH", "help": "of house pilots"}),
            (("--before",), {"default": "{}", "metavar": "JSON", "help": "words before the game"}),
            (("--words",), {"default": "{}", "metavar": "JSON", "help": "the latest, by seats"}),
            (("--step",), {"required": True, "type": int, "metavar": "N"}),
            (("--orders",), {"default": "[]", "metavar": "JSON", "help": "pairs: seat, order"}),
            (("--proxied",), {"default": "[]", "metavar": "JSON", "help": "seats under PROXY"}),
            (("--sides",), {"default": 100, "type": int, "metavar": "S"}),
            (("--count",), {"default": 1, "type": int, "metavar": "C"}),
            (
                ("--show",),
                {
                    "default": "rolls",
                    "choices": ("rolls", "digest", "commitment"),
                    "help": "the step's rolls or digest, or the commitment",
                },
            ),
        ),
    ),
    (
        "verify",
        tools.verify,
        "check the dice of a finished battle",
        (
            (("file",), {"nargs": "?", "metavar": "FILE"}),
            (
                ("--print-script",),
                {
                    "nargs": "?",
                    "const": next(iter(RULESETS)),
                    "choices": sorted(RULESETS),
                    "metavar": "SYSTEM",
                    "help": "the same check as one file, for those without pbem",
                },
            ),
        ),
    ),
    (
        "simulate",
        simulate.simulate,
        "play duels and careers of house pilots by the thousand, to see how balanced they are",
        (
            (("--duels",), {"default": 2000, "type": int, "metavar": "N"}),
            (("--careers",), {"default": 1000, "type": int, "metavar": "N"}),
            (("--fleet",), {"default": "light", "help": "light, improved or heavy"}),
            (("--strength",), {"default": "sound", "help": "easy, sound (if unsaid) or sharp"}),
            (("--against",), {"help": "the other's strength in duels, if it is another"}),
            (("--system",), {"default": next(iter(RULESETS)), "choices": sorted(RULESETS)}),
            (("--seed",), {"default": 1, "type": int, "metavar": "N"}),
            (("--out",), {"default": "balance", "metavar": "DIR"}),
        ),
    ),
    (
        "demo",
        tools.demo,
        "play a whole duel by mail on embedded servers",
        (
            (("--out",), {"default": "demo-letters", "metavar": "DIR"}),
            (("--play",), {"action": "store_true", "help": "write one side's letters yourself"}),
        ),
    ),
)


if __name__ == "__main__":
    sys.exit(main())
