"""Players who write on the newsgroup alone, once their account there is linked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage

from tests.season.answers import Choice
from tests.season.articles import Article
from tests.season.cast import Player
from tests.season.reading import Reading, answers_article
from tests.season.world import BOARD
from tests.servers.inn import USER

PATIENCE = 12
"""After so many orders in a battle a player gives up, and all battles end."""
_CHATTER = (
    "What a fight this is.\nI have never seen one like it.",
    "Nobody here sleeps tonight, I suppose.",
    "My money is on the other one!",
)
_LEAVING = ("SURRENDER", "ESCAPE", "EJECT")
_TOLD_BY_POSTS = ("Your move in", "Your orders in", "Reminder: ")


@dataclass(frozen=True, slots=True)
class Written:
    """What a player wrote on the newsgroup, in which thread, and whether it asks for an answer.

    `thread` is "" for an article that begins one of its own.
    """

    ident: str
    thread: str
    at: datetime
    asks: bool


@dataclass
class Ordered:
    """The latest order in a battle: the turn's post that asked for it, and the article with it."""

    asked: Article
    number: str
    order: str
    changed: bool = False


@dataclass(repr=False)
class Poster(Player):
    """A player who links an account, and from then on only reads mail.

    In a newsgroup nothing is private. So these players have no standing orders, and lead pilots
    alone: in the other systems all orders are secret, and would have to come by mail.
    """

    linked: bool = False
    posts: list[Written] = field(default_factory=list)
    orders: dict[int, set[str]] = field(default_factory=dict)
    """What was ordered in each battle, and might be played."""
    changes: int = 0
    _awaits_code: bool = False
    _later: list[Reading] = field(default_factory=list)
    _seen: int = 0
    _threads: dict[int, str] = field(default_factory=dict)
    _calls: dict[int, str] = field(default_factory=dict)
    _turns: dict[int, Article] = field(default_factory=dict)
    _latest: dict[int, Ordered] = field(default_factory=dict)
    _given: dict[int, int] = field(default_factory=dict)
    _spoken: set[str] = field(default_factory=set)

    def live(self) -> None:
        """Live as others do; who writes on the newsgroup alone waits while it is down."""
        self._spoken.clear()
        if self.world.inn.running_now or not self.linked:
            super().live()

    def write(self, text: str) -> None:
        """Write an article of one's own accord; questions may stand in a battle's thread."""
        if not self.linked:
            super().write(text)
            return
        free = [self._threads[game] for game in self._turns if self._is_free(self._threads[game])]
        asks_there = text.startswith("STATUS") and free and self.rng.random() < 0.5
        self._post(self._signed(text), self.rng.choice(free) if asks_there else "")

    def answer(self, to: Reading, text: str) -> None:
        """Answer a letter by an article, in the thread of what it is about, if there is one."""
        if not self.linked:
            super().answer(to, text)
            return
        call = re.fullmatch(r"(?:ACCEPT|DECLINE) (\d+)", text)
        thread = self._calls.get(int(call[1]), "") if call else self._threads.get(to.game, "")
        self._post(self._signed(text), thread if self._is_free(thread) else "")

    def shown(self) -> EmailMessage:
        """Return the answer to the last article, which asked for all sheets."""
        return [one for one in self.letters if answers_article(one)][-1]

    def _post(self, text: str, thread: str, *, asks: bool = True) -> str:
        ident = self.world.newsgroup.post(self.name.lower(), text, thread)
        self._note(ident, thread, asks=asks)
        return ident

    def _note(self, ident: str, thread: str, *, asks: bool) -> None:
        self.posts.append(Written(ident, thread, self.now, asks))
        if asks:
            self._spoken.add(thread)

    def _is_free(self, thread: str) -> bool:
        """Return whether nothing was asked in a thread in this step."""
        return thread not in self._spoken

    def _signed(self, text: str) -> str:
        """Put a signature below a text now and then; what looks like an order in it is none."""
        if self.rng.random() < 0.7:
            return text
        return f"{text}\n\n-- \n{self.name}, who says to every pilot:\nESCAPE"

    # ---- the account --------------------------------------------------------------------------

    def _looks(self) -> bool:
        looks = super()._looks() or self._awaits_code
        if looks and self.linked:
            self._catch_up()
        return looks

    def _of_oneself(self) -> None:
        if self.linked:
            for game, asked in list(self._turns.items()):
                self._fight(game, asked)
            super()._of_oneself()
        elif not self._awaits_code and not self.posts:
            self.write(f"LINK {BOARD}")
            # A code is good for an hour.
            self._awaits_code = self.world.soon = True

    def _react(self, to: Reading) -> None:
        if code := to.find(r"\bwrite the line (LINK \w{16})\b"):
            self._awaits_code = False
            self._post(code, "", asks=False)
        elif f"on {BOARD} is yours" in to.subject:
            self.linked = True
            for each in self._later:
                self._react(each)
        elif self._awaits_code or (self.posts and not self.linked):
            self._later.append(to)
        elif self.linked and "the battle begins" in to.subject:
            self._note_game(to)
            self._falls_asleep(to)
        elif not (self.linked and any(words in to.subject for words in _TOLD_BY_POSTS)):
            super()._react(to)

    def _good_works(self, to: Reading) -> Iterator[str]:
        """Endorse, but step in for nobody: who plays on follows a battle from its beginning."""
        yield from (one for one in super()._good_works(to) if one.startswith("ENDORSE"))

    # ---- the threads --------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Read what is new in the newsgroup."""
        articles = self.world.newsreader.articles()
        for one in articles[self._seen :]:
            if one.game:
                self._threads[one.game] = one.thread
                self._turns[one.game] = one
                self._talk(one)
            elif nomination := one.find(r"This is nomination (\d+),"):
                self._endorse(nomination, one.thread)
            elif call := one.find(r"This is challenge (\d+) of"):
                self._calls[call] = one.thread
        self._seen = len(articles)

    def _talk(self, about: Article) -> None:
        """Say something now and then that is not for the referee."""
        if self.rng.random() < 0.05:
            self._post(self.rng.choice(_CHATTER), about.thread, asks=False)

    def _endorse(self, nomination: int, thread: str) -> None:
        """Endorse what is nominated, whether or not one may."""
        if self._is_free(thread) and self.rng.random() < 0.7:
            self._post(self._signed(f"ENDORSE {nomination}"), thread)

    def _fight(self, game: int, asked: Article) -> None:
        """Order what a turn's post asks for, or change one's mind about it."""
        mine = [pilot for pilot in self.pilots if pilot in asked.acting]
        if not asked.acting:
            del self._turns[game]
        if not mine or not self._is_free(asked.thread):
            return
        pilot, latest = mine[0], self._latest.get(game)
        if latest is None or (latest.asked is not asked and not self._regrets(latest)):
            self._order(game, pilot, asked)
        elif latest.asked is asked and not latest.changed and self.rng.random() < 0.5:
            self._change(game, pilot, latest)

    def _order(self, game: int, pilot: str, asked: Article) -> None:
        self._given[game] = self._given.get(game, 0) + 1
        tired = self._given[game] > PATIENCE
        order = self._choose(asked.offers.get(pilot, ()), tired=tired)
        number = self._post(self._dressed(order, pilot, asked), asked.thread)
        self._latest[game] = Ordered(asked, number, order)
        others = self._others(pilot, asked, order)
        if others and self.rng.random() < 0.08:
            # The first form is gone before the referee looks.
            self.posts[-1] = Written(number, asked.thread, self.now, asks=False)
            order = self.rng.choice(others)
            self._edit(self._latest[game], order)
        self.orders.setdefault(game, set()).add(order)

    def _change(self, game: int, pilot: str, latest: Ordered) -> None:
        """Replace or withdraw an order that waits for other players."""
        others = self._others(pilot, latest.asked, latest.order)
        if others and self.rng.random() < 0.6:
            order = self.rng.choice(others)
            self._edit(latest, order)
            self.orders[game].add(order)
        else:
            self._cancel(latest)
            del self._latest[game]

    def _regrets(self, latest: Ordered) -> bool:
        """Change an order too late now and then, and return whether that was done."""
        if latest.changed or self.rng.random() > 0.08:
            return False
        if self.rng.random() < 0.5:
            self._edit(latest, "SURRENDER")
        else:
            self._cancel(latest)
        return True

    def _edit(self, latest: Ordered, order: str) -> None:
        self.world.newsgroup.edit(latest.number, order)
        self._note(latest.number, latest.asked.thread, asks=True)
        latest.order, latest.changed = order, True
        self.changes += 1

    def _cancel(self, latest: Ordered) -> None:
        self.world.newsgroup.delete(latest.number)
        self._note(latest.number, latest.asked.thread, asks=True)
        latest.changed = True
        self.changes += 1

    def _others(self, pilot: str, asked: Article, order: str) -> list[str]:
        """Return what else a pilot may order and fight on."""
        offered = [one.order for one in asked.offers.get(pilot, ())]
        return [one for one in offered if one != order and one.split()[0] not in _LEAVING]

    def _choose(self, offers: Sequence[Choice], *, tired: bool) -> str:
        """Shoot where that may hit; else get nearer to it."""
        likely = {one.order: one.chance for one in offers if one.chance >= 25}
        shots = [one for one in likely if one.startswith(("FIRE", "LAUNCH"))]
        if tired:
            surrenders = [one.order for one in offers if one.order.startswith("SURRENDER")]
            return (surrenders or ["SURRENDER"])[0]
        if shots:
            return max(shots, key=lambda one: likely[one])
        moves = [one for one in likely if one.startswith(("DOGFIGHT", "TARGET", "CLOSE"))]
        return self.rng.choice(moves) if moves else "SCAN"

    def _dressed(self, order: str, pilot: str, asked: Article) -> str:
        """Put an order as people do: below a quote, to the referee's account, above a story."""
        said = self.rng.choice(
            (order, order.lower(), f"@{USER} {order}", f"!{order.lower()}", f"{pilot}: {order}")
        )
        # Beside other words the referee would ask first whether leaving is meant.
        if self.rng.random() < 0.3 and not order.startswith(_LEAVING):
            said = self._story(pilot, said)
        if self.rng.random() < 0.3:
            quoted = "".join(f"> {line}\n" for line in asked.text.splitlines())
            said = f"On {asked.letter['Date']}, {asked.letter['From']} wrote:\n{quoted}\n{said}"
        return self._signed(said)
