"""The program `pbem`: runs a command, and turns what goes wrong into a line and a status."""

import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module

import click
from click.shell_completion import shell_complete

from pbem.commands.common import CONFIG
from pbem.host.terminal_escapes import bare_stream, harmless_stream

COMMANDS = {
    "init": "founding",
    "check": "check",
    "run": "daemon",
    "once": "daemon",
    "status": "status_and_audit",
    "players": "lists",
    "games": "lists",
    "letters": "lists",
    "audit": "status_and_audit",
    "health": "health",
    "game": "battle",
    "gm": "gm",
    "person": "person",
    "backup": "backup",
    "restore": "backup",
    "move": "backup",
    "fsck": "backup",
    "rebuild": "backup",
    "explain": "letters",
    "shunted": "letters",
    "held": "letters",
    "outbox": "outbox_and_posts",
    "posts": "outbox_and_posts",
    "newsletter": "newsletter",
    "replay": "without_league",
    "read": "without_league",
    "dice": "without_league",
    "verify": "verification",
    "system": "rule_systems",
    "demo": "without_league",
}
"""The commands, each with its module in `pbem.commands`, which is imported when it is asked for."""

TRY_AGAIN = 75
"""The status of `pbem run` when it ends although its settings are correct (sysexits.h)."""
_COMPLETE = "_PBEM_COMPLETE"
"""The variable by which a shell asks what a word may become."""


class _Commands(click.Group):
    """Finds commands in their modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            found = getattr(import_module(f"pbem.commands.{COMMANDS[cmd_name]}"), cmd_name)
            assert isinstance(found, click.Command)
            return found
        if ctx.resilient_parsing:  # a shell asks for a word that is not complete
            return None
        raise click.NoSuchCommand(cmd_name, possibilities=COMMANDS, ctx=ctx)


@click.group(cls=_Commands, no_args_is_help=False)
@CONFIG
@click.version_option(package_name="pbem", message="pbem %(version)s")
def program() -> None:
    """A referee for play-by-mail games, run from a mailbox."""
    import logging

    from pbem.host.logs import Discreet

    output = bare_stream(sys.stdout)
    if isinstance(output, io.TextIOWrapper):
        # A name in a script that the terminal can't show must not end the command.
        output.reconfigure(errors="backslashreplace")
    if logging.lastResort is not None:
        # What `pbem once` reports of faults often goes to a mailbox; `run` sets up its own log.
        logging.lastResort.setFormatter(Discreet("text"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return 0 for done, 1 for a check that failed, 2 for bad input.

    `pbem run` ends with 2 only if a setting is wrong, because systemd does not restart it then.
    """
    if asked := os.environ.get(_COMPLETE):
        return shell_complete(program, {}, "pbem", _COMPLETE, asked)
    with (
        redirect_stdout(harmless_stream(sys.stdout)),
        redirect_stderr(harmless_stream(sys.stderr)),
    ):
        return _main(sys.argv[1:] if arguments is None else arguments)


def _main(words: Sequence[str]) -> int:
    context: click.Context | None = None
    # Not `program.main`, which ends with status 1 at a closed pipe, and asks nobody what failed.
    try:
        for word in words:
            # Such as a name that was typed in another coding; no database or letter can hold it.
            if re.search("[\ud800-\udfff]", word):
                raise click.UsageError(f"{word!a} is not UTF-8")
        with program.make_context("pbem", [*words]) as context:
            status = int(program.invoke(context) or 0)
        # Flushed here, where a closed pipe is still caught; at exit Python would print a traceback.
        print(end="", flush=True)
        return status
    except click.exceptions.Exit as end:
        return end.exit_code
    # Such as `pbem audit | head`, whose reader has all that it wanted.
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        # 128 + SIGINT, as shells report a program that was interrupted.
        return 130
    except click.UsageError as error:
        of = error.ctx.command_path if error.ctx else "pbem"
        return _told(of, f"{error.format_message()} `{of} --help` shows more")
    except click.ClickException as error:
        return _told("pbem", error.format_message())
    except _refusals() as error:
        return _told("pbem", str(error), _status(context, error))
    # Such as a full disk behind the output: what is still in the buffer can't be written either.
    except OSError as error:
        _drop_output()
        said = f"{error.filename or 'the output'}: {error.strerror}"
        return _told("pbem", said, _status(context, error))


def _told(by: str, what: str, status: int = 2) -> int:
    """Print on one line what is wrong, though it may have several, and return the status."""
    print(f"{by}: {' '.join(what.split())}", file=sys.stderr)
    return status


def _refusals() -> tuple[type[Exception], ...]:
    """Return the errors with a reason in one line, to be printed without a traceback."""
    # Imported when something has failed: they bring most of the program with them.
    from engine.errors import EngineError
    from pbem.channels.mail.mailbox import MailboxDown
    from pbem.channels.mail.transport import TransportDown
    from pbem.maintenance.backup import BackupError
    from pbem.settings import SettingsError
    from pbem.storage import StoreDown

    return SettingsError, BackupError, StoreDown, MailboxDown, TransportDown, EngineError


def _status(context: click.Context | None, error: Exception) -> int:
    """Return 2, or TRY_AGAIN for a daemon that a restart may help: not every error is a setting."""
    from pbem.channels.mail.mailbox import MailboxDown
    from pbem.channels.mail.transport import TransportDown
    from pbem.service.lock import Busy
    from pbem.storage import OtherSchema, StoreDown

    # What may pass by itself, such as a full disk or a server that is away, is worth a restart.
    passing = isinstance(error, OSError | StoreDown | MailboxDown | TransportDown | Busy)
    passing = passing and not isinstance(error, OtherSchema)
    runs = context is not None and context.invoked_subcommand == "run"
    return TRY_AGAIN if runs and passing else 2


def _drop_output() -> None:
    """Send the rest of the output nowhere, so that flushing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
