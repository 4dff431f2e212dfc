"""What a letter costs in leagues of several sizes: `python -m benchmarks large`."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from peewee import fn

from benchmarks import letters_per_duel
from benchmarks.sample_league import BEGIN, League, Member, settings
from pbem.handlers.accounts import leaving
from pbem.people import personal_data
from pbem.storage import Game, Issue, Letter, Outgoing, Player, Store, queues
from tests.support.grown_league import grow

SIZES = (1_000, 10_000, 100_000)
"""How many letters have come to the leagues that are measured."""
AIM = 0.5
"""The seconds of processor time that no letter may take."""
DUELS = 6

ORDERS = (
    "HELP",
    "RULES starpilot",
    "SHIPS light",
    "STATUS",
    "STATUS all",
    "GAMES",
    "STANDINGS",
    "STANDINGS 100 to 130",
    "STANDINGS cartel",
    "SHEET {own}",
    "SHEET {other}",
    "SHEET Nobodyy",
    "REPORT {over}",
    "HISTORY {over}",
    "RECEIPTS {over}",
    "SCRIPT {over}",
    "NOMINATE {winner} IN {over}\nFor staying when all others fled.",
    "ENDORSE 1",
    "WATCH 1",
    "TELL {other}\nGood day.\nEND",
    "PRESS\nGood day to all.\nEND",
    "EDITORIAL\nGood day to all readers.\nEND",
    "BLOCK {other}",
    "UNBLOCK {other}",
    "SUBSCRIBE newsletter",
    "MAIL turns",
    "AWAY 2037-01-03 TO 2037-01-05",
    "BACK",
    "TIMEZONE Europe/Oslo",
    "ADDRESS new@players.example",
    "CHALLENGE {other}",
    "CHALLENGE Nobodyy",
    "CHALLENGE ANYBODY",
    "PATROL",
    "PRACTICE",
    "TAKEOVER 1",
    "REMATCH {over}",
    "RESIGN {own}",
    "ENLIST Zorro FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B",
    "NEW KEY",
)
"""Orders whose cost might depend on how large the league is."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds of processor time, by what was done; KiB of a letter of the newsletter."""

    letters: int
    players: int
    games: int
    kib: float
    seconds: dict[str, float]

    @property
    def slow(self) -> dict[str, float]:
        """Return the letters that took longer than the aim."""
        return {what: one for what, one in self.seconds.items() if one > AIM}


def measure(sizes: Sequence[int] = SIZES) -> list[Figures]:
    """Measure each order, a duel and the rest in leagues of some numbers of letters."""
    found = list[Figures]()
    for size in sizes:
        with TemporaryDirectory(prefix="pbem-large-") as folder:
            found.append(_measure(Path(folder), size))
    return found


def _measure(folder: Path, size: int) -> Figures:
    made = settings(folder)
    letters_per_duel.play(folder, DUELS)
    with closing(Store(made.store_url())) as store:
        # Nothing of the past waits any more.
        queues.mark_sent(
            store,
            store.all(Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)),
            BEGIN,
        )
        grow(store, size)
    hall = League(made)
    try:
        store = hall.service.ports.store
        counts = (
            store.count(Letter.select()),
            store.count(Player.select()),
            store.count(Game.select()),
        )
        seconds = dict(_letters(hall))
        kib, rest = _besides(hall)
        return Figures(*counts, kib, seconds | rest)
    finally:
        hall.close()


def _letters(hall: League) -> Iterator[tuple[str, float]]:
    """Yield what each letter of a newcomer took."""
    [(one, other), (third, fourth)] = hall.pair(2, prefix="New")
    hall.challenge([(third, fourth)])
    yield "standing orders", _timed(hall, third, third.standing)
    yield "standing orders that end a duel", _timed(hall, fourth, fourth.standing)
    for _ in range(letters_per_duel.MOST_ROUNDS):
        if not hall.service.ports.store.count(Game.select().where(Game.running == True)):
            break
        hall.take(hall.reply(member, "READY") for member in (third, fourth))
    over = hall.service.ports.store.scalar(Game.select(fn.MAX(Game.id))) or 0
    for order in ORDERS:
        words = order.format(own=one.pilot, other=other.pilot, winner=fourth.pilot, over=over)
        yield order.partition("\n")[0], _timed(hall, one, words)
    yield "LEAVE LEAGUE", _timed(hall, one, "LEAVE LEAGUE")
    yield "LEAVE LEAGUE, confirmed", _timed(hall, one, "LEAVE LEAGUE")
    assert (
        hall.service.ports.store.first(Player.select().where(Player.address == one.player.address))
        is None
    )


def _timed(hall: League, member: Member, text: str) -> float:
    """Return the seconds that the program takes to answer a letter of a member."""
    hall.keep([hall.reply(member, text)])
    began = process_time()
    hall.service.round(BEGIN).answer_all()
    taken = process_time() - began
    hall.deliver()
    return taken


def _besides(hall: League) -> tuple[float, dict[str, float]]:
    """Return the size of a newsletter's letter, and what takes time beside letters."""
    ports = hall.service.ports
    found = dict[str, float]()

    def time(what: str, do: Callable[[], object]) -> None:
        began = process_time()
        do()
        found[what] = process_time() - began

    player = ports.store.get(Player, 1)
    time("person erase", lambda: leaving.erase(ports, player, BEGIN))
    time("a round after it", lambda: hall.service.work(BEGIN))
    time("the first round of a day", lambda: hall.service.work(BEGIN + timedelta(days=1)))
    time("a round with nothing to do", lambda: hall.service.work(BEGIN + timedelta(days=1)))
    time(
        "the day's cleaning",
        lambda: personal_data.clean(ports.store, ports.settings.privacy, BEGIN),
    )
    ports.newsletter.want()
    time("newsletter printed", lambda: ports.newsletter.publish(BEGIN + timedelta(days=1)))
    page = json.loads(ports.store.all(Issue.select().order_by(Issue.id.desc()).limit(1))[0].page)[
        "en"
    ]
    return (len(page["text"].encode()) + len(page["html"].encode())) / 1024, found
