"""Live duels by the daemon itself, on InspIRCd with TLS and the accounts of Atheme's services."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.games.session import Session
from pbem.people import linked_accounts
from pbem.service.daemon import Daemon
from pbem.storage import Account, Game, Outgoing, Player
from tests.servers.irc import IrcNetwork
from tests.support.chat import CHAT, room_settings, talk_there
from tests.support.chatter import Chatter
from tests.support.harness import League, open_league
from tests.support.players import HAWK, KESTREL
from tests.support.running_daemon import running

pytestmark = pytest.mark.services
PAIRS = (("ada", "bob"), ("cid", "dee"), ("eve", "fay"), ("gus", "hal"))
"""The accounts of those who fight each other; the pilot of each has the account's name."""
PATIENCE = 60.0


@dataclass
class Room:
    """A league's room on the network, and the daemon at work there; its clock can be put on."""

    league: League
    network: IrcNetwork
    name: str
    people: dict[str, Chatter]
    ahead: timedelta = timedelta(0)

    def clock(self) -> datetime:
        """Return the daemon's time."""
        return datetime.now(UTC) + self.ahead

    def say(self, account: str, text: str) -> None:
        """Say something in the room."""
        self.people[account].say(self.name, text)

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Wait until something holds."""
        last = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > last:
                raise AssertionError((what, self.people["ada"].said[-30:]))
            time.sleep(0.05)

    def hears(self, *words: str) -> None:
        """Wait until the referee has said these words in one line of the room."""
        witness = self.people["ada"]
        self.until(
            lambda: any(all(one in line for one in words) for line in witness.said),
            " … ".join(words),
        )

    def begin(self, one: str, other: str, game: int) -> None:
        """Let two begin a duel in the room."""
        self.say(one.lower(), f"!challenge {other} with {one} first me")
        self.hears(f"Challenge {game}:", f"!accept {game} ")
        self.say(other.lower(), f"!accept {game}")
        self.hears(f"G{game}, {one}, 2 min")

    def game(self, number: int) -> Game:
        """Return a duel as it stands."""
        return self.league.store.get(Game, number)

    def order(self, number: int, text: str) -> None:
        """Let whoever must act in a duel order something, and wait until it is played."""
        game = self.game(number)
        [seat] = Session(self.league.store, game).unanswered
        self.say(str(seat).lower(), f"!G{number} {text}")
        self.until(lambda: self.game(number).steps > game.steps, f"G{number} {text}")


@contextmanager
def playing(network: IrcNetwork, folder: Path) -> Iterator[Room]:
    """A league of four pairs who are in a room, with a daemon at work."""
    with ExitStack() as stack:
        league = stack.enter_context(open_league(folder))
        league.now = datetime.now(UTC).replace(microsecond=0)
        room = Room(league, network, network.new_room(), {})
        talk_there(league, room_settings(network, room.name))
        for number, account in enumerate(one for pair in PAIRS for one in pair):
            person = league.person(account.title())
            person.join()
            pilot = (HAWK, KESTREL)[number % 2].split(maxsplit=2)[2]
            person.ask(f"ENLIST {account.title()} {pilot} MODE RTC")
            name = f"{account.title()} Example"
            row = league.store.first(Player.select().where(Player.name == name))
            assert row is not None
            about = {"player": row.id, "linked": league.now, "words": ""}
            linked_accounts.link(league.store, channel=CHAT, ident=account, name=account, **about)
        daemon = Daemon(league.service, league.mailbox, league.transport, room.clock)
        stack.enter_context(running(daemon))
        for pair in PAIRS:
            for account in pair:
                chatter = network.chatter(account, account, on_leaf=account == "hal")
                room.people[account] = stack.enter_context(chatter).join(room.name)
        room.until(lambda: len(present(league)) == 8, "all are in the room")
        yield room


def present(league: League) -> set[str]:
    """Return the accounts that are in the room, as far as the referee knows."""
    store = league.store
    return {one.ident for one in store.all(Account.select().where(Account.present))}


@pytest.mark.timeout(300)
def test_four_duels_at_once_go_to_their_ends(irc: IrcNetwork, tmp_path: Path) -> None:
    with (
        irc.chatter("witness") as witness,
        irc.leaf(witness) as leaf,
        playing(irc, tmp_path) as room,
    ):
        for game, (one, other) in enumerate(PAIRS, 1):
            room.begin(one.title(), other.title(), game)
        room.order(1, "scan")
        # One has dropped: the battle waits for five minutes, and then is lost.
        room.people["dee"].leave()
        room.order(2, "scan")
        room.hears("G2", "Dee", "gone")
        # A nick is taken by a stranger, who has no account and orders nothing.
        room.people["eve"].call("away")
        impostor = irc.chatter("eve").join(room.name)
        steps = room.game(3).steps
        impostor.say(room.name, "!surrender")
        impostor.say(room.name, "!G3 surrender")
        room.hears("only who is logged in")
        assert room.game(3).steps == steps
        impostor.leave()
        room.order(3, "scan")
        # A netsplit takes Hal away, and brings Hal back.
        leaf.stop()
        room.until(lambda: "hal" not in present(room.league), "hal is gone")
        room.order(4, "scan")
        room.hears("G4", "Hal", "gone")
        # Two go on by mail, and come back.
        room.say("ada", "!G1 adjourn")
        room.say("bob", "!adjourn")
        room.until(lambda: room.game(1).live == "adjourned", "G1 is adjourned")
        letters = Outgoing.select().where(Outgoing.kind == "turn")
        room.until(lambda: room.league.store.count(letters) >= 2, "letters of the turn")
        room.say("ada", "!resume")
        room.say("bob", "!resume")
        room.until(lambda: room.game(1).live == "running", "G1 is resumed")
        with irc.leaf(witness):
            again = irc.chatter("hal", "hal", on_leaf=True).join(room.name)
            room.people["hal"] = again
            room.hears("G4", "Hal", "back")
            room.order(4, "scan")
            room.ahead += timedelta(seconds=301)
            # Whatever is written lets the referee look at the clock.
            room.say("ada", "!status")
            room.until(lambda: not room.game(2).running, "G2 is lost")
            room.hears("G2 is over", "Cid")
            for number in (1, 3, 4):
                room.until(lambda n=number: room.game(n).running, f"G{number} goes on")
                room.say(acting(room, number), f"!G{number} surrender")
                room.until(lambda n=number: not room.game(n).running, f"G{number} is over")
            again.leave()
    assert all(not room.game(number).running for number in (1, 2, 3, 4))


def acting(room: Room, number: int) -> str:
    """Return the account of whoever must act in a duel."""
    [seat] = Session(room.league.store, room.game(number)).unanswered
    return str(seat).lower()
