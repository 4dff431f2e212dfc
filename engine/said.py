"""A sentence that keeps its message and parts, so that it can be said in the reader's language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce


class Said(str):
    """An English sentence, and the message and the parts that it was made of.

    It is a plain text wherever one is wanted. f-strings, `+` and JSON keep the English alone, so
    a sentence is put together with `say`, which takes others as its parts.
    """

    message: str
    parts: Mapping[str, object]

    def __str__(self) -> "Said":
        return self


def say(message: str, **parts: object) -> Said:
    """Say a message with its parts; a list stands with commas.

    >>> say("no pilot is called {name}", name="Hawk")
    'no pilot is called Hawk'
    """
    said = Said(_filled(message, parts, str))
    said.message, said.parts = message, parts
    return said


def spoken(words: Iterable[str]) -> list[Said]:
    """Say single words, such as the names of a system's things."""
    return [say(word) for word in words]


def either(words: Iterable[str]) -> str:
    """Say some words as a choice: `Kestrel or Kite`."""
    return reduce(lambda one, other: say("{one} or {other}", one=one, other=other), words)


def translated(said: Said, message: Callable[[str], str]) -> str:
    """Say a sentence anew with each of its messages translated."""

    def shown(part: object) -> str:
        return translated(part, message) if isinstance(part, Said) else str(part)

    return _filled(message(said.message), said.parts, shown)


def packed(text: object) -> object:
    """Give a sentence as plain values, so that it can be kept; other texts stay as they are."""
    if isinstance(text, Said):
        return {"say": text.message, "parts": {n: packed(part) for n, part in text.parts.items()}}
    if isinstance(text, Sequence) and not isinstance(text, str):
        return [packed(one) for one in text]
    return text


def unpacked(kept: object) -> object:
    """Give what `packed` was given."""
    if isinstance(kept, Mapping):
        return say(kept["say"], **{name: unpacked(part) for name, part in kept["parts"].items()})
    return [unpacked(one) for one in kept] if isinstance(kept, list) else kept


def _filled(message: str, parts: Mapping[str, object], shown: Callable[[object], str]) -> str:
    return message.format_map({name: _joined(part, shown) for name, part in parts.items()})


def _joined(part: object, shown: Callable[[object], str]) -> object:
    if isinstance(part, Sequence) and not isinstance(part, str):
        return ", ".join(map(shown, part))
    return shown(part) if isinstance(part, Said) else part
