"""The request: one letter from one player while it is being answered, its answers and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypedDict

from engine import fair_dice, registry
from engine.campaign import Day
from engine.fair_dice import Words
from engine.i18n import Said, say
from engine.letter_texts import View
from engine.preview.budget import Budget
from pbem.channels.channel import Message
from pbem.games import punctuality
from pbem.games.session import Session
from pbem.handlers.ports import Ports
from pbem.people import career_log, linked_accounts
from pbem.storage import Game, KeptWords, Letter, Place, Player


class Correspondent(NamedTuple):
    """The player whose letter a letter answers: the number, the name that it was signed with, and
    the pilot to whom it was written ("" for none), who signs the reply.
    """

    player: int
    name: str
    signs: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """Who writes, when (UTC), about which game if any (`place`), and the subject without Re:.

    `line` is the order as it was written, `below` the lines below it if it takes a text, and
    `salts` the letter's SALT lines. `keyed` is true if the letter holds the player's key, `sure` if
    more than a token proves who wrote it, and `reads_only` if it answers a turn that is over.
    `unsure` are lines of the letter that may be the player's own words or not: below a line of
    ours, below bare dashes, in only one of its forms, or marked as quotes with nothing else.
    `unread` are the names of files that came with it. `confirmed` says that the orders are those of
    a question that YES answers; with "mailbox", only an address that has long been the player's was
    asked. `fought` is the number of the battle whose report the letter answers, be it over or not.
    `games` are the games that the letter's battle orders and stories are for. `kept` are the words
    of the player's last letter that nobody has seen, which an empty STORY or TELL takes.
    `writes_to` is the player whose letter (TELL, PRESS) it answers, who reads its words. `alone` is
    true if the letter has no battle orders and no second league order; `bare` if it has no story
    and no other words either, so that a report which its order causes can be the answer to it.
    `message` is what was written if it came on a board, and not by mail, and `live` is true if that
    is a chat room. `budget` is what the whole letter may cost. `battles` are those that were read
    for the letter and not changed since.
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
    unsure: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    confirmed: Literal["", "yes", "mailbox"] = ""
    fought: int | None = None
    games: frozenset[int] = frozenset()
    kept: tuple[KeptWords, ...] = ()
    writes_to: Correspondent | None = None
    alone: bool = False
    bare: bool = False
    message: Message | None = None
    live: bool = False
    # Nothing dear is done for a letter that came without a budget.
    budget: Budget = field(default_factory=lambda: Budget(0))
    battles: dict[int, Session] = field(default_factory=dict, compare=False)

    def battle(self, number: int) -> Session:
        """Return a battle as it stands; it is read once for a letter."""
        if number not in self.battles:
            store = self.ports.store
            self.battles[number] = Session(store, store.get(Game, number))
        return self.battles[number]

    @property
    def words(self) -> Words:
        """Return what the letter adds to the dice that depend on it (docs/dice.md)."""
        return self.words_after(fair_dice.no_words(), self.salts)

    def words_after(self, before: Words, salts: Sequence[str]) -> Words:
        """Return what the letter adds to the dice for a seat that had words `before`.

        SALT lines that everybody can read protect nothing, so a post keeps those before it.
        """
        kept = before["salts"] if self.public else salts
        return fair_dice.words_of(self.letter.message_id, kept, self._link)

    @property
    def _link(self) -> str:
        """The words of the mail that has linked the account, for a message on a board."""
        if self.message is None:
            return ""
        store, channel = self.ports.store, self.letter.channel
        account = linked_accounts.of_player(store, channel, self.player.id)
        return account.words if account else ""

    @property
    def public(self) -> bool:
        """Return whether everybody could read what was written."""
        return self.message is not None and not self.message.private

    @property
    def in_thread(self) -> bool:
        """Return whether it is answered in short, where it was written: in a thread of ours."""
        return (self.public or self.live) and bool(self.letter.thread)

    @property
    def language(self) -> str:
        """Return the language that the player reads; orders may be in it or in English."""
        return self.ports.outbox.language(self.player)

    def english(self, system: str, text: str) -> str:
        """Return a text with a system's words in English, in whichever language they are."""
        translation = registry.rules_of(system).translations.get(self.language)
        return text if translation is None else translation.english(text)

    @property
    def day(self) -> Day:
        """Return the day of the request in the league's time zone."""
        return self.ports.settings.league.day(self.now)


Taps = Sequence[tuple[str, str]]
"""Orders that an answer offers as links, each with what it does."""

Block = Mapping[str, object]
"""A part of an answer that has a template of its own, by its `kind`."""


class SheetBlock(TypedDict):
    """A persona's sheet; `next` is told of its next reward, to its owner alone, as are the names
    of its `doctrines`."""

    kind: Literal["sheet"]
    system: str
    sheet: View
    reliability: punctuality.Reliability
    career: list[career_log.DatedEntry]
    own: bool
    next: career_log.NextReward | None
    doctrines: list[str]


class OrderAnswer(TypedDict):
    """An order and its answer, for a template; `word` is the order's English word, if known."""

    order: str
    word: str
    ok: bool
    separate: bool
    tried: bool
    text: str
    hint: str
    blocks: list[Block]
    title: str
    taps: Taps
    others: Sequence[str]
    question: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one order: whether it was done or only tried, a text, a hint, and blocks.

    `separate` means that another letter or post, queued by the order itself, answers it. `ready_in`
    is the game that continues once the rest of the letter has been filed, or 0. `title` says in a
    few words what was done, for the subject. `others` are names of the players whom the order is
    about, for whom words below it may be meant. `question` are the lines that YES carries out.
    `repeats` is true where the blocks hold the text below the order as it was written.
    """

    ok: bool
    text: str
    hint: str = ""
    blocks: tuple[Block, ...] = field(default=())
    separate: bool = False
    ready_in: int = 0
    tried: bool = False
    title: str = ""
    taps: Taps = ()
    others: Sequence[str] = ()
    question: str = ""
    repeats: bool = False

    def facts(self, line: str, word: str = "") -> OrderAnswer:
        """Return the answer to an order, with the line that it was, as facts for a template."""
        return {
            "order": line.strip(),
            "word": word,
            "ok": self.ok,
            "separate": self.separate,
            "tried": self.tried,
            "text": self.text,
            "hint": self.hint,
            "blocks": list(self.blocks),
            "title": self.title,
            "taps": self.taps,
            "others": self.others,
            "question": self.question,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was done with a letter, as the database keeps it: state, class, reason and player."""

    state: str
    klass: str
    reason: str
    player: int | None = None


DRAWN, STEP = 100_000, 2500
"""What a picture costs, and each step that is replayed or shown, in units of a Budget."""
_DEAREST = 0.6
"""The most that a single thing is charged, as a share of all that a letter may cost: so one
expensive thing is always possible, but not a second one in the same letter."""


def pay(request: Request, units: int) -> None:
    """Spend what something costs; raise Refusal where the letter has cost too much already."""
    most = int(request.ports.settings.limits.letter_cost * _DEAREST)
    if not request.budget.take(min(units, most)):
        raise too_dear()


class Refusal(Exception):
    """An order that can't be carried out: the text says why, `hint` what to write instead.

    `taps` are orders to write instead, as links.
    """

    def __init__(self, text: str, hint: str = "", taps: Taps = ()) -> None:
        super().__init__(text)
        self.hint, self.taps = hint, taps


def too_dear() -> Refusal:
    """Return the refusal of what is more than the rest of the letter's budget."""
    return Refusal(
        say("this letter asks for more than one letter may"),
        say("send what is left in another letter"),
    )


def private_way(request: Request) -> Said:
    """Return the hint how to write in private what everybody can read where it was written."""
    if request.ports.settings.channels[request.letter.channel].private:
        return say("the same in a private message, or by mail")
    return say("the same by mail")


def refuse_if(why: str | None, hint: str = "", taps: Taps = ()) -> None:
    """Raise Refusal with a reason, if there is one, and with a hint and taps."""
    if why is not None:
        raise Refusal(why, hint, taps)
