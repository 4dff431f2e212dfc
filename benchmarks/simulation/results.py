"""Simulated duels and careers as rows of a CSV file, and as figures for moderators."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

from benchmarks.simulation.careers import Life
from benchmarks.simulation.duels import Bout, Score
from engine.campaign import Campaign

Row = dict[str, str | int]
_BARS = 15


def duel_row(number: int, bout: Bout, score: Score) -> Row:
    """Return a duel as a row of a CSV file."""
    row: Row = {"duel": number}
    for key, pilot, strength in zip(("one", "other"), bout.pilots, bout.strengths, strict=True):
        row |= {
            key: pilot.kind,
            f"{key}_side": pilot.persona.side,
            f"{key}_build": pilot.build,
            f"{key}_strength": strength,
        }
    names = ("one", "other")
    winner = "" if score.winner is None else names[score.winner]
    return row | {"first": names[bout.first], "winner": winner, "turns": score.turns}


def career_row(campaign: Campaign, life: Life) -> Row:
    """Return a career as a row of a CSV file, followed by all plain values of the sheet."""
    sheet = campaign.sheet(life.persona)
    # A column holds one value: lists of a sheet, such as decorations, have none.
    ending = {key: value for key, value in sheet.items() if isinstance(value, str | int)}
    row: Row = {"career": life.number, "began": life.began.kind, "build": life.began.build}
    return row | {"duels": life.duels, "days": life.days} | ending


@dataclass(slots=True)
class Tally:
    """How often something fought, and how often it won."""

    duels: int = 0
    won: int = 0

    @property
    def percent(self) -> float:
        """The share won, in percent."""
        return 100 * self.won / self.duels


def shares(rows: Iterable[Row], column: str) -> dict[str, Tally]:
    """Return duels and victories by a column: "" (the ship), "_side", "_strength".

    Duels of two with the same value show nothing, and do not count.
    """
    found: dict[str, Tally] = {}
    for row in rows:
        if row[f"one{column}"] != row[f"other{column}"]:
            for key in ("one", "other"):
                tally = found.setdefault(str(row[key + column]), Tally())
                tally.duels += 1
                tally.won += row["winner"] == key
    return dict(sorted(found.items(), key=lambda entry: -entry[1].percent))


def meetings(rows: Iterable[Row], column: str) -> dict[tuple[str, str], Tally]:
    """Return how often the first value of a column has won against the second."""
    found: dict[tuple[str, str], Tally] = {}
    for row in rows:
        for key, foe in (("one", "other"), ("other", "one")):
            pair = str(row[key + column]), str(row[foe + column])
            tally = found.setdefault(pair, Tally())
            tally.duels += 1
            tally.won += row["winner"] == key
    return found


def beginners(rows: Sequence[Row]) -> Tally:
    """Return how often the side that moves first has won."""
    return Tally(len(rows), sum(row["winner"] == row["first"] for row in rows))


def spread(values: Sequence[int]) -> dict[str, float]:
    """Return the mean, the median, and the ends between which nine in ten values are."""
    several = values if len(values) > 1 else [*values, *values]  # one value has no quantiles
    # Twentieths: nine in ten values lie between the first cut and the last.
    cuts = quantiles(several, n=20, method="inclusive")
    mean = sum(values) / len(values)
    return {"mean": mean, "5%": cuts[0], "median": cuts[9], "95%": cuts[18]}


def histogram(values: Sequence[int], width: int) -> dict[str, float]:
    """Return the shares of values in percent, in steps of `width` from 1; the last step is open."""
    steps = Counter(min((value - 1) // width, _BARS - 1) for value in values)
    return {_step(step, width): 100 * steps[step] / len(values) for step in range(max(steps) + 1)}


def _step(step: int, width: int) -> str:
    low, high = step * width + 1, (step + 1) * width
    if step == _BARS - 1:
        return f"{low} and more"
    return str(low) if width == 1 else f"{low}-{high}"


def table(names: Sequence[str], cell: Callable[[str, str], str]) -> list[str]:
    """Return a square table in Markdown."""
    head = ["| |" + "|".join(f" {name} " for name in names) + "|"]
    rule = ["| --- |" + " ---: |" * len(names)]
    rows = [
        f"| {one} |" + "|".join(f" {cell(one, other)} " for other in names) + "|" for one in names
    ]
    return head + rule + rows


def against(found: Mapping[tuple[str, str], Tally]) -> list[str]:
    """Return who wins how often against whom as a Markdown table of percents."""
    names = sorted({one for one, _ in found})
    return table(names, lambda one, other: _cell(found.get((one, other)), one == other))


def _cell(tally: Tally | None, same: bool) -> str:
    return "" if tally is None or same else f"{tally.percent:.0f}"
