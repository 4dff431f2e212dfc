"""How long the letters of battles are in all systems, how much of them repeats, what drawing costs.

Each kind of battle is played in two ways: each turn by hand, with what the letter suggests, and by
`STANDING sound`. Then the longest letter of each kind in each system is told, from the welcome on.
With a number behind it, `python -m benchmarks.letters` fights so many of each.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

from benchmarks.sample_league import ADDRESS, BEGIN, League, Member, settings
from benchmarks.sample_players import Player
from pbem.games.reports import battle_pictures
from pbem.i18n.message_catalogue import SOURCE
from pbem.rendering import raster
from pbem.storage import Outgoing

BATTLES = 3
MOST_ROUNDS = 60
REPORTS = ("begin", "turn", "final")
LETTERS = (*REPORTS, "ack")
"""The kinds of letters that a battle brings."""
CHOICES = ("YOUR MOVE", "WHAT YOU MAY ORDER", "DU BIST AM ZUG", "WAS DU BEFEHLEN KANNST")
"""The headings of what a turn's choices are; they repeat because the choices do."""
CHOOSING = re.compile(f"^({'|'.join(CHOICES)})$", re.M)
ASKED = re.compile(r"are needed by|werden bis .{,60} gebraucht")
"""What a report says that asks for orders, in English or German."""
FRAME = ("##- please write above", "Lost? Reply with")
"""How the lines begin that stand around each letter."""
HOURS = 20
"""The hours between two rounds of answers."""
HAND, STANDING = "by hand", "standing"
LONGEST = "longest letter"
"""What stands above the names of the systems in the second table."""


class Kind(NamedTuple):
    """A kind of battle: its system, and for each player of two sides the order that enlists."""

    system: str
    ones: Sequence[str]
    others: Sequence[str]


def _pilots(side: str, *ships: str) -> list[str]:
    return [
        f"ENLIST {{}} FOR {side} WEAPONS 14 PILOTING 12 SENSORS 10 SHIP {ship}" for ship in ships
    ]


def _elements(colour: str, count: int) -> list[str]:
    elements = (f"{colour} {n}: 2 Black Tiger SKILL 2" for n in range(1, 1 + count))
    return [f"SQUADRON {{}} WITH {'; '.join(elements)}"]


KINDS = {
    "StarPilot, a duel": Kind(
        "starpilot", _pilots("cartel", "Angela 313B"), _pilots("alliance", "Rus 133-A")
    ),
    "StarPilot, two on each side": Kind(
        "starpilot",
        _pilots("cartel", "Angela 313B", "Angela 313A"),
        _pilots("alliance", "Rus 133-B", "Rus 133-A"),
    ),
    "Black Skies, two elements": Kind("blackskies", _elements("Red", 2), _elements("Blue", 2)),
    "Black Skies, eight elements": Kind("blackskies", _elements("Red", 8), _elements("Blue", 8)),
    "Starfarer, two characters": Kind(
        "starfarer",
        ["SQUAD {} WITH Kitai: scout; Bo: guard"],
        ["SQUAD {} WITH Ann: duellist; Cy: medic"],
    ),
    "Starfarer, four characters": Kind(
        "starfarer",
        ["SQUAD {} WITH Kitai: scout; Bo: guard; Dan: guard; Eva: medic"],
        ["SQUAD {} WITH Ann: duellist; Cy: medic; Finn: scout; Gus: guard"],
    ),
    "Cortex, four vessels": Kind(
        "cortex",
        ["GROUP {} WITH Lance: fighter, veteran; Red: 3 fighters"],
        ["GROUP {} WITH Blue: 4 fighters"],
    ),
    "Cortex, eight vessels": Kind(
        "cortex",
        ["GROUP {} WITH Lance: fighter, veteran; Red: 5 fighters; Citadel: frigate; Hive: frigate"],
        ["GROUP {} WITH Blue: 6 strikers; Fort: frigate; Tower: frigate, veteran"],
    ),
}


@dataclass(slots=True)
class Figures:
    """What battles of a kind brought: lines of each letter, and seconds of processor time.

    `lines` are those of all letters by kind, also from before the battle. Of `told` lines, which
    leaves out a turn's choices, `again` stood in an earlier letter of the battle to the same
    player.
    """

    lines: dict[str, list[int]] = field(default_factory=dict)
    told: int = 0
    again: int = 0
    seconds: float = 0.0
    drawing: float = 0.0

    def take(self, found: "Figures") -> None:
        """Add what another battle brought."""
        for kind, lines in found.lines.items():
            self.lines.setdefault(kind, []).extend(lines)
        self.told, self.again = self.told + found.told, self.again + found.again
        self.seconds, self.drawing = self.seconds + found.seconds, self.drawing + found.drawing


def fight(folder: Path, kind: Kind, seed: int, way: str, language: str = SOURCE) -> list[Member]:
    """Fight a battle by hand or by standing orders, and return its players with their letters."""
    hall = League(settings(folder, systems=[kind.system], language=language), seed)
    try:
        ones = [_member(hall, f"Una {n}", order) for n, order in enumerate(kind.ones, 1)]
        others = [_member(hall, f"Otto {n}", order) for n, order in enumerate(kind.others, 1)]
        people = [*ones, *others]
        word = "TEAM CHALLENGE" if len(people) > 2 else "CHALLENGE"
        hall.take([hall.reply(ones[0], f"{word} {_named(others)} WITH {_named(ones)}")])
        for member in people[1:]:
            hall.take([hall.reply(member, "ACCEPT")])
        for n in range(MOST_ROUNDS):
            hall.now += timedelta(hours=HOURS)
            for member in people:
                words = "" if member.has("final") else _next(member, n, way)
                if words:
                    hall.take([hall.reply(member, words)])
        return people
    finally:
        hall.close()


def _member(hall: League, pilot: str, order: str) -> Member:
    """Return a player who has joined, and enlisted whoever fights."""
    name = f"Player {pilot}"
    address = f"{pilot.replace(' ', '').lower()}@players.example"
    hall.members[address] = member = Member(Player(name, address), pilot, "")
    hall.take([member.player.write(ADDRESS, f"JOIN {name}", BEGIN)])
    hall.take([hall.reply(member, "Here I am.")])
    hall.take([hall.reply(member, order.format(pilot))])
    return member


def _named(members: Sequence[Member]) -> str:
    return ", ".join(member.pilot for member in members)


def _next(member: Member, n: int, way: str) -> str:
    """Return what a player answers to the letter that came last; by hand nothing but to a report
    that asks for orders."""
    if way == STANDING:
        return "READY" if n else "STANDING sound"
    return suggested(words(member.received[-1])) if member.received[-1].kind in REPORTS else ""


def words(row: Outgoing) -> str:
    """Return the plain text of a letter."""
    body = message_from_bytes(row.content, policy=default).get_body(("plain",))
    assert body is not None
    return "\n".join(body.get_content().splitlines())


def suggested(text: str) -> str:
    """Return the first orders that a letter suggests: a plan, or else the first choice; or ""."""
    if not ASKED.search(" ".join(text.split())):
        return ""
    _, first, *others = CHOOSING.split(text, 1)[-1].split("\n\n")
    # Without a plan the choices come at once. Two spaces begin a line of them, and stand between
    # an order, its chance and its effect.
    if first.startswith("  "):
        return first.strip().partition("  ")[0]
    return "\n".join(map(str.strip, others[0].splitlines()))


def told(text: str) -> Iterator[str]:
    """Yield what a letter says, line by line: no choices of the turn, headings, frame or blanks."""
    choosing = False
    for line in text.splitlines():
        # A choice may be in capitals, too; it is set in.
        heading = line.isupper() and not line.startswith(" ")
        if heading:
            choosing = line in CHOICES
        if line and not (heading or choosing or line.startswith(FRAME)):
            yield line.strip()


def figures(people: Sequence[Member]) -> Figures:
    """Return the lengths of a battle's letters, and how much of them had stood in earlier ones."""
    found = Figures()
    for member in people:
        known: set[str] = set()
        for row in member.received:
            text = words(row)
            found.lines.setdefault(row.kind, []).append(len(text.splitlines()))
            lines = list(told(text)) if row.kind in LETTERS else []
            found.told += len(lines)
            found.again += sum(line in known for line in lines)
            known.update(lines)
    return found


@contextmanager
def drawing_timed(spent: list[float]) -> Iterator[None]:
    """Add the processor time of each drawing to a list."""

    def timed(draw: Callable[..., object]) -> Callable[..., object]:
        def done(*args: object) -> object:
            began = time.process_time()
            try:
                return draw(*args)
            finally:
                spent.append(time.process_time() - began)

        return done

    with (
        mock.patch.object(battle_pictures, "for_report", timed(battle_pictures.for_report)),
        mock.patch.object(raster, "png", timed(raster.png)),
    ):
        yield


def measure(kind: Kind, way: str, battles: int = BATTLES) -> Figures:
    """Fight battles of a kind in one of the two ways, and return their figures."""
    found = Figures()
    for seed in range(battles):
        spent: list[float] = []
        with TemporaryDirectory(prefix="pbem-letters-") as folder, drawing_timed(spent):
            began = time.process_time()
            found.take(figures(fight(Path(folder), kind, seed, way)))
            found.seconds += time.process_time() - began
        found.drawing += sum(spent)
    return found


def table(battles: int = BATTLES) -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of battle and each way, and then one for each system with its
    longest letters; before both a row of titles."""
    yield ("battle", "letters", *REPORTS, "receipt", "repeated", "s/letter", "drawing")
    longest: dict[str, dict[str, int]] = {}
    for name, kind in KINDS.items():
        for way in (HAND, STANDING):
            found = measure(kind, way, battles)
            letters = sum(len(found.lines.get(one, ())) for one in LETTERS)
            most = longest.setdefault(kind.system, {})
            most |= {one: max(most.get(one, 0), *lines) for one, lines in found.lines.items()}
            yield (
                f"{name}, {way}",
                f"{letters}",
                *(_shown(found.lines.get(one, ())) for one in LETTERS),
                f"{100 * found.again / found.told:.0f} %",
                f"{found.seconds / letters:.2f}",
                f"{100 * found.drawing / found.seconds:.0f} %",
            )
    kinds = list(dict.fromkeys(one for most in longest.values() for one in most))
    yield (LONGEST, *kinds)
    for system, most in longest.items():
        yield (system, *(f"{most[one]}" if one in most else "–" for one in kinds))


def _shown(lines: Sequence[int]) -> str:
    """Return the median and the most; a dash for none."""
    return f"{median(lines):.0f}, {max(lines)}" if lines else "–"


def main() -> None:
    """Print both tables: median and longest of each kind of letter, in lines of plain text."""
    rows = table(int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES)
    for n, row in enumerate(rows):
        titles = not n or row[0] == LONGEST
        print("\n" * (titles and n > 0) + f"| {' | '.join(row)} |", flush=True)
        if titles:
            print(f"| --- |{' ---: |' * (len(row) - 1)}")


if __name__ == "__main__":
    main()
