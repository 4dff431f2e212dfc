"""Thousands of duels and careers: the tables as CSV, a picture, and figures."""

import argparse
import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.simulation import results
from benchmarks.simulation.careers import League
from benchmarks.simulation.charts import bars
from benchmarks.simulation.duels import bouts, fight
from engine.campaign import Campaign
from engine.registry import RULESETS

_STEP = 20
"""How many turns one bar of the picture covers."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play duels and careers, write them to files, and print the figures."""
    args = _read(arguments)
    campaign = RULESETS[args.system].campaign
    assert campaign is not None
    folder = Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    duels = list(_duels(args, campaign))
    if duels:
        _write(folder / "duels.csv", duels)
        (folder / "duels.svg").write_text(bars(_duel_charts(duels)), encoding="utf-8")
        print("\n".join(_duel_figures(duels)))
    lives = list(_careers(args, campaign))
    if lives:
        _write(folder / "careers.csv", lives)
        charts = {"Duels a career": results.histogram(_numbers(lives, "duels"), 1)}
        (folder / "careers.svg").write_text(bars(charts), encoding="utf-8")
        print("\n".join(_career_figures(lives)))


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return what was asked for; end the program where a name or a number makes no sense."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--duels", default=2000, type=int, metavar="N")
    parser.add_argument("--careers", default=1000, type=int, metavar="N")
    parser.add_argument("--fleet", default="light", help="light, improved or heavy")
    parser.add_argument("--strength", default="sound", help="easy, sound or sharp")
    parser.add_argument("--against", help="the other's strength in duels, if it differs")
    systems = sorted(key for key, rules in RULESETS.items() if rules.campaign)
    parser.add_argument("--system", default="starpilot", choices=systems)
    parser.add_argument("--seed", default=1, type=int, metavar="N")
    parser.add_argument("--out", default="balance", metavar="DIR", help="where the files go")
    args = parser.parse_args(arguments)
    rules = RULESETS[args.system]
    assert rules.campaign is not None
    for what, word, known in (
        ("--fleet", args.fleet, rules.campaign.fleets),
        ("--strength", args.strength, rules.strengths),
        ("--against", args.against or args.strength, rules.strengths),
    ):
        if word not in known:
            parser.error(f"{what} {word}: known are {', '.join(known)}")
    if min(args.duels, args.careers) < 0:
        parser.error("--duels and --careers must not be negative")
    return args


def _duels(args: argparse.Namespace, campaign: Campaign) -> Iterator[results.Row]:
    strengths = args.strength, args.against or args.strength
    found = bouts(campaign, campaign.fleets[args.fleet], strengths)
    for number, bout in enumerate(islice(found, args.duels), 1):
        # So far apart that runs with different seeds share no duel.
        score = fight(RULESETS[args.system], bout, args.seed * 10**9 + number)
        yield results.duel_row(number, bout, score)


def _careers(args: argparse.Namespace, campaign: Campaign) -> Iterator[results.Row]:
    fleet = campaign.fleets[args.fleet]
    league = League(RULESETS[args.system], fleet, args.strength, args.seed)
    return (results.career_row(campaign, life) for life in league.first(args.careers))


def _write(file: Path, rows: list[results.Row]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def _numbers(rows: Iterable[results.Row], column: str) -> list[int]:
    return [int(row[column]) for row in rows]


def _duel_charts(rows: list[results.Row]) -> dict[str, dict[str, float]]:
    titles = {"": "Victories by ship", "_side": "Victories by side", "_strength": "By strength"}
    charts = {title: _percents(rows, column) for column, title in titles.items()}
    charts["Pilots' turns a duel"] = results.histogram(_numbers(rows, "turns"), _STEP)
    return {title: chart for title, chart in charts.items() if chart}


def _percents(rows: list[results.Row], column: str) -> dict[str, float]:
    return {key: tally.percent for key, tally in results.shares(rows, column).items()}


def _duel_figures(rows: list[results.Row]) -> Iterator[str]:
    """Yield the figures of duels, as Markdown."""
    first, open_ones = results.beginners(rows), sum(row["winner"] == "" for row in rows)
    yield f"{len(rows)} duels; nobody won {open_ones}. Who moved first won {first.percent:.1f} %."
    yield ""
    yield from _spread("pilots' turns a duel", rows, "turns")
    for title, column in (("ship", ""), ("side", "_side"), ("strength", "_strength")):
        found = results.shares(rows, column)
        if found:
            yield from _shares(title, found)
            yield f"The row's {title} against the column's, victories in 100:"
            yield ""
            yield from [*results.against(results.meetings(rows, column)), ""]


def _shares(title: str, found: dict[str, results.Tally]) -> Iterator[str]:
    yield from (f"| {title} | duels | won, % |", "| --- | ---: | ---: |")
    yield from (f"| {name} | {t.duels} | {t.percent:.1f} |" for name, t in found.items())
    yield ""


def _spread(what: str, rows: list[results.Row], column: str) -> Iterator[str]:
    found = results.spread(_numbers(rows, column))
    yield f"| {what} | " + " | ".join(found) + " |"
    yield "| --- |" + " ---: |" * len(found)
    yield "| |" + "".join(f" {value:.1f} |" for value in found.values())
    yield ""


def _career_figures(rows: list[results.Row]) -> Iterator[str]:
    """Yield the figures of careers, as Markdown."""
    won = sum(row["retired"] is True for row in rows)
    yield f"{len(rows)} careers; {100 * won / len(rows):.1f} % end in the hall of fame."
    yield ""
    yield from _spread("duels a career", rows, "duels")


if __name__ == "__main__":
    main()
