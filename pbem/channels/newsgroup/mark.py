"""How far a group has been read, and what must be known of what was read: the cursor."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from pbem.channels.newsgroup.article import Article, server_time, time_note

MOST_KNOWN = 50
"""The most articles that are known though nobody watches them yet."""


@dataclass(frozen=True, slots=True)
class Known:
    """An article that was read: the id of its first form, its number in the group, its account."""

    first: str
    number: int
    account: str


@dataclass(slots=True)
class Mark:
    """How far a group has been read.

    `next` is the lowest number that was not read, `last` the Message-ID of the article below it,
    or "" if there was none. `begun` is the server's time at the first look, `seen` that at the last
    one which reached the group's end. Up to the number `again`, articles from before the first look
    may stand. `known` are articles by their Message-IDs.
    """

    group: str
    next: int
    last: str
    begun: datetime
    seen: datetime
    again: int = 0
    known: dict[str, Known] = field(default_factory=dict)

    @classmethod
    def of(cls, cursor: str, group: str) -> Mark | None:
        """Return the mark of a cursor; None before the first look at a group."""
        values: dict[str, Any] = json.loads(cursor or "{}")
        if values.get("group") != group:
            return None
        known = {ident: Known(**each) for ident, each in values.pop("known").items()}
        times = {name: server_time(values[name]) for name in ("begun", "seen")}
        return cls(**values | times, known=known)

    @property
    def cursor(self) -> str:
        """Return the mark as a text."""
        return json.dumps(asdict(self), default=time_note)

    def begin_again(self, low: int, high: int) -> None:
        """Go back to the beginning of a group whose articles have got other numbers."""
        self.next, self.last, self.seen, self.again = low, "", self.begun, high
        # What is missing now was lost by the server, and not withdrawn by its writer.
        self.known = {ident: replace(one, number=0) for ident, one in self.known.items()}

    def arrived(self, article: Article | None, now: datetime) -> datetime:
        """Return when an article arrived that was not there at the last look.

        Its writer sets the date of an article, so it counts only between the two looks.
        """
        dated = article.dated if article else None
        return min(max(dated or now, self.seen), now)

    def is_old(self, article: Article | None, number: int) -> bool:
        """Return whether an article is from before the first look."""
        dated = article.dated if article else None
        return number <= self.again and dated is not None and dated < self.begun

    def take(self, article: Article, number: int) -> str:
        """Remember an article, and return the id of its first form."""
        changed = self.known.get(article.changes)
        first = changed.first if changed else article.changes or article.ident
        if article.account and not article.cancels:
            self.known[article.ident] = Known(first, number, article.account)
        return first

    def forms(self, watched: Collection[str]) -> Sequence[str]:
        """Return the ids of watched articles, and of all that replaced them."""
        later = (ident for ident, one in self.known.items() if one.first in watched)
        return list(dict.fromkeys([*watched, *later]))

    def first(self, ident: str) -> str:
        """Return the id of the first form of a watched article, or of one that replaced it."""
        return self.known[ident].first if ident in self.known else ident

    def account(self, ident: str) -> str:
        """Return the account of an article's writer, or "" if it is not known."""
        return self.known[ident].account if ident in self.known else ""

    def is_withdrawn(self, ident: str, low: int) -> bool:
        """Return whether an article that is gone has neither expired nor been replaced."""
        own = self.known.get(ident, Known(ident, low, ""))
        return own.number >= low and not any(
            one.first == own.first and one.number > own.number and own.account in ("", one.account)
            for other, one in self.known.items()
            if other != ident
        )

    def forget(self, watched: Collection[str]) -> None:
        """Forget the oldest articles that nobody watches."""
        others = [ident for ident, one in self.known.items() if one.first not in watched]
        for ident in others[:-MOST_KNOWN]:
            del self.known[ident]
