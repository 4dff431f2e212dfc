"""What the season's players read in the newsgroup: the referee's articles."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from functools import cached_property

from tests.season.answers import Choice
from tests.servers.inn import USER, Inn
from tests.support.players import parsed, plain

_NAMED = re.compile(r"\bAvalon League, (\S+)\.\s*\Z")
_ACTING = re.compile(r"^WHO IS TO ACT\n\n(.*?)\n\n", re.M | re.S)
_OFFERED = re.compile(r"^(\w+) may order:\n\n((?:[- ] .*\n)+)", re.M)
_OFFER = re.compile(r"^- ([A-Z][\w ]*?)(?: \((?:(\d+)\s%|a roll)\))?(?::|$)", re.M)
_ACCOUNT = re.compile(r'posting-account="([^"]*)"')


@dataclass(frozen=True)
class Article:
    """An article of the newsgroup."""

    letter: EmailMessage

    @property
    def account(self) -> str:
        """Return the account that posted it, as the news server says."""
        found = _ACCOUNT.search(str(self.letter["Injection-Info"]))
        return found[1] if found else ""

    @property
    def thread(self) -> str:
        """Return the Message-ID of the first article of its thread."""
        return str(self.letter["References"] or self.letter["Message-ID"]).split()[0]

    @property
    def at(self) -> datetime:
        """Return when it was written, as it says itself."""
        return parsedate_to_datetime(self.letter["Date"])

    @cached_property
    def text(self) -> str:
        """Return its text."""
        return plain(self.letter).replace("\r\n", "\n")

    @property
    def name(self) -> str:
        """Return what the referee calls it, such as G1-T2; a reply to a message has no name."""
        found = _NAMED.search(self.text)
        return found[1] if found else ""

    @property
    def game(self) -> int:
        """Return the game of a turn's post, or 0."""
        found = re.fullmatch(r"G(\d+)-T\d+", self.name)
        return int(found[1]) if found else 0

    def find(self, pattern: str) -> int:
        """Return the number that a pattern finds in the text, or 0."""
        found = re.search(pattern, " ".join(self.text.split()))
        return int(found[1]) if found else 0

    @property
    def acting(self) -> set[str]:
        """Return who is to act, among other words of that paragraph."""
        found = _ACTING.search(self.text)
        return set(re.findall(r"\w+", found[1])) if found else set()

    @property
    def offers(self) -> Mapping[str, Sequence[Choice]]:
        """Return what each pilot may order."""
        return {
            pilot: [Choice(order, int(chance or 100)) for order, chance in _OFFER.findall(listed)]
            for pilot, listed in _OFFERED.findall(self.text)
        }


class Newsreader:
    """The referee's articles, read once in each step."""

    def __init__(self, inn: Inn, clock: Callable[[], datetime]) -> None:
        self._inn, self._clock = inn, clock
        self._articles: list[Article] = []
        self._last = 0
        self._looked: datetime | None = None

    def articles(self) -> list[Article]:
        """Return all articles of the referee that have come so far, also such as are gone."""
        if self._looked != self._clock():
            self._looked = self._clock()
            for number, raw in self._inn.numbered_articles(self._last).items():
                self._last = number
                article = Article(parsed(raw))
                if article.account == USER:
                    self._articles.append(article)
        return self._articles
