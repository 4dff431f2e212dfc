"""What pieces may be called in an order: by their names, and by short ones."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.words import match_name

Names = Mapping[str, str]
"""The names of things by what they may be called; each thing's own name comes first."""


def callings(names: Iterable[str], owners: Iterable[str]) -> Names:
    """Return what pieces may be called: their names, and short ones.

    Where both sides have a Gold, each has its owner's name before its own in the battle. Its own
    player may leave that out, and so may who shoots at it.
    """
    return _callings(tuple(names), tuple(f"{owner} " for owner in owners))


@lru_cache(maxsize=16)  # A letter of many lines asks for the same names with each line.
def _callings(names: tuple[str, ...], prefixes: tuple[str, ...]) -> Names:
    found, twice = {name: name for name in names}, set[str]()
    for name in tuple(found):
        if name.startswith(prefixes):
            prefix = next(one for one in prefixes if name.startswith(one))
            short = name.removeprefix(prefix)
            if found.setdefault(short, name) != name:
                twice.add(short)
    return {called: name for called, name in found.items() if called == name or called not in twice}


def find(written: str, names: Names) -> str | None:
    """Return the name of the thing that is called so, or None."""
    called = written if written in names else match_name(written, tuple(names))
    return None if called is None else names[called]
