"""How long a line in a chat room waits for its answer, beside an answer of a bare client.

It is a line of help, so that most of what is measured is the way: from InspIRCd to the database, to
the league's thread, to the queue, and back.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from statistics import median
from threading import Thread
from typing import Any

from pbem.people import linked_accounts
from pbem.service.daemon import Daemon
from pbem.storage import Player
from tests.servers.certificates import make_certificates
from tests.servers.daemon import open_folder
from tests.servers.irc import IrcNetwork
from tests.support.chat import CHAT, room_settings, talk_there
from tests.support.chatter import Chatter
from tests.support.harness import duel, open_league

_LINES = 30
_PAUSE = 1.1
"""Seconds between two lines: at InspIRCd's usual rate."""


def measure() -> dict[str, float]:
    """Return the medians, in milliseconds."""
    with open_folder() as folder:
        network = IrcNetwork(folder, make_certificates(folder))
        with network.running():
            return {
                "bare client": _round_trip(network, "#bare", lambda: _echoing(network)),
                "referee": _round_trip(network, "#referee", lambda: _referee(network)),
            }


def _round_trip(network: IrcNetwork, room: str, answering: Callable[[], Any]) -> float:
    taken = list[float]()
    with answering(), network.chatter("ada", "ada") as ada:
        ada.join(room)
        time.sleep(3)
        for _ in range(_LINES):
            began = time.perf_counter()
            ada.say(room, "!help")
            ada.wait_for(f" PRIVMSG {room} :")
            taken.append(time.perf_counter() - began)
            time.sleep(_PAUSE)
    return round(median(taken) * 1000, 1)


@contextmanager
def _echoing(network: IrcNetwork) -> Iterator[None]:
    """Somebody who answers each line at once."""
    with network.chatter("echo") as echo:
        echo.join("#bare")
        Thread(target=_echo, args=(echo,), daemon=True).start()
        yield


def _echo(echo: Chatter) -> None:
    with suppress(OSError):  # until it leaves
        while True:
            echo.wait_for("!help")
            echo.say("#bare", "no help")


@contextmanager
def _referee(network: IrcNetwork) -> Iterator[None]:
    """The daemon of a league."""
    with open_folder() as folder, open_league(folder) as league:
        duel(league)
        talk_there(league, room_settings(network, "#referee"))
        player = league.store.first(Player.select())
        assert player is not None
        about = {"player": player.id, "linked": league.now, "words": ""}
        linked_accounts.link(league.store, channel=CHAT, ident="ada", name="ada", **about)
        daemon = Daemon(league.service, league.mailbox, league.transport)
        thread = Thread(target=daemon.run)
        thread.start()
        try:
            yield
        finally:
            daemon.stop()
            thread.join()
