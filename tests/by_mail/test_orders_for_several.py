"""One line for several pieces: read in orders and rules, told so in letters, and sent again."""

import json
import re

import pytest

from pbem.storage import Place
from tests.support.harness import League, Person
from tests.support.link_taps import links
from tests.support.players import plain

FORCES = {
    "cortex": ("GROUP {} WITH {}: 4 fighters; {}: frigate", "{} 1", "CLOSE ON nearest"),
    "blackskies": (
        "SQUADRON {} WITH {}1: 2 Gadfly SKILL 2; {}: 1 Gadfly SKILL 2; {}2: 1 Gadfly SKILL 2;"
        " {}3: 1 Gadfly SKILL 2",
        "{}1",
        "HARD LEFT",
    ),
    "starfarer": ("SQUAD {} WITH {}1: scout; {}2: scout; {}3: scout; {}: guard", "{}1", "DROP"),
}
SYSTEMS = [pytest.param(one, marks=pytest.mark.league(systems=(one,))) for one in FORCES]
EVERY = {
    "cortex": ["Red 1", "Red 2", "Red 3", "Red 4", "Gold"],
    "blackskies": ["Red1", "Gold", "Red2", "Red3"],
    "starfarer": ["Red1", "Red2", "Red3", "Gold"],
}


def begin(league: League, system: str) -> tuple[Person, Person]:
    """Bring two people to the first report of a battle of four or five pieces on each side."""
    people = league.person("Ann"), league.person("Bob")
    form = FORCES[system][0]
    for person, name, red, gold in zip(
        people, ("Ravens", "Kites"), ("Red", "Blue"), ("Gold", "Grey"), strict=True
    ):
        person.join()
        names = {"blackskies": (red, gold, red, red), "starfarer": (red, red, red, gold)}
        person.ask(form.format(name, *names.get(system, (red, gold))))
    people[0].ask("CHALLENGE Kites WITH Ravens")
    people[1].new()
    people[1].ask("ACCEPT 1")
    return people


def sheet(league: League, seat: str = "Ravens") -> dict[str, object]:
    place = next(
        one for one in league.store.all(Place.select().order_by(Place.id)) if one.seat == seat
    )
    found = json.loads(place.sheet)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_line_orders_all_pieces_or_some(league: League, system: str) -> None:
    ann, _ = begin(league, system)
    every, order = EVERY[system], FORCES[system][2]
    ann.ask(f"All: {order}", ann.last_about("[G1-"))
    assert sheet(league)["queue"] == [f"{name}: {order}" for name in every]
    ann.ask(f"{every[0]} and Gold: {order}", ann.last_about("[G1-"))
    assert f"Gold: {order}" in str(sheet(league)["queue"])
    ann.ask(f"IF ENGAGED: All: {order}" if system == "starfarer" else f"ELSE: All: {order}")
    assert len(sheet(league)["rules"] or sheet(league)["otherwise"]) == len(every)  # type: ignore[arg-type]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_pieces_do_alike_is_told_once_and_can_be_sent_again(
    league: League, system: str, language: str
) -> None:
    ann, _ = begin(league, system)
    ann.ask(f"LANGUAGE {language}")
    ann.ask("STANDING careful", ann.last_about("[G1-"))
    told = plain(ann.ask("REPORT 1", ann.last_about("[G1-"))).replace("\r\n", "\n")
    before = sheet(league)
    unbroken = re.sub(r"\n    (?=\S)", " ", told)
    rules = re.findall(r"^(?:\d+\. )?((?:IF|WENN|ELSE|SONST)\b.*)$", unbroken, re.M)
    assert any(" to " in one or " bis " in one or "All" in one for one in rules)
    ann.ask("STANDING NONE", ann.last_about("[G1-"))
    assert sheet(league) != before
    ann.ask("\n".join(["STANDING", *rules, "END"]), ann.last_about("[G1-"))
    after = sheet(league)
    assert sorted(map(str, after["rules"])) == sorted(map(str, before["rules"]))  # type: ignore[call-overload]
    assert sorted(after["otherwise"]) == sorted(before["otherwise"])  # type: ignore[call-overload]


@pytest.mark.league(systems=("cortex",))
def test_the_lines_below_are_for_all_of_them_too(league: League) -> None:
    ann, _ = begin(league, "cortex")
    ann.ask("Red 1 to 3: CLOSE ON nearest\nFIRE Talon AT nearest\nRed 4: OPEN\nDEFEND")
    assert sheet(league)["queue"] == [
        *(f"Red {n}: CLOSE ON nearest, FIRE Talon AT nearest" for n in (1, 2, 3)),
        "Red 4: OPEN, DEFEND",
    ]


@pytest.mark.league(systems=("cortex",))
def test_the_answer_tells_them_together_and_who_cannot(league: League) -> None:
    ann, _ = begin(league, "cortex")
    text = plain(ann.ask("All: FIRE Talon AT nearest", ann.last_about("[G1-")))
    assert "- Red 1 to Red 4: FIRE Talon AT nearest: as things stand it will fail" in text
    assert 'You wrote "Gold: FIRE Talon AT nearest". That is nearly an order' in text
    assert len(sheet(league)["queue"]) == 4  # type: ignore[arg-type]


@pytest.mark.league(systems=("cortex",))
@pytest.mark.parametrize(
    ("language", "phrase"), [("en", "Red 1 to Red 4: CLOSE ON"), ("de", "Red 1 bis Red 4: HERAN")]
)
def test_a_turn_that_is_suggested_names_those_together_who_do_the_same(
    league: League, language: str, phrase: str
) -> None:
    ann, _ = begin(league, "cortex")
    ann.ask(f"LANGUAGE {language}")
    report = ann.ask("REPORT 1", ann.last_about("[G1-"))
    assert phrase in plain(report)
    [turn] = [text for text in links(report) if phrase in text]
    ann.ask(turn, report)
    assert len(sheet(league)["queue"]) == 5  # type: ignore[arg-type]
