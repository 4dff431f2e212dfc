"""Everyday words for orders, such as `move closer`: an answer names the order, nobody orders so."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.names import fold

OBJECTS = frozenset(
    "him her it them now again all enemy opponent ship at on to the"
    " auf an den gegner feind ihn sie jetzt".split()
)
"""Words that may follow such a phrase without making a story of the line."""


@dataclass(frozen=True)
class Everyday:
    """What people say, by the order that it means, with semicolons between the phrases.

    In an order's place a sentence (`say`) may tell what to write. No word that stands alone in our
    own letters, such as a stat, may be among the phrases.
    """

    phrases: Mapping[str, str]

    @cached_property
    def _meant(self) -> dict[str, str]:
        return {
            fold(said): order for order, all_ in self.phrases.items() for said in all_.split(";")
        }

    @cached_property
    def _longest(self) -> int:
        return max(len(said.split()) for all_ in self.phrases.values() for said in all_.split(";"))

    def readings(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the orders that the beginning of a line may mean, and the words that are left."""
        for count in range(min(self._longest, len(words)), 0, -1):
            order = self._meant.get(fold(" ".join(words[:count])))
            if order is not None:
                yield order, [word for word in words[count:] if word.lower() not in OBJECTS]

    def meant(self, text: str) -> str | None:
        """Return the order that a whole line means; None for a story: `Attack at dawn, all`."""
        return next((order for order, rest in self.readings(text.split()) if not rest), None)
