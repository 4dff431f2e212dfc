"""What all commands share: how one is declared, reading files, printing."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.host.terminal_escapes import bare_stream

T = TypeVar("T")

JSON = click.option("--json", "as_json", is_flag=True, help="for another program to read")
"""The option of commands whose result another program may read."""


class UsageError(click.ClickException):
    """What was asked for can't be done; one line says why."""

    exit_code = 2


def _keep(context: click.Context, parameter: click.Parameter, file: str | None) -> None:
    # In the top context's store, so that the option may stand before the command and after it.
    if file is not None:
        context.meta[__name__] = file


CONFIG = click.option(
    "--config",
    type=click.Path(),
    metavar="FILE",
    expose_value=False,
    callback=_keep,
    help="league.toml, or its folder (default: PBEM_CONFIG, or ./league.toml)",
)
"""The option of every command."""


def command(function: Callable[..., object]) -> click.Command:
    """Return a function as a command of its name, with --config; its docstring is the help."""
    return click.command(function.__name__)(CONFIG(function))


def config() -> Path:
    """Return the settings' file: by --config, by PBEM_CONFIG, or here; its folder works too."""
    given = click.get_current_context().meta.get(__name__)
    named = Path(given or os.environ.get("PBEM_CONFIG") or "league.toml")
    # A name without a dot that is not there is the folder of a league yet to be restored.
    folder = named.is_dir() or not (named.suffix or named.exists())
    return named / "league.toml" if folder else named


def called() -> str:
    """Return what to type for this program: as it was called, for it may not be on the PATH."""
    program = Path(sys.argv[0])
    if program.name != "pbem":
        return "pbem"
    here = Path.cwd()
    return str(program.relative_to(here) if program.is_relative_to(here) else program)


def print_json(value: object) -> None:
    """Print a value as one line of JSON, at once, in ASCII: any terminal shows it."""
    # Flushed at once, so that a reader of a pipe sees each line when it is made.
    print(json.dumps(value), flush=True)


def read_file(name: str) -> bytes:
    """Return the content of a file, or of standard input for -. Raise UsageError if unreadable."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} can't be read ({error.strerror})") from None


NUMBER = click.argument("number", type=int, required=False, metavar="[N]")
"""The number of a letter, a post or an issue, where one is meant."""
REASON = click.option("--reason", default="", help="why it is dropped")
"""The option of commands that drop something."""


def dropped_because(reason: str) -> str:
    """Return the reason for dropping something. Raise UsageError if none is given."""
    reason = " ".join(reason.split())
    if not reason:
        raise UsageError("drop: say why, as in --reason 'a test of ours'")
    return reason


def show_rows(as_json: bool, rows: Sequence[Mapping[str, object]], nothing: str) -> None:
    """Print rows for a person, each in a line, or as JSON; `nothing` is said if there are none."""
    if as_json:
        print_json(rows)
        return
    for row in rows:
        print("  ".join(str(value) for value in row.values() if value))
    if not rows:
        print(nothing)


def show(as_json: bool, facts: Mapping[str, Any]) -> None:
    """Print facts for a person, or as JSON."""
    if as_json:
        print_json(facts)
        return
    for key, value in facts.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            print(f"{key.replace('_', ' ')}:")
            for row in value:
                print("  " + "; ".join(f"{name} {_shown(fact)}" for name, fact in row.items()))
            continue
        lines = value.items() if isinstance(value, dict) else [(key.replace("_", " "), value)]
        for name, fact in lines:
            print(f"{name}: {_shown(fact)}")


def _shown(fact: object) -> str:
    """Return a fact as text for a person."""
    if fact in (None, "", []):
        return "none"
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    return ", ".join(map(str, fact)) if isinstance(fact, list) else str(fact)


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Show a progress bar on long work if stderr is a terminal."""
    from tqdm import tqdm

    shown = sys.stderr.isatty()
    bar = bare_stream(sys.stderr)
    return tqdm(items, unit=what, total=total, leave=False, disable=not shown, file=bar)
