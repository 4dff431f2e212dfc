"""States, orders and events to versioned JSON and back; the one door to msgspec."""

import hashlib
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

change = msgspec.structs.replace
"""Give a record like another, with some fields changed."""


class Record(msgspec.Struct, frozen=True, eq=True):
    """A frozen value with named fields."""


class Tagged(msgspec.Struct, frozen=True, eq=True, tag=True):
    """A record that carries its kind in its JSON, for values of several kinds."""


def kind(value: Tagged) -> str:
    """Give a tagged record's kind, the name of its class."""
    return type(value).__name__


def encode(value: Any) -> str:
    """Write a record as JSON with sorted keys, the same for equal values everywhere."""
    return msgspec.json.encode(value, order="deterministic").decode()


def decode(text: str | bytes, as_type: type[T]) -> T:
    """Read JSON into a record; raises ValueError naming the place of what doesn't fit."""
    try:
        return msgspec.json.decode(text, type=as_type)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None


def plain(value: Any) -> Any:
    """Turn a record into dicts, lists, texts and numbers."""
    return msgspec.to_builtins(value, order="deterministic")


def fingerprint(value: Any) -> str:
    """Give a short hash that is equal for equal values."""
    return hashlib.sha256(encode(value).encode()).hexdigest()[:16]
