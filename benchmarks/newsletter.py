"""How long an issue takes to go out to 10,000 readers, and how much memory and disk it needs."""

import resource
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.sample_league import League, settings
from pbem.people import readers
from pbem.settings.sections import NewsletterSettings
from pbem.storage import Outgoing, Player

READERS = 10_000
DUELS = 24
RATE = 120
"""Letters a minute, by a clock that only the benchmark moves."""

BEGIN = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Counter:
    """A transport that only counts."""

    def __init__(self) -> None:
        self.letters = self.bytes = 0

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Count a letter."""
        self.letters += 1
        self.bytes += len(raw)

    def close(self) -> None:
        """Do nothing: nothing is open."""


def measure(count: int = READERS) -> dict[str, float]:
    """Publish and send one issue, and return its figures."""
    with TemporaryDirectory(prefix="pbem-newsletter-") as name:
        return _measure(Path(name), count)


def _measure(folder: Path, count: int) -> dict[str, float]:
    made = replace(settings(folder), newsletter=NewsletterSettings(letters_a_minute=RATE))
    hall, transport = League(made), Counter()
    try:
        hall.pair(DUELS)
        _subscribe(hall, count)
        hall.service.ports.outbox.store.run(
            Outgoing.update(state="sent").where(Outgoing.state == "queued")
        )
        hall.service.ports.newsletter.want()
        before, room, began = _memory(), _size(folder), perf_counter()
        _send(hall, transport, count)
        seconds = perf_counter() - began
        return {
            "readers": transport.letters,
            "seconds": seconds,
            "letter_ms": 1000 * seconds / transport.letters,
            "letter_kib": transport.bytes / transport.letters / 1024,
            "memory_mb": _memory() - before,
            "database_mb": _size(folder) - room,
        }
    finally:
        hall.close()


def _send(hall: League, transport: Counter, count: int) -> None:
    """Do what the daemon does until all letters are sent."""
    now = BEGIN
    while transport.letters < count:
        hall.service.ports.newsletter.publish(now)
        hall.service.delivery.flush(transport, lambda at=now: at)
        now += timedelta(seconds=10)


def _subscribe(hall: League, count: int) -> None:
    store = hall.service.ports.store
    with store.transaction():
        for number in range(count):
            player = store.create(
                Player,
                name=f"Reader {number}",
                folded=f"reader{number}",
                address=f"r{number}@readers.example",
                confirmed=True,
                joined=BEGIN,
                heard=BEGIN,
            )
            readers.enrol(store, BEGIN, player.id)


def _memory() -> float:
    """Return the most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _size(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 1e6
