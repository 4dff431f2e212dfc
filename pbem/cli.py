"""The program `pbem`: runs a command, and turns what goes wrong into a line and a status."""

import argparse
import io
import logging
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version

from engine.errors import EngineError
from pbem.channels.mail.mailbox import MailboxDown
from pbem.channels.mail.transport import TransportDown
from pbem.commands import league
from pbem.commands.common import Parser, UsageError
from pbem.commands.table import COMMANDS
from pbem.lock import Busy
from pbem.logs import Discreet
from pbem.maintenance.backup import BackupError
from pbem.settings import SettingsError
from pbem.storage import OtherSchema, StoreDown
from pbem.terminal import bare_stream, harmless_stream

_REFUSALS = (
    UsageError, SettingsError, BackupError, StoreDown, MailboxDown, TransportDown, EngineError,
)  # fmt: skip
"""Errors with a reason in one line, to be printed without a traceback."""

TRY_AGAIN = 75
"""The status of `pbem run` when it ends although its settings are correct (sysexits.h)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return 0 for done, 1 for a check that failed, 2 for bad input.

    `pbem run` ends with 2 only if a setting is wrong, because systemd does not restart it then.
    """
    with (
        redirect_stdout(harmless_stream(sys.stdout)),
        redirect_stderr(harmless_stream(sys.stderr)),
    ):
        return _main(sys.argv[1:] if arguments is None else arguments)


def _main(words: Sequence[str]) -> int:
    parser = _parser()
    for word in words:
        # Such as a name that was typed in another coding; no database or letter can hold it.
        if re.search("[\ud800-\udfff]", word):
            parser.error(f"{word!a} is not UTF-8")
    args = parser.parse_args(words)
    output = bare_stream(sys.stdout)
    if isinstance(output, io.TextIOWrapper):
        # A name in a script that the terminal can't show must not end the command.
        output.reconfigure(errors="backslashreplace")
    if logging.lastResort is not None:
        # What `pbem once` reports of faults often goes to a mailbox; `run` sets up its own log.
        logging.lastResort.setFormatter(Discreet("text"))
    try:
        status = int(args.command(args) or 0)
        # Flushed here, where a closed pipe is still caught; at exit Python would print a traceback.
        print(end="", flush=True)
        return status
    # Such as `pbem audit | head`, whose reader has all that it wanted.
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        # 128 + SIGINT, as shells report a program that was interrupted.
        return 130
    except _REFUSALS as error:
        # On one line, though the error may have several.
        print(f"pbem: {' '.join(str(error).split())}", file=sys.stderr)
        return _status(args, error)
    # Such as a full disk behind the output: what is still in the buffer can't be written either.
    except OSError as error:
        _drop_output()
        print(f"pbem: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return _status(args, error)


def _status(args: argparse.Namespace, error: Exception) -> int:
    """Return 2, or TRY_AGAIN for a daemon that a restart may help: not every error is a setting."""
    # What may pass by itself, such as a full disk or a server that is away, is worth a restart.
    passing = isinstance(error, OSError | StoreDown | MailboxDown | TransportDown | Busy)
    passing = passing and not isinstance(error, OtherSchema)
    return TRY_AGAIN if args.command is league.run and passing else 2


def _drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    top = Parser(prog="pbem", description="A referee for play-by-mail games, run from a mailbox.")
    config_help = "league.toml, or its folder (default: PBEM_CONFIG, or ./league.toml)"
    top.add_argument("--version", action="version", version=f"pbem {version('pbem')}")
    top.add_argument("--config", metavar="FILE", help=config_help)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, command, purpose, options in COMMANDS:
        parser = commands.add_parser(name, help=purpose, description=purpose)
        # Suppressed: a default here would replace a --config that stands before the command.
        parser.add_argument("--config", metavar="FILE", default=argparse.SUPPRESS, help=config_help)
        for words, keywords in options:
            parser.add_argument(*words, **keywords)
        parser.set_defaults(command=command)
    return top


if __name__ == "__main__":
    sys.exit(main())
