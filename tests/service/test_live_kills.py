"""kill -9 at many moments of a live duel: it goes on (SP-41), and no line comes twice."""

import re
import signal
import time
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.games.session import Session
from pbem.people import linked_accounts
from pbem.storage import Game, Player, Store
from tests.servers.irc import IrcNetwork
from tests.support.chat import CHAT, room_settings, talk_there
from tests.support.chatter import Chatter
from tests.support.harness import open_league
from tests.support.players import HAWK, KESTREL, REFEREE
from tests.support.program import pbem, running, write_league

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]
DELAYS = (0, 0.005, 0.02, 0.05, 0.1, 0.3)
"""How many seconds after an order the daemon is killed."""
SEATS = {"Hawk": "ada", "Kestrel": "bob"}


def league_with_two(folder: Path, network: IrcNetwork, room: str) -> tuple[Path, str]:
    """Write a league with two live pilots and linked accounts; return its file and database."""
    with open_league(folder) as league:
        league.now = datetime.now(UTC).replace(microsecond=0)
        settings = room_settings(network, room)
        talk_there(league, settings)
        for pilot, account, form in (("Hawk", "ada", HAWK), ("Kestrel", "bob", KESTREL)):
            person = league.person(pilot)
            person.join()
            person.ask(f"{form} MODE RTC")
            row = league.store.first(Player.select().where(Player.name == f"{pilot} Example"))
            assert row is not None
            about = {"player": row.id, "linked": league.now, "words": ""}
            linked_accounts.link(league.store, channel=CHAT, ident=account, name=account, **about)
        url = league.settings.store_url()
    told = {
        "league": {"name": "Avalon League", "address": REFEREE},
        "store": {"url": url},
        "maildir": {"path": "in", "out": "sent"},
        f"channels.{CHAT}": asdict(settings) | {"kind": "irc"},
    }
    return write_league(folder, told), url


def acting(url: str) -> str | None:
    """Return the account of whoever must order, None once the duel is over."""
    with closing(Store(url)) as store:
        game = store.get(Game, 1)
        seats = Session(store, game).unanswered if game.running else []
    return SEATS[seats[0]] if seats else None


def test_a_live_duel_survives_kills(irc: IrcNetwork, tmp_path: Path) -> None:
    room = irc.new_room()
    config, url = league_with_two(tmp_path, irc, room)
    with irc.chatter("ada", "ada") as ada, irc.chatter("bob", "bob") as bob:
        people = {"ada": ada.join(room), "bob": bob.join(room)}
        for number, delay in enumerate(DELAYS):
            with running(config) as daemon:
                if number == 0:
                    wait_to_hear(ada, ":referee", "JOIN")
                    ada.say(room, "!challenge Kestrel with Hawk first me")
                    wait_to_hear(ada, "!accept 1 takes it")
                    bob.say(room, "!accept 1")
                else:
                    wait_to_hear(ada, "The referee was away")
                    ada.say(room, "!ready")
                    bob.say(room, "!ready")
                wait_to_hear(ada, "G1, ", "2 min: ")
                who = acting(url)
                assert who is not None
                people[who].say(room, "!scan")
                time.sleep(delay)
                daemon.stop(signal.SIGKILL)
        with running(config) as daemon:
            wait_to_hear(ada, "The referee was away")
            ada.say(room, "!ready")
            bob.say(room, "!ready")
            wait_to_hear(ada, "G1, ", "2 min: ")
            who = acting(url)
            assert who is not None
            people[who].say(room, "!surrender")
            wait_to_hear(ada, "G1 is over")
            daemon.stop()
        told = ada.said
    steps = [found for line in told for found in re.findall(r"^G1\.\d+ ", line)]
    assert steps
    assert len(set(steps)) == len(steps), "\n".join(told)
    with closing(Store(url)) as store:
        assert not store.get(Game, 1).running
    assert pbem("--config", config, "fsck").returncode == 0


def wait_to_hear(listener: Chatter, *words: str) -> None:
    """Wait for a line of the room, after those that were waited for before, with all the words."""
    last = time.monotonic() + 60
    while time.monotonic() < last:
        line = listener.wait_for(words[0])
        if all(word in line for word in words):
            return
    raise AssertionError((words, listener.lines[-20:]))
