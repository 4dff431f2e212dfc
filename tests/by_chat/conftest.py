"""A league with a chat room, and two players who have linked their accounts there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.channels import KINDS
from tests.support.board_league import play_on_boards, work
from tests.support.harness import HAWK, KESTREL, League, Person, open_league
from tests.support.memory_chat import MemoryChat, MemoryChatSettings, served
from tests.support.players import plain

ROOM = "chat"


@dataclass
class Room:
    """A league with a chat room."""

    league: League
    server: MemoryChat

    def say(self, account: str, text: str, *, private: bool = False) -> list[str]:
        """Write a line, let the referee work, and return what it has said since, to anybody."""
        return self.since(lambda: self.server.say(account, text, private=private))

    def since(self, act) -> list[str]:
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

    def link(self, person: Person, account: str) -> None:
        """Link an account in the room to a player, by a code."""
        person.write(f"LINK {ROOM}\nKEY {person.key}")
        work(self.league)
        [code] = re.findall(r"LINK (\w{16})", " ".join(plain(person.last).split()))
        self.server.join(account)
        self.say(account, f"LINK {code}")


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
        for name, pilot in (("Ann", HAWK), ("Bob", KESTREL)):
            person = league.person(name)
            person.join()
            person.ask(f"{pilot} MODE RTC" if "MODE" not in pilot else pilot)
            found.link(person, name.lower())
        yield found


@pytest.fixture
def duel(room: Room) -> Room:
    """A duel that Ann's Hawk and Bob's Kestrel have begun in the room; Hawk is to order first."""
    room.say("ann", "!challenge Kestrel with Hawk first me")
    room.say("bob", "!accept 1")
    return room
