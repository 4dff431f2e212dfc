"""All benchmarks in one run; `--json` for programs, `--profile` shows where the time goes."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import zip_longest
from statistics import median
from typing import Any

from benchmarks import (
    blackskies,
    chat,
    cortex,
    database_size,
    distance,
    drain,
    idle,
    large_league,
    letters,
    letters_per_duel,
    newsletter,
    playouts,
    starfarer,
    statements,
    version,
)
from benchmarks.interleaved import Pair
from tests.servers.daemon import open_folder, program

_ROUNDS = 5
_PROGRAMS = ("dovecot", "smtp-sink")


def main() -> int:
    """Measure what is asked for, and print it."""
    args = _arguments()
    missing = [name for name in _PROGRAMS if program(name) is None]
    if missing:
        print(
            f"not installed: {', '.join(missing)}; all but idle and drain",
            file=sys.stderr,
        )
    parts: dict[str, Callable[[], Any]] = {
        "version": _version,
        "turns": _turns,
        "skies": _skies,
        "skirmish": _skirmish,
        "groups": _groups,
        "letters": _letters,
        "duels": letters_per_duel.measure,
        "newsletter": newsletter.measure,
        "size": database_size.measure,
        "statements": _statements,
        "distance": _distance,
        "large": _large,
    }
    if program("inspircd") and program("atheme-services"):
        parts["chat"] = chat.measure
    if not missing:
        parts |= {"idle": _idle, "drain": lambda: _drain(args.rounds)}
    found = {name: parts[name]() for name in args.parts or parts if name in parts}
    print(json.dumps(found, indent=2) if args.json else "\n".join(_table(found)))
    if args.profile and not missing:
        drain.profile()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        help="version, turns, skies, skirmish, groups, letters, duels, newsletter, size,"
        " statements, distance, large, chat, idle, drain",
    )
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="how often drains alternate")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", action="store_true", help="say where a drain's time goes")
    return parser.parse_args()


def _drain(rounds: int) -> dict[str, Any]:
    with open_folder() as folder, drain.servers(drain.RUNS * rounds) as at:
        found = drain.measure(folder, at, rounds)
    return {
        name: dict(zip(_LOOPS, map(_ratio, pairs), strict=True)) for name, pairs in found.items()
    }


def _version() -> dict[str, Any]:
    return _ratio(version.measure())


def _turns() -> dict[str, Any]:
    return _ratio(playouts.measure())


def _skies() -> dict[str, Any]:
    with open_folder() as folder:
        return asdict(blackskies.measure(folder))


def _skirmish() -> dict[str, Any]:
    with open_folder() as folder:
        return asdict(starfarer.measure(folder))


def _groups() -> dict[str, Any]:
    with open_folder() as folder:
        return asdict(cortex.measure(folder))


def _letters() -> list[tuple[str, ...]]:
    return list(letters.table())


def _statements() -> dict[str, Any]:
    return {name: [asdict(one) for one in all_] for name, all_ in statements.measure().items()}


def _distance() -> dict[str, Any]:
    found = distance.measure()
    return {} if found is None else asdict(found)


def _large() -> list[dict[str, Any]]:
    return [asdict(one) for one in large_league.measure()]


def _idle() -> dict[str, Any]:
    with open_folder() as folder, drain.servers(1) as at:
        return asdict(idle.measure(folder / "idle", at))


def _ratio(pair: Pair) -> dict[str, Any]:
    return {
        "ratio": round(pair.ratio, 3),
        "ours": median(pair.ours),
        "other": median(pair.other),
        "rounds": len(pair.ours),
    }


def _table(found: dict[str, Any]) -> list[str]:
    """Return the figures as a short table."""
    rows = [("what", "ours", "other", "ratio", "aim")]
    for name, told, most in (("filed", _FILED, "3.2"), ("fought", _FOUGHT, "9")):
        for loop, row in found.get("drain", {}).get(name, {}).items():
            seconds = f"{row['ours']:.2f} s", f"{row['other']:.2f} s"
            aim = f"{most} at most" if loop == _ONE_BY_ONE else ""
            rows.append((f"{told}; other: bare loop, {loop}", *seconds, _shown(row), aim))
    if "version" in found:
        row = found["version"]
        times = f"{row['ours']:.3f} s", f"{row['other']:.3f} s"
        rows.append(("pbem --version, other: a Python without work", *times, _shown(row), ""))
    if "turns" in found:
        row = found["turns"]
        rates = f"{row['ours']:,.0f}/s", f"{row['other']:,.0f}/s"
        rows.append(("turns a second, other: backgammon", *rates, _shown(row), "0.5 or more"))
    if "skies" in found:
        row = found["skies"]
        rows.append((_SKIES, f"{row['turns']:,.0f}/s", "", "", "300/s or more"))
        rows += _by_mail(_SKIES_BY_MAIL, row["mail"], "0.5 s")
        rows.append(("the slowest of them", f"{max(row['mail']['seconds']):.2f} s", "", "", ""))
    if "skirmish" in found:
        row = found["skirmish"]
        rows.append((_SKIRMISH, f"{row['turns']:,.0f}/s", "", "", "1,000/s or more"))
        rows += _by_mail(_SKIRMISH_BY_MAIL, row["mail"], "0.3 s")
        rows.append(("the sharp bot plans for four", f"{row['sharp']:.2f} s", "", "", ""))
    if "groups" in found:
        row = found["groups"]
        rows.append((_GROUPS, f"{row['turns']:,.0f}/s", "", "", "300/s or more"))
        rows += _by_mail(_GROUPS_BY_MAIL, row["mail"], "0.4 s")
    if "idle" in found:
        row = found["idle"]
        for kind, aim in (("pss", "55 MB"), ("rss", "")):
            told = f"idle daemon, memory ({kind.upper()})"
            rows.append((told, f"{row[kind]:.0f} MB", "", "", aim))
        rows.append(("idle daemon, CPU of one core", f"{row['cpu']:.2f} %", "", "", "0.0 %"))
    if "duels" in found:
        row = found["duels"]
        both = f"{row['written']:.0f} and {row['received']:.0f}"
        rows.append(("letters written and received a duel", both, "", "", "6 and 6"))
    if "newsletter" in found:
        row = found["newsletter"]
        told = f"newsletter to {row['readers']:,} readers, {row['letter_kib']:.0f} KiB each"
        rows.append((told, f"{row['seconds']:.0f} s", "", "", ""))
        rows.append(("newsletter, memory over all of it", f"{row['memory_mb']:.0f} MB", "", "", ""))
        rows.append(("newsletter, room in the books", f"{row['database_mb']:.0f} MB", "", "", ""))
    if "statements" in found:
        rows += statements.table(found["statements"])
    if found.get("distance"):
        row = found["distance"]
        told = f"a filed letter waits for a database 1 ms away ({row['asked']} times)"
        rows.append((told, f"{row['far'] - row['near']:.0f} ms", "", "", "30 ms"))
    if "chat" in found:
        row = found["chat"]
        times = f"{row['referee']:.0f} ms", f"{row['bare client']:.1f} ms"
        rows.append(("an answer in a chat room, other: a bare client", *times, "", "300 ms"))
    if "large" in found:
        rows += _by_size(found["large"])
    rows += found.get("letters", ())
    for state, row in found.get("size", {}).items():
        rows.append((f"database a duel, {state}", f"{row['whole'] / 1024:.0f} KiB", "", "", ""))
        rows += [(f"  {name}", f"{n / 1024:.1f} KiB", "", "", "") for name, n in row.items()]
    # The table of letters has more columns than the others.
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def _by_size(found: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each thing that was measured, with a column for each size of a league."""
    aim = f"{large_league.AIM} s at most"
    sizes = [f"{row['letters']:,} letters" for row in found]
    yield ("processor time in a league of", *sizes, "")
    for what in found[0]["seconds"]:
        yield (what, *(f"{row['seconds'][what]:.3f} s" for row in found), aim)
    yield ("newsletter, text and HTML", *(f"{row['kib']:.0f} KiB" for row in found), "40 KiB")


def _by_mail(told: str, row: dict[str, Any], aim: str) -> list[tuple[str, ...]]:
    """Return the rows of turns that were played by mail."""
    both = f"median of {len(row['seconds'])}, {row['letters']} letters, {row['kib']:.0f} KiB"
    return [
        (f"{told} ({both})", f"{median(row['seconds']):.2f} s", "", "", aim),
        ("its time on the processor", f"{median(row['cpu']):.2f} s", "", "", ""),
    ]


_ONE_BY_ONE = "a letter after the other"
_LOOPS = _ONE_BY_ONE, "a hundred at a time"
_FILED = "drain of 1,000 letters, each filed"
_FOUGHT = "drain of 1,000 letters, half of them let a battle run on"
_SKIES = "turns a second of Black Skies, eight elements a side"
_SKIRMISH = "rounds a second of Starfarer, two squads of four"
_SKIRMISH_BY_MAIL = "Starfarer, a round of two squads of four by mail"
_GROUPS = "turns a second of Cortex, twelve vessels a side"
_GROUPS_BY_MAIL = "such a turn by mail, letters and pictures of both sides"
_SKIES_BY_MAIL = "such a turn by mail, letters and maps of both sides"


def _shown(row: dict[str, Any]) -> str:
    return f"{row['ratio']:.2f}"


if __name__ == "__main__":
    sys.exit(main())
