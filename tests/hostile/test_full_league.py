"""The worst letters of every command, in a league of 1,600 pilots: processor time and bytes."""

from collections.abc import Iterator

import pytest

from tests.hostile.full_league import FullLeague, full_league, squadron
from tests.support.harness import Person
from tests.support.processor_time import within

pytestmark = pytest.mark.xdist_group("full league")
BOUND = 0.5
"""Half a second of processor time; each is measured as under half of it where all is quiet."""
_RUNS = 3


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullLeague]:
    with full_league(tmp_path_factory.mktemp("league")) as opened:
        yield opened


def many(line: str, count: int = 200) -> str:
    """Return so many lines, each with its number, in figures and in letters."""
    word = "".maketrans("0123456789", "abcdefghij")
    return "\n".join(line.format(n=n, w=f"{n:03}".translate(word)) for n in range(count))


def _rules(count: int) -> str:
    lines = (f"IF TURN >= 1 AND TURN <= {n}: AE{1 + n % 8}: STEADY" for n in range(count))
    return "STANDING\n" + "\n".join(lines) + "\nEND"


PLACES = "GAME 1 FOR Ayes\nAE1: STEADY\nGAME 3 FOR Ayes\nAE1: STEADY"
SKIES = {
    "designs": many("DESIGN X{n}: " + ", ".join(["2 MG", "speed 3"] * 16), 190),
    "more designs": many("DESIGN X{n}: lasr and Laser Canon, zz"),
    "squadrons": many(f"SQUADRON {squadron('Ay{w}', 8)}"),
    "squadrons tried": "PREVIEW\n" + many(f"SQUADRON {squadron('Ay{w}', 8)}"),
    "practice": many("PRACTICE WITH Ayes{n} AGAINST sharp"),
    "one practice": "PRACTICE WITH Ayes AGAINST sharp",
    "preview": "PREVIEW\nAE1: STEADY",
    "preview of rules": f"PREVIEW\n{_rules(199)}",
    "preview of two": f"PREVIEW\n{PLACES}",
    "rules": _rules(199),
    "queue": many("AE1: STEADY"),
    "history": "HISTORY 3\nHISTORY 1",
    "receipts": "RECEIPTS 3\nRECEIPTS 1",
    "maps": many("MAP 3 STEP {n}"),
    "reports": "REPORT 3\nREPORT 1",
    "status": "STATUS\nGAMES\nSTANDINGS",
    "sheets": many("SHEET Hawk{w}"),
    "near orders": many("AE{n}: STAEDY ACCELRATE {w}"),
    "long near orders": many("AE1: STAEDY " + "ACCELRATE " * 30 + "{w}", 180),
    "near league orders": many("CHALENGE Xyz{w} " + "wiht Ayes " * 30 + "{n}", 180),
    "prose": many("We flew over the hills {w}, {n} of us, and saw the fires.", 900),
    "rules without a colon": many("IF shields {w} hull scan and not evade low x y z {n}", 900),
    "heads": many("FOR Ayes{n}", 1000),
    "games": many("GAME {n}\nAE1: STEADY", 500),
}
STARS = {
    "challenges": many("CHALLENGE Hawk{w} WITH Hawk"),
    "challenges that may be": many("CHALLENGE Kesta{w} WITH Hawk"),
    "team challenges": many("TEAM CHALLENGE Kestaaaa, Kesta{w} WITH Hawk, Hawkaaaa"),
    "pilots": many("ENLIST Hak{w} FOR cartle WEAPON 12 PILOTNG 12 SENSRS 12 SHIP Angel 313B"),
    "practice": "PRACTICE WITH Hawk AGAINST sharp",
    "preview": f"PREVIEW\nSTANDING\n{many('IF NOT FAR AND BEAMS >= {n}: FIRE')}\nEND",
    "conditions": "STANDING\n" + many("IF " + "UNDETECTD AND " * 25 + "FARR{n}: FIER", 150),
    "history": "HISTORY 4\nHISTORY 2",
    "receipts": "RECEIPTS 4\nRECEIPTS 2",
    "nominations": many("NOMINATE Hawk{w} IN 2\nfor valour"),
    "letters": many("TELL Crwod {w}x{n}\nhello\nEND"),
    "public letters": "PRESS AS Hawk\n" + "The moon over Avalon is ours. " * 300,
    "days away": many("AWAY 2026-12-20 TO 2027-01-03\nBACK", 100),
    "zones": many("TIMEZONE Europe/O{w}"),
    "languages": many("LANGUAGE de\nLANGUAGE en", 100) + "\nSTATUS",
    "addresses": many("ADDRESS a{n}@x.example"),
    "draws": many("DRAW 2\nNO DRAW 2\nWAIT 2\nREADY 2", 50),
    "keys": many("NEW KEY"),
    "patrols": many("PATROL WITH Hawk\nPATROL OFF Hawk", 100),
}
RULINGS = {
    word: many(f"GM {line}")
    for word, line in {
        "predict": "PREDICT 3",
        "predict the long one": "PREDICT 4",
        "extend": "EXTEND 1 48h",
        "undo": "UNDO 4 TO 7",
        "undo of what was over": "UNDO 3 TO 7",
        "process": "PROCESS 1",
        "ban": "BAN Crwod a{w}",
        "proxy": "PROXY Ayes IN 1\nAE1: STEADY\nEND",
        "nothing": "PRDICT {n}",
    }.items()
}


def _measured(league: FullLeague, writer: Person, text: str, about: str) -> None:
    assert any(within(league.costs(writer, text, about), BOUND) for _ in range(_RUNS))
    assert sum(map(len, league.caused)) < 700_000


@pytest.mark.parametrize("name", SKIES)
def test_hostile_1_no_letter_about_black_skies_takes_half_a_second(
    league: FullLeague, name: str
) -> None:
    _measured(league, league.ann, SKIES[name], "[G1-")


@pytest.mark.parametrize("name", STARS)
def test_hostile_1_no_letter_about_starpilot_takes_half_a_second(
    league: FullLeague, name: str
) -> None:
    _measured(league, league.cat, STARS[name], "[G2-")


@pytest.mark.parametrize("name", RULINGS)
def test_hostile_1_no_letter_of_the_moderators_takes_half_a_second(
    league: FullLeague, name: str
) -> None:
    _measured(league, league.mod, f"KEY {league.mod.key}\n{RULINGS[name]}", "Welcome")
