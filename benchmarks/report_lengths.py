"""How long the reports of battles are, in all systems, over battles with many seeds.

`python -m benchmarks.report_lengths` prints the table of docs/letters.md; with a number behind it,
so many battles of each kind are fought.
"""

import sys
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.sample_league import ADDRESS, BEGIN, League, Member, settings
from benchmarks.sample_players import Player, Received

BATTLES = 12
MOST_ROUNDS = 60
REPORTS = ("begin", "turn", "final")


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


def fight(folder: Path, kind: Kind, seed: int) -> list[tuple[str, int]]:
    """Fight a battle by `STANDING sound`, and return each report's kind and its lines of text."""
    hall = League(settings(folder, systems=[kind.system]), seed)
    try:
        ones = [_member(hall, f"Una {n}", order) for n, order in enumerate(kind.ones, 1)]
        others = [_member(hall, f"Otto {n}", order) for n, order in enumerate(kind.others, 1)]
        people = [*ones, *others]
        word = "TEAM CHALLENGE" if len(people) > 2 else "CHALLENGE"
        hall.take([hall.reply(ones[0], f"{word} {_named(others)} WITH {_named(ones)}")])
        for member in people[1:]:
            hall.take([hall.reply(member, "ACCEPT")])
        for words in ("STANDING sound", *repeat("READY", MOST_ROUNDS)):
            for member in people:
                if not member.has("final"):
                    hall.take([hall.reply(member, words)])
        rows = [row for member in people for row in member.received if row.kind in REPORTS]
        return [(row.kind, len(Received(row.content).text.splitlines())) for row in rows]
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


def _shown(lines: Sequence[int]) -> str:
    """Return the median, what nine in ten do not exceed, and the most; a dash for none."""
    if not lines:
        return "–"
    most = quantiles(lines, n=10, method="inclusive")[-1]
    return f"{median(lines):.0f} ({most:.0f}, {max(lines)})"


def main() -> None:
    """Print the table."""
    battles = int(sys.argv[1]) if len(sys.argv) > 1 else BATTLES
    print("| battle | first report | report | final letter |")
    print("| --- | ---: | ---: | ---: |")
    for name, kind in KINDS.items():
        found: list[tuple[str, int]] = []
        for seed in range(battles):
            with TemporaryDirectory(prefix="pbem-reports-") as folder:
                found += fight(Path(folder), kind, seed)
        cells = [_shown([lines for which, lines in found if which == one]) for one in REPORTS]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
