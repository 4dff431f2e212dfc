"""What all commands share: opening a league, reading files, printing."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pbem.league_toml import load
from pbem.settings import Settings
from pbem.store import Store

Args = argparse.Namespace
T = TypeVar("T")


class UsageError(Exception):
    """What was asked for can't be done; one line says why."""


def config(args: Args) -> Path:
    """Give the settings' file: by --config, by PBEM_CONFIG, or here."""
    return Path(args.config or os.environ.get("PBEM_CONFIG") or "league.toml")


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, at once, in ASCII: any terminal takes it."""
    print(json.dumps(value), flush=True)


@contextmanager
def opened(args: Args) -> Iterator[tuple[Settings, Store]]:
    """Open a league's settings and database."""
    settings = load(config(args))
    store = Store(settings.store_url())
    try:
        yield settings, store
    finally:
        store.close()


def read_file(name: str) -> bytes:
    """Read a file, or standard input for -; raises UsageError."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} can't be read ({error.strerror})") from None


def show(args: Args, facts: dict[str, Any]) -> None:
    """Print facts for a person, or as JSON."""
    if args.json:
        print_json(facts)
        return
    for key, value in facts.items():
        lines = value.items() if isinstance(value, dict) else [(key.replace("_", " "), value)]
        for name, text in lines:
            told = ", ".join(map(str, text)) if isinstance(text, list) else text
            print(f"{name}: {'none' if told in (None, '') else told}")


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """Show a bar on long work where a terminal looks on."""
    from tqdm import tqdm

    shown = sys.stderr.isatty()
    return tqdm(items, unit=what, total=total, leave=False, disable=not shown)
