"""A league with a chat room, and two players who have linked their accounts there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.channels import KINDS
from pbem.games.session import Session
from pbem.storage import Game, LiveBattle
from tests.support.board_league import play_on_boards, work
from tests.support.harness import HAWK, KESTREL, League, Person, open_league
from tests.support.memory_chat import MemoryChat, MemoryChatSettings, served
from tests.support.players import plain

ROOM = "chat"


@dataclass
class Room:
    """A league with a chat room; `people` are its players, by their accounts there."""

    league: League
    server: MemoryChat
    people: dict[str, Person] = field(default_factory=dict)

    def say(self, account: str, text: str) -> list[str]:
        """Write a line in the room, and return what the referee has said since, to anybody."""
        return self.since(lambda: self.server.say(account, text))

    def whisper(self, account: str, text: str) -> list[str]:
        """Write a line to the referee alone, and return what it has said since, to anybody."""
        return self.since(lambda: self.server.say(account, text, private=True))

    def since(self, act: Callable[[], object]) -> list[str]:
        """Do something, let the referee work, and return what it has said since."""
        before = len(self.server.lines)
        act()
        work(self.league)
        return [line.text for line in self.server.lines[before:]]

    def later(self, seconds: float) -> list[str]:
        """Move the clock, let the referee work, and return what it has said since."""
        self.league.later(seconds / 3600)
        self.server.now = self.league.now
        return self.since(lambda: None)

    def join(self, name: str, pilot: str) -> Person:
        """Let somebody join, enlist a pilot, and link an account in the room by a code."""
        person = self.people[name.lower()] = self.league.person(name)
        person.join()
        person.ask(pilot)
        self.link(person, name.lower())
        return person

    def link(self, person: Person, account: str) -> None:
        """Link an account in the room to a player, by a code."""
        person.write(f"LINK {ROOM}\nKEY {person.key}")
        work(self.league)
        [code] = re.findall(r"LINK (\w{16})", " ".join(plain(person.last).split()))
        self.server.join(account)
        self.say(account, f"LINK {code}")

    @property
    def game(self) -> Game:
        """Return the latest battle."""
        return self.league.game

    @property
    def acting(self) -> str:
        """Return the account of whoever must order."""
        [seat] = Session(self.league.store, self.game).unanswered
        return {"Hawk": "ann", "Kestrel": "bob"}[seat]

    @property
    def seconds_left(self) -> int | None:
        """Return how long the battle's clock still runs, None while it stands still."""
        due = self.game.deadline
        return None if due is None else round((due - self.league.now).total_seconds())

    @property
    def spare(self) -> int:
        """Return the seconds that absences may still last."""
        return self.league.store.get(LiveBattle, self.game.id).spare


@pytest.fixture(autouse=True)
def memory_is_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let settings name the room in memory, here alone: other tests look at each kind."""
    monkeypatch.setitem(KINDS, "memorychat", MemoryChatSettings)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A room in which Ann has the pilot Hawk, and Bob Kestrel, both for live chat."""
    with open_league(tmp_path, outage_hours=6) as league:
        server = served(league.now)
        play_on_boards(league, **{ROOM: MemoryChatSettings(server="room")})
        found = Room(league, server)
        found.join("Ann", f"{HAWK} MODE RTC")
        found.join("Bob", f"{KESTREL} MODE RTC")
        yield found


@pytest.fixture
def duel(room: Room) -> Room:
    """A duel that Ann's Hawk and Bob's Kestrel have begun in the room; Hawk is to order first."""
    room.say("ann", "!challenge Kestrel with Hawk first me")
    room.say("bob", "!accept 1")
    return room
