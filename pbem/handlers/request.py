"""One letter of one player, while it is being answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine import fair, library
from engine.budget import Budget
from engine.fair import Words
from engine.i18n import say
from engine.ruleset import Day
from pbem.ports import Ports
from pbem.storage import Letter, Place, Player


@dataclass(frozen=True, slots=True)
class Request:
    """Who writes, when (UTC), about which game if any, and the subject without its Re:.

    `line` is an order as it was written, `below` are the lines below one that takes a text, `salts`
    the letter's SALT lines; `keyed` tells that the letter holds the player's key, `sure` that more
    than a token speaks for it, and `reads_only` that it answers a turn that is over. `games` are
    those that the letter's lines besides its league orders are for, and `alone` tells that there
    are no such lines, and no other order. `budget` is what all of the letter may cost in trials
    and pictures.
    """

    ports: Ports
    player: Player
    letter: Letter
    now: datetime
    place: Place | None = None
    topic: str = ""
    line: str = ""
    below: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    keyed: bool = False
    sure: bool = False
    reads_only: bool = False
    sender: str = ""
    games: frozenset[int] = frozenset()
    alone: bool = False
    budget: Budget = field(default_factory=lambda: Budget(0))

    @property
    def words(self) -> Words:
        """Return what the letter adds to the dice that depend on it (docs/dice.md)."""
        return fair.words_of(self.letter.message_id, self.salts)

    @property
    def language(self) -> str:
        """Give the language that the player reads, and may write orders in beside English."""
        return self.ports.outbox.language(self.player)

    def english(self, system: str, text: str) -> str:
        """Give a text with a system's words in English, whatever the player's language."""
        tongue = library.RULESETS[system].tongues.get(self.language)
        return text if tongue is None else tongue.english(text)

    @property
    def day(self) -> Day:
        """Give the day of the request in the league's zone."""
        return self.ports.settings.league.day(self.now)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to one order: done, only tried, or not, why, and what goes along.

    `told` means that another letter, queued by the order itself, is the answer. `goes_on` is the
    game that goes on once the rest of the letter has been filed, or 0.
    """

    ok: bool
    text: str
    hint: str = ""
    blocks: tuple[dict[str, Any], ...] = field(default=())
    told: bool = False
    goes_on: int = 0
    tried: bool = False


DRAWN, STEP = 100_000, 2500
"""What a picture costs, and a step that is gone through for one or told, in units of a Budget."""
_DEAREST = 0.6
"""What the dearest single thing is counted as, as a share of all that a letter may cost: so one
such thing can always be had, and no second one beside it."""


def pay(request: Request, units: int) -> None:
    """Spend what something costs; raises Refusal where the letter has cost too much already."""
    most = int(request.ports.settings.limits.letter_cost * _DEAREST)
    if not request.budget.take(min(units, most)):
        raise Refusal(
            say("this letter asks for more than one letter may"),
            say("send what is left in another letter"),
        )


class Refusal(Exception):
    """An order that can't be followed; the text says why, `hint` what would be right."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint
