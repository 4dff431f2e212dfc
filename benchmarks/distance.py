"""What a letter waits for a database that is a millisecond away: `python -m benchmarks distance`.

A PostgreSQL stands behind a proxy on this machine, which holds each answer back for a millisecond.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from statistics import median

from benchmarks.sample_league import League, settings
from benchmarks.statements import answer, orders
from tests.servers.daemon import LOOPBACK, Address, open_folder
from tests.servers.postgres import Postgres, home

DISTANCE = 0.001
"""How many seconds pass between a question and its answer, beside the work that it takes."""
LETTERS = 20
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Distance:
    """Milliseconds that a filed letter takes at a distance and without one, each alone; how often
    the database is asked and waited for; and the milliseconds that are waited."""

    far: float
    near: float
    asked: int

    @property
    def waiting(self) -> float:
        """The milliseconds that the distance costs."""
        return self.far - self.near


class Proxy:
    """Passes bytes on to a server, and holds back what comes from it for `seconds`."""

    def __init__(self, server: Address) -> None:
        self._server = server
        self._listening = socket.create_server((LOOPBACK, 0))
        self.address: Address = self._listening.getsockname()
        self.seconds, self.asked = 0.0, 0
        """`asked` counts how often the server was asked after it had answered."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Accept connections until the block ends."""
        thread = threading.Thread(target=self._accept, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):  # it is closed at the end
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._server)
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._ask, args=(client, server), daemon=True).start()
                threading.Thread(target=self._answer, args=(server, client), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        while piece := client.recv(_PIECE):
            self.asked += 1
            server.sendall(piece)
        server.close()

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while piece := server.recv(_PIECE):
                time.sleep(self.seconds)
                client.sendall(piece)


def measure() -> Distance | None:
    """Measure letters that are filed, each alone; None where no PostgreSQL is installed."""
    programs = home()
    if programs is None:
        return None
    with open_folder() as folder, Postgres(folder, programs).running() as server:
        proxy = Proxy(server.address)
        url = server.new().replace(f":{server.address[1]}/", f":{proxy.address[1]}/")
        with proxy.running(), closing(League(settings(folder, url))) as league:
            return _measured(league, proxy)


def _measured(league: League, proxy: Proxy) -> Distance:
    """Measure letters in turns near the database and far from it."""
    pairs = league.pair(LETTERS)
    league.challenge(pairs)
    taken: dict[float, list[float]] = {0.0: [], DISTANCE: []}
    asked = list[int]()
    for n, (writer, _) in enumerate(pairs):
        letter = league.reply(writer, orders(writer))
        proxy.seconds, proxy.asked = (0.0, DISTANCE)[n % 2], 0
        began = time.perf_counter()
        answer(league, [letter])
        taken[proxy.seconds].append(1000 * (time.perf_counter() - began))
        asked.append(proxy.asked)
        proxy.seconds = 0.0
        league.deliver()
    near, far = map(median, taken.values())
    return Distance(far, near, int(median(asked)))
