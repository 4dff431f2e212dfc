"""A league that is also played on a board, and its players there."""

import re
from dataclasses import dataclass, replace
from random import Random

from pbem.channels.channel import ChannelFault, ChannelSettings
from pbem.games.reports import seat_facts
from pbem.games.session import Session, game_id
from pbem.service import inbox
from pbem.service.service import Service
from pbem.storage import Game, Post
from tests.support.harness import League, Person
from tests.support.played_boards import PlayedBoard
from tests.support.players import plain

BOARD = "forum"


def play_on_boards(league: League, **boards: ChannelSettings) -> None:
    """Let a league be played on boards, by their names."""
    league.settings = replace(league.settings, channels=boards)
    league.service = Service(league.settings, league.store)
    look(league)


def look(league: League) -> list[str]:
    """Publish what is due and read what is new on all boards; return what failed."""
    faults = [*league.service.ports.posts.flush_all(league.now).faults]
    for name, channel in league.settings.channels.items():
        if channel.play:
            try:
                inbox.read_board(league.store, league.settings, name, league.now)
            except ChannelFault as error:
                faults.append(f"{name}: {error}")
    return faults


def work(league: League) -> list[str]:
    """Read boards and mailbox, answer, play what is due, and publish it; return what failed."""
    faults = look(league)
    league.work()
    return [*faults, *league.service.ports.posts.flush_all(league.now).faults]


@dataclass
class Poster:
    """A player with an account on a board."""

    league: League
    person: Person
    server: PlayedBoard
    account: str

    def link(self) -> str:
        """Link the account by a code, and return it."""
        code = self.code()
        self.server.post(self.account, f"LINK {code}")
        work(self.league)
        return code

    def code(self) -> str:
        """Ask by mail for a code, and return it."""
        self.person.write(f"LINK {BOARD}\nKEY {self.person.key}")
        work(self.league)
        [code] = re.findall(r"LINK (\w{16})", " ".join(plain(self.person.last).split()))
        return code

    def post(self, text: str) -> str:
        """Write into the thread of the league's latest battle, and let the referee work."""
        made = self.server.post(self.account, text, thread_of(self.league, self.league.game))
        work(self.league)
        return made

    def whisper(self, text: str) -> None:
        """Write to the referee alone, and let it work."""
        self.server.private(self.account, text)
        work(self.league)


def thread_of(league: League, game: Game) -> str:
    """Return the topic of a battle's thread on the board."""
    found = league.store.first(
        Post.select()
        .where(Post.channel == BOARD, Post.thread == game_id(game.id), Post.topic != "")
        .order_by(Post.id)
    )
    assert found is not None, "the battle has no thread yet"
    return found.topic


def by_us(board: PlayedBoard, thread: str = "", us: str = "referee") -> list[str]:
    """Return the texts of the referee's posts for all, in a thread or anywhere, oldest first."""
    ours = [one for one in board.posts() if one.account == us and not one.to]
    return [one.text for one in ours if thread in ("", one.thread)]


def unmarked(text: str) -> str:
    """Return a post's words without the marks of its board, in one line."""
    return " ".join(text.replace("*", "").replace("\\", "").split())


def to(board: PlayedBoard, account: str, us: str = "referee") -> list[str]:
    """Return the texts of the referee's private messages to an account."""
    return [one.text for one in board.posts() if one.account == us and one.to == account]


def choices(league: League, rng: Random) -> dict[str, str]:
    """Return an order for each seat that is asked and silent, one that does not leave."""
    session = Session(league.store, league.game)
    found = dict[str, str]()
    for seat in session.unanswered:
        offered = [one.order for one in seat_facts.offers(session, seat)]
        rules = session.rules
        stays = [one for one in offered if not rules.leaves(one)]
        found[str(seat)] = rng.choice(sorted(stays))
    return found
