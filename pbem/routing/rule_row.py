"""A row of the router's tables."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.handlers.request import Verdict

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Rule(Generic[Read]):
    """One row: its name, the rule that returns why it takes a letter, and the action."""

    name: str
    find: Callable[[Read], str | None]
    act: Callable[[Read, str], Verdict]
