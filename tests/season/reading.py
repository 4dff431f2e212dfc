"""What a player reads in the referee's letters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from tests.support.players import words

_TOKEN = re.compile(r"\[(?:PBEM \w{16}|(?P<game>G\d+-T\d+) \w{16}|PBEM)\] ?")
_PILOT = re.compile(
    # A player's own pilots are listed without the player.
    r"Pilot (?P<name>\w+)(?: of (?P<player>[\w ]+)(?: \([^)]*\))?)?, [\w ]+ \(Rank (?P<rank>\d)\)"
    r" of the (?P<people>[\w ]+), flies the (?P<ship>[\w -]+)(?P<state>: [\w ,()-]+)?\."
)
_PEOPLES = {
    "Cyfeillgar Alliance": "alliance",
    "Emboros Cartel": "cartel",
    "Granica Federation": "federation",
    "Ithrott League": "league",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A pilot as STATUS lists it."""

    name: str
    player: str
    side: str
    free: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A letter with its subject and its text, each on one line."""

    letter: EmailMessage
    subject: str
    text: str

    @property
    def game(self) -> int:
        """Return the game that the subject names, or 0."""
        match = re.match(r"\[G(\d+)-T\d+ ", self.letter["Subject"])
        return int(match[1]) if match else 0

    def find(self, pattern: str) -> str:
        """Return what a pattern finds in the text: its group, or ''."""
        match = re.search(pattern, self.text)
        return match[1] if match else ""

    def all(self, pattern: str) -> list[Any]:
        """Return all that a pattern finds in the text."""
        return re.findall(pattern, self.text)

    def listed(self) -> Iterator[Listed]:
        """Return the living pilots that STATUS lists."""
        living = self.text.partition("THE HALL OF FAME")[0]
        for found in _PILOT.finditer(living):
            side = _PEOPLES[found["people"]]
            yield Listed(found["name"], found["player"] or "", side, found["state"] is None)

    def purses(self) -> dict[str, int]:
        """Return the whole HP that the pilots of a sheet have unspent."""
        found = self.all(
            r"Pilot (\w+), [\w ]+ \(Rank \d\)[^.]*\. [^.]*\. HP (\d+)(?:\.\d)? unspent"
        )
        return {name: int(points) for name, points in found}

    def foes(self) -> list[str]:
        """Return the opponents that orders may name in a team battle, as a report lists them."""
        return self.all(r"SURRENDER (\w+) no roll")


def read(letter: EmailMessage) -> Reading:
    """Read a letter."""
    subject = " ".join(str(letter["Subject"]).split())
    return Reading(letter, _TOKEN.sub("", subject), words(letter))


def answers_article(letter: EmailMessage) -> bool:
    """Return whether a letter answers something, and no letter: so what was posted."""
    return letter["Auto-Submitted"] == "auto-replied" and not letter["In-Reply-To"]
