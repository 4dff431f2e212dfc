"""What all commands share: opening a league, reading files, printing."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from engine.names import closest
from pbem.clock import wall_clock
from pbem.maintenance.upgrade import bring_up
from pbem.settings import Settings
from pbem.settings.load import load
from pbem.storage import Store, copies
from pbem.terminal import bare_stream

Args = argparse.Namespace
T = TypeVar("T")


class UsageError(Exception):
    """What was asked for can't be done; one line says why."""


_COMPLAINTS = (
    (r"the following arguments are required: (.+)", r"\1 is missing"),
    (r"argument ([^ :]+): invalid int value: (.+)", r"\1 is \2; it must be a whole number"),
    (r"argument ([^ :]+): invalid float value: (.+)", r"\1 is \2; it must be a number"),
    (r"unrecognized arguments: (.+)", r"\1 is not known here"),
)
"""What argparse says, and the sentence that replaces it."""
_CHOICE = re.compile(r"argument ([^ :]+): invalid choice: '(.*)' \(choose from (.+)\)")


class Parser(argparse.ArgumentParser):
    """Reports what is wrong with a command in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        # argparse has no codes for its complaints, so they are known by their words.
        said = message
        for pattern, sentence in _COMPLAINTS:
            said = re.sub(pattern, sentence, said)
        self.exit(
            2, f"{self.prog}: {_CHOICE.sub(_choices, said)}; `{self.prog} --help` shows more\n"
        )


def _choices(match: re.Match[str]) -> str:
    known = re.findall(r"'([^']*)'", match[3])
    meant = closest(match[2], known)
    perhaps = f"; perhaps {meant} is meant" if meant else f"; known are {', '.join(known)}"
    article = "an" if match[1][0] in "aeiou" else "a"
    return f"{match[2]!r} is not {article} {match[1]}{perhaps}"


def config(args: Args) -> Path:
    """Return the settings' file: by --config, by PBEM_CONFIG, or here; its folder works too."""
    named = Path(args.config or os.environ.get("PBEM_CONFIG") or "league.toml")
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


@contextmanager
def opened(args: Args, *, new: bool = False) -> Iterator[tuple[Settings, Store]]:
    """Open a league's settings and database. A missing database is made only if it may be `new`."""
    settings = load(config(args))
    if not new:
        need_database(settings)
    bring_up(settings, config(args), wall_clock())
    with closing(Store(settings.store_url())) as store:
        yield settings, store


def need_database(settings: Settings) -> None:
    """Raise UsageError if the league's database is a file that is not there, or is empty."""
    file = copies.file_of(settings.store_url())
    # It would be made, and a mistyped path would look like a league where nothing has happened.
    if file is not None and not (file.exists() and file.stat().st_size):
        raise UsageError(f"there is no database {file} yet; `pbem init`, `run` and `once` make one")


def read_file(name: str) -> bytes:
    """Return the content of a file, or of standard input for -. Raise UsageError if unreadable."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} can't be read ({error.strerror})") from None


def dropped_because(args: Args) -> str:
    """Return the reason for dropping something. Raise UsageError if none is given."""
    reason = " ".join(args.reason.split())
    if not reason:
        raise UsageError("drop: say why, as in --reason 'a test of ours'")
    return reason


def show_rows(args: Args, rows: Sequence[Mapping[str, object]], nothing: str) -> None:
    """Print rows for a person, each in a line, or as JSON; `nothing` is said if there are none."""
    if args.json:
        print_json(rows)
        return
    for row in rows:
        print("  ".join(str(value) for value in row.values() if value))
    if not rows:
        print(nothing)


def show(args: Args, facts: dict[str, Any]) -> None:
    """Print facts for a person, or as JSON."""
    if args.json:
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
