"""States, orders and events as versioned JSON; the only module of the rules that imports
msgspec."""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

change = msgspec.structs.replace
"""Return a copy of a record with some fields changed."""


class Record(msgspec.Struct, frozen=True, eq=True):
    """A frozen value with named fields."""


# The kind stands in stored logs, so a class that is renamed makes old logs unreadable.
class Tagged(msgspec.Struct, frozen=True, eq=True, tag=True):
    """A record that carries its kind in its JSON, for values of several kinds."""


def encode(value: object) -> str:
    """Return a record as JSON with sorted keys: equal values make equal texts on every machine."""
    return msgspec.json.encode(value, order="deterministic").decode()


def decode(text: str | bytes, as_type: type[T]) -> T:
    """Return the record in a JSON text; raise ValueError that names the place of a fault."""
    try:
        return msgspec.json.decode(text, type=as_type)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None


def plain(value: object) -> Any:
    """Return a record as dicts, lists, texts and numbers."""
    return msgspec.to_builtins(value, order="deterministic")


def typed(value: object, as_type: type[T]) -> T:
    """Return the record of plain values, as `plain` returns them; raise ValueError for others."""
    try:
        return msgspec.convert(value, type=as_type)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
