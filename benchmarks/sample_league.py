"""A league to measure with: players, pilots and duels, the same in each run, all by mail."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path

from peewee import fn

from benchmarks.sample_players import BEAMS, MISSILES, Player, Received
from engine.starpilot.tables import LIGHT, SHIPS
from pbem.channels.mail.mailbox import Arrival
from pbem.service.service import Service
from pbem.settings import Settings
from pbem.settings.load import parse
from pbem.storage import Letter, Outgoing, Store, stored_letters

ADDRESS = "referee@league.example"
BEGIN = datetime(2036, 3, 3, 12, tzinfo=UTC)
"""Far in the future, so that no deadline passes while a daemon works."""
POINTS = (14, 12, 10)
"""Weapons, Piloting and Sensors of every pilot."""

_LIGHTS = [name for name, ship in SHIPS.items() if ship.weight == LIGHT]
PAIRINGS = [(a, b) for a in _LIGHTS for b in _LIGHTS if SHIPS[a].side != SHIPS[b].side]
"""Every meeting of two Light fighters of different sides, in both orders."""


@dataclass(slots=True)
class Member:
    """A player of the league with one pilot, and the letters that have come."""

    player: Player
    pilot: str
    ship: str
    received: list[Outgoing] = field(default_factory=list)

    @property
    def last(self) -> Received:
        """The letter that came last."""
        return Received(self.received[-1].content)

    def has(self, kind: str) -> bool:
        """Return whether a kind of letter has come."""
        return any(row.kind == kind for row in self.received)

    @property
    def standing(self) -> str:
        """Return good standing orders for the pilot's ship."""
        return BEAMS if SHIPS[self.ship].stats[0] else MISSILES

    @property
    def enlisting(self) -> str:
        """The order that makes the pilot."""
        weapons, piloting, sensors = POINTS
        return (
            f"ENLIST {self.pilot} FOR {SHIPS[self.ship].side} WEAPONS {weapons}"
            f" PILOTING {piloting} SENSORS {sensors} SHIP {self.ship}"
        )


def settings(folder: Path, url: str = "", **league: object) -> Settings:
    """Return a league's settings: the usual ones, except those given; `url` is its database's."""
    return parse(
        {
            "league": {"name": "Bench League", "address": ADDRESS, **league},
            "store": {"url": url or f"sqlite:///{folder}/league.db"},
            "limits": {"letters_a_day": 10_000, "stranger_letters_a_day": 10_000},
        },
        folder,
    )


class League:
    """A service with members; letters go in and out by hand."""

    def __init__(self, made: Settings, seed: int = 1) -> None:
        entropy = random.Random(seed).randbytes
        self.service = Service(made, Store(made.store_url(), entropy))
        self.now = BEGIN
        self.members: dict[str, Member] = {}
        self.by_pilot: dict[str, Member] = {}
        self._uid = self.service.ports.store.count(Letter.select())
        self._seen = self.service.ports.store.scalar(Outgoing.select(fn.MAX(Outgoing.id))) or 0

    def close(self) -> None:
        """Close the league's database."""
        self.service.ports.store.close()

    def take(self, letters: Iterable[bytes]) -> None:
        """Run the program on the letters that came, and deliver the answers to the members."""
        self.keep(letters)
        self.service.round(self.now).answer_all()
        self.deliver()

    def deliver(self) -> None:
        """Deliver the answers that are not delivered yet to the members."""
        for row in self.service.ports.store.all(
            Outgoing.select().where(Outgoing.id > self._seen).order_by(Outgoing.id)
        ):
            self._seen = row.id
            self.members[row.recipient].received.append(row)

    def keep(self, letters: Iterable[bytes]) -> None:
        """Store letters as the program would, without handling them."""
        stored_letters.keep(
            self.service.ports.store,
            "bench",
            "INBOX",
            self.now,
            [self._arrival(raw) for raw in letters],
        )

    def _arrival(self, raw: bytes) -> Arrival:
        self._uid += 1
        return Arrival(f"1 {self._uid}", self.now, len(raw), raw)

    def pair(self, duels: int, prefix: str = "") -> list[tuple[Member, Member]]:
        """Join two players for each duel, over all pairings of Light fighters."""
        pairs = [
            (self._member(f"{prefix}A{n}", one), self._member(f"{prefix}B{n}", other))
            for n, (one, other) in enumerate(islice(cycle(PAIRINGS), duels))
        ]
        everyone = self.members.values()
        self.take(m.player.write(ADDRESS, f"JOIN {m.player.name}", BEGIN) for m in everyone)
        self.take(self.reply(m, "Here I am.") for m in everyone)
        self.take(self.reply(m, m.enlisting) for m in everyone)
        return pairs

    def _member(self, name: str, ship: str) -> Member:
        address = f"{name.lower()}@players.example"
        player = Player(f"Player {name}", address, webmail="A" in name)
        member = Member(player, f"Pilot {name}", ship)
        self.members[address] = self.by_pilot[member.pilot] = member
        return member

    def reply(self, member: Member, text: str) -> bytes:
        """Return a member's reply to the last letter."""
        return member.player.reply(member.last, text, BEGIN)

    def challenge(self, pairs: Iterable[tuple[Member, Member]]) -> None:
        """Challenge the second of each pair in the first one's name, and accept."""
        found = list(pairs)
        self.take(self.reply(a, f"CHALLENGE {b.pilot} WITH {a.pilot}") for a, b in found)
        self.take(self.reply(b, "ACCEPT") for _, b in found)
