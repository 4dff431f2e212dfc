"""How often a new pilot of StarPilot beats the sharp pilot that PRACTICE deals it."""

import argparse
from collections.abc import Iterator
from itertools import count, islice
from math import sqrt

from benchmarks.simulation.duels import Bout, fight
from engine.campaign import Persona, Specimen
from engine.dice import SeededDice
from engine.order_translations import DOCTRINES
from engine.registry import RULESETS
from engine.starpilot.persona_record import Pilot, persona_of
from engine.starpilot.tables import SHIPS
from tests.support.printed_order_duels import BY_SHEET, drill

STARPILOT = RULESETS["starpilot"]


def practices(me: Persona, strength: str) -> Iterator[Bout]:
    """Yield duels without end against sharp pilots as PRACTICE deals them; each begins in turn."""
    assert STARPILOT.campaign is not None
    for number in count():
        foe = STARPILOT.campaign.sparring(me, SeededDice(b"", "sparring", number, b""))
        pilots = Specimen("", "", me), Specimen("", "", foe)
        yield Bout(pilots, (strength, "sharp"), number % 2)


def share(ship: str, build: tuple[int, ...], how: str, duels: int) -> float:
    """Return the share of duels that a pilot wins; one that nobody wins counts half."""
    weapons, piloting, sensors = build
    pilot = Pilot(SHIPS[ship].side, "BB", weapons, piloting, sensors, ship, 0, 1)
    me = persona_of("Hawk", pilot)
    if how in DOCTRINES:
        bouts = islice(practices(me, BY_SHEET), duels)
        return drill(STARPILOT, f"STANDING {how}", bouts).percent / 100
    bouts = islice(practices(me, how), duels)
    winners = [fight(STARPILOT, bout, number).winner for number, bout in enumerate(bouts, 1)]
    return (winners.count(0) + winners.count(None) / 2) / duels


def main() -> None:
    """Fight a new pilot's duels against sharp pilots, and print how many it won."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.new_pilot_wins", description=__doc__
    )
    parser.add_argument("ship", choices=SHIPS, metavar="SHIP")
    parser.add_argument("build", nargs="+", help="Weapons-Piloting-Sensors, like 16-16-4")
    parser.add_argument("--by", choices=(*DOCTRINES, "sharp"), default="sound")
    parser.add_argument("--duels", type=int, default=400)
    args = parser.parse_args()
    for build in args.build:
        won = share(args.ship, tuple(map(int, build.split("-"))), args.by, args.duels)
        error = sqrt(won * (1 - won) / args.duels)
        print(f"{args.ship} {build} by {args.by}: {100 * won:.1f} ± {100 * error:.1f} in 100")


if __name__ == "__main__":
    main()
