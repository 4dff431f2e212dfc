"""A sentence that keeps its message and parts, so that it can be translated for its reader."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce


class Said(str):
    """An English sentence that keeps the message and the parts that it was made of.

    It is a plain text wherever one is needed. f-strings, `+` and JSON keep the English alone, so a
    sentence is built with `say`, which accepts others as its parts.
    """

    message: str
    parts: Mapping[str, object]

    # str() would make a plain text of it, and a sentence inside another could not be translated.
    def __str__(self) -> "Said":
        return self


def say(message: str, **parts: object) -> Said:
    """Return a message filled with its parts; a list is joined with commas.

    >>> say("no pilot is called {name}", name="Hawk")
    'no pilot is called Hawk'
    """
    said = Said(_filled(message, parts, str))
    said.message, said.parts = message, parts
    return said


def spoken(words: Iterable[str]) -> list[Said]:
    """Return single words as sentences that can be translated."""
    return [say(word) for word in words]


def either(words: Iterable[str]) -> str:
    """Return some words as a choice: `Kestrel, Kite or Merlin`."""
    *some, last = words
    return say("{some} or {last}", some=some, last=last) if some else last


def all_of(words: Sequence[str]) -> str:
    """Return some words together: `Kestrel, Kite and Merlin`."""
    *some, last = words
    return say("{some} and {last}", some=some, last=last) if some else last


def listed(facts: Iterable[str]) -> str:
    """Return several facts in one sentence; each may have commas of its own."""
    return reduce(lambda one, other: say("{one}; {other}", one=one, other=other), facts)


def translated(said: Said, message: Callable[[str], str]) -> str:
    """Return a sentence with its message, and those of its parts, translated."""

    def shown(part: object) -> str:
        return translated(part, message) if isinstance(part, Said) else str(part)

    return _filled(message(said.message), said.parts, shown)


def retold(text: str, shown: Callable[[str], str]) -> str:
    """Return a sentence in which other words stand for each part that is no sentence."""

    def part(one: object) -> object:
        if isinstance(one, Sequence) and not isinstance(one, str):
            return [part(each) for each in one]
        return (
            retold(shown(one) if type(one) is str else one, shown) if isinstance(one, str) else one
        )

    if not isinstance(text, Said):
        return text
    return say(text.message, **{name: part(one) for name, one in text.parts.items()})


def packed(text: object) -> object:
    """Return a sentence as plain values that can be stored; other texts stay as they are."""
    if isinstance(text, Said):
        return {"say": text.message, "parts": {n: packed(part) for n, part in text.parts.items()}}
    if isinstance(text, Sequence) and not isinstance(text, str):
        return [packed(one) for one in text]
    return text


def unpacked(kept: object) -> object:
    """Return the sentence of plain values, as `packed` returns them."""
    if isinstance(kept, Mapping):
        return say(kept["say"], **{name: unpacked(part) for name, part in kept["parts"].items()})
    return [unpacked(one) for one in kept] if isinstance(kept, list) else kept


def _filled(message: str, parts: Mapping[str, object], shown: Callable[[object], str]) -> str:
    return message.format_map({name: _joined(part, shown) for name, part in parts.items()})


def _joined(part: object, shown: Callable[[object], str]) -> object:
    if isinstance(part, Sequence) and not isinstance(part, str):
        return ", ".join(map(shown, part))
    return shown(part) if isinstance(part, Said) else part
