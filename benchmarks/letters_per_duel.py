"""How many letters a duel takes where both players have good standing orders."""

from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks.sample_league import League, Member, settings
from benchmarks.sample_players import Received
from pbem.storage import Game, Place

DUELS = 200
MOST_ROUNDS = 100
FIGURES = ("turns", "written", "received", "lines")


@dataclass(frozen=True, slots=True)
class Duel:
    """What one duel took: pilots' turns, letters of each player, and lines of each report."""

    turns: int
    written: tuple[int, ...]
    received: tuple[int, ...]
    lines: tuple[int, ...]


def play(folder: Path, duels: int = DUELS, **league: object) -> list[Duel]:
    """Play duels, and return the counts of letters from CHALLENGE to the final report."""
    hall = League(settings(folder, **league))
    try:
        pairs = hall.pair(duels)
        for member in hall.members.values():
            del member.received[:-1]
            member.player.written = 0
        hall.challenge(pairs)
        _fight(hall)
        return [_duel(hall, pair) for pair in pairs]
    finally:
        hall.close()


def _fight(hall: League) -> None:
    """Answer for everyone who is asked: with standing orders first, then with READY."""
    for _ in range(MOST_ROUNDS):
        asked = hall.service.ports.store.all(
            Place.select()
            .where(
                Place.game.in_(Game.select(Game.id).where(Game.running == True)),
                Place.asked == True,
                Place.answered == False,
            )
            .order_by(Place.id)
        )
        if not asked:
            return
        members = [hall.by_pilot[place.seat] for place in asked]
        hall.take(hall.reply(m, "READY" if m.has("turn") else m.standing) for m in members)
    raise RuntimeError(f"a duel is not over after {MOST_ROUNDS} rounds of letters")


def _duel(hall: League, pair: tuple[Member, Member]) -> Duel:
    one = pair[0]
    place = hall.service.ports.store.first(
        Place.select().where(Place.seat == one.pilot).order_by(Place.id)
    )
    assert place is not None
    steps = hall.service.ports.store.get(Game, place.game_id).steps
    reports = [row.content for m in pair for row in m.received if row.kind in ("turn", "final")]
    return Duel(
        turns=steps - 1,
        written=tuple(m.player.written for m in pair),
        received=tuple(len(m.received) - 1 for m in pair),
        lines=tuple(len(Received(raw).text.splitlines()) for raw in reports),
    )


def figures(duels: list[Duel]) -> dict[str, float]:
    """Return the medians and tails of duels."""
    turns = [duel.turns for duel in duels]
    written = [max(duel.written) for duel in duels]
    received = [max(duel.received) for duel in duels]
    lines = [n for duel in duels for n in duel.lines]
    return {
        "turns": median(turns),
        "turns_p90": quantiles(turns, n=10)[-1],
        "written": median(written),
        "written_p90": quantiles(written, n=10)[-1],
        "received": median(received),
        "received_p90": quantiles(received, n=10)[-1],
        "lines": median(lines),
        "lines_p90": quantiles(lines, n=10)[-1],
    }


def measure(duels: int = DUELS, **league: object) -> dict[str, float]:
    """Play duels in a league of their own, and return their figures."""
    with TemporaryDirectory(prefix="pbem-letters-") as folder:
        return figures(play(Path(folder), duels, **league))


def main() -> None:
    """Print the figures for several numbers of turns between letters, as in docs/letters.md."""
    print("| turns a letter | duel, turns | letters written | received | report, lines |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for turns in (12, 16, 24, 30, 36, 48):
        found = measure(turns_per_letter=turns)
        pairs = [f"{found[key]:.0f} ({found[key + '_p90']:.0f})" for key in FIGURES]
        print(f"| {turns} | {' | '.join(pairs)} |", flush=True)


if __name__ == "__main__":
    main()
