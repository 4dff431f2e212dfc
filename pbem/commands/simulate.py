"""`pbem simulate`: thousands of duels and careers, as CSV, a picture, and figures."""

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from engine.campaign import Campaign
from engine.registry import RULESETS
from engine.simulation import results
from engine.simulation.careers import League
from engine.simulation.charts import bars
from engine.simulation.duels import bouts, fight
from pbem.commands.common import Args, UsageError, progress

_STEP = 20
"""How many turns one bar of the picture covers."""


def simulate(args: Args) -> None:
    """Play duels and careers, write them to files, and print the figures."""
    campaign = RULESETS[args.system].campaign
    if campaign is None:
        raise UsageError(f"{args.system} has no careers, and no fleets to try")
    folder = _checked(args, campaign)
    duels = list(progress(_duels(args, campaign), "duels", args.duels))
    if duels:
        _write(folder / "duels.csv", duels)
        (folder / "duels.svg").write_text(bars(_duel_charts(duels)), encoding="utf-8")
        print("\n".join(_duel_figures(duels)))
    lives = list(progress(_careers(args, campaign), "careers", args.careers))
    if lives:
        _write(folder / "careers.csv", lives)
        charts = {"Duels a career": results.histogram(_numbers(lives, "duels"), 1)}
        (folder / "careers.svg").write_text(bars(charts), encoding="utf-8")
        print("\n".join(_career_figures(lives)))


def _checked(args: Args, campaign: Campaign) -> Path:
    """Return the output folder, made if needed. Raise UsageError for an unknown name."""
    bots = RULESETS[args.system].strengths
    for what, word, known in (
        ("--fleet", args.fleet, campaign.fleets),
        ("--strength", args.strength, bots),
        ("--against", args.against or args.strength, bots),
    ):
        if word not in known:
            raise UsageError(f"{what} {word}: known are {', '.join(known)}")
    if min(args.duels, args.careers) < 0:
        raise UsageError("--duels and --careers must not be negative")
    folder = Path(args.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} can't be made ({error.strerror})") from None
    return folder


def _duels(args: Args, campaign: Campaign) -> Iterator[results.Row]:
    strengths = args.strength, args.against or args.strength
    found = bouts(campaign, campaign.fleets[args.fleet], strengths)
    for number, bout in enumerate(islice(found, args.duels), 1):
        # So far apart that runs with different seeds share no duel.
        score = fight(RULESETS[args.system], bout, args.seed * 10**9 + number)
        yield results.duel_row(number, bout, score)


def _careers(args: Args, campaign: Campaign) -> Iterator[results.Row]:
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
