"""The records in a newsletter, and the promotions in it, with what earned them."""

import json
import re
from typing import Any

import pytest

from pbem.news.front_page import MOST_BEATS, points
from pbem.people import personas
from pbem.storage import Game, Persona, Step
from tests.rendering.test_letter_templates import PRESS
from tests.support.harness import League, Person
from tests.support.letter_samples import CAMPAIGN
from tests.support.letter_samples import HAWK as PILOT
from tests.support.news_samples import quiet
from tests.support.players import HAWK, KESTREL, words

PILOTS = {
    "Hawk": HAWK,
    "Kestrel": KESTREL,
    "Falcon": "ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B",
    "Merlin": "ENLIST Merlin FOR league WEAPONS 13 PILOTING 10 SENSORS 13 SHIP Wright 1903S",
}


People = dict[str, Person]


def enlisted(league: League) -> People:
    """Let each pilot's player join, who is called as the pilot is."""
    people = {name: league.person(name) for name in PILOTS}
    for name, person in people.items():
        person.join()
        person.ask(PILOTS[name])
    return people


def fought(people: People, one: str, other: str, answer: str = "STANDING sound") -> Game:
    """Play a battle between two pilots to its end, by what both answer the first report."""
    pair, league = (people[one], people[other]), people[one].league
    for person in pair:
        person.new()
    pair[0].ask(f"CHALLENGE {other} WITH {one}", pair[0].last_about("Welcome"))
    [challenge] = pair[1].new()
    pair[1].reply("ACCEPT", challenge)
    league.work()
    orders = answer
    while league.game.running:
        for person in pair:
            person.reply(orders, person.last_about(f"[G{league.game.id}-"))
        league.work()
        orders = "READY"
    league.later(25)
    return league.game


def events(league: League, game: Game) -> list[dict[str, Any]]:
    """Return all events of a battle's log."""
    steps = league.store.all(Step.select().where(Step.game == game.id).order_by(Step.id))
    return [event for step in steps for event in json.loads(step.events)]


def hits(league: League, game: Game) -> int:
    """Return how many hits a battle's log has."""
    return sum(event.get("hits", 0) for event in events(league, game))


def issue(league: League) -> str:
    """Return an issue as it would be now, as one line."""
    return " ".join(league.service.ports.newsletter.preview(league.now).text.split())


@pytest.mark.long
def test_the_longest_the_quickest_and_the_hardest_battle_are_records(league: League) -> None:
    people = enlisted(league)
    drawn = fought(people, "Hawk", "Kestrel", "DRAW")
    assert "RECORDS" not in issue(league), "which one battle alone has none of"
    fights = [fought(people, "Falcon", "Merlin"), fought(people, "Hawk", "Kestrel")]
    assert drawn.steps < min(game.steps for game in fights)
    page = issue(league).partition(" RECORDS ")[2].partition(" RESULTS ")[0]
    longest = max(fights, key=lambda game: game.steps)
    quickest = min(fights, key=lambda game: game.steps)
    hardest = max(fights, key=lambda game: hits(league, game))
    for found, which, count in (
        (longest, "longest battle so far (StarPilot 3.1)", f"{longest.steps - 1} steps"),
        (quickest, "quickest victory so far (StarPilot 3.1)", f"{quickest.steps - 1} steps"),
        (
            hardest,
            "most hits in a battle of this issue (StarPilot 3.1)",
            f"{hits(league, hardest)} hits",
        ),
    ):
        winner = events(league, found)[-1]["winner"]
        [record] = [one for one in page.split(" - ") if which in one]
        assert f": {winner} against " in record
        assert f", game {found.id}, with {count}." in record


def test_a_record_is_told_once_and_only_if_it_was_set_since_the_last_issue(league: League) -> None:
    people = enlisted(league)
    for one, other in (("Hawk", "Kestrel"), ("Falcon", "Merlin")):
        fought(people, one, other, "SURRENDER")
    third = fought(people, "Hawk", "Falcon", "SCAN\nSCAN\nSURRENDER")
    assert f"longest battle so far (StarPilot 3.1): Falcon against Hawk, game {third.id}" in issue(
        league
    )
    league.service.ports.newsletter.want()
    league.work()
    fought(people, "Kestrel", "Merlin", "SCAN\nSURRENDER")
    assert "RECORDS" not in issue(league)


@pytest.mark.league(systems=("starpilot", "starfarer"))
def test_battles_of_other_systems_set_no_records_of_this_one(league: League) -> None:
    people = enlisted(league)
    people["Hawk"].ask("SQUAD Ravens WITH Kitai: scout")
    people["Kestrel"].ask("SQUAD Kites WITH Bo: guard")
    for one, other in (("Hawk", "Kestrel"), ("Falcon", "Merlin")):
        fought(people, one, other, "SCAN\nSURRENDER")
    third = fought(people, "Hawk", "Falcon", "SCAN\nSCAN\nSURRENDER")
    people["Kestrel"].new()
    people["Hawk"].ask("CHALLENGE Kites WITH Ravens")
    people["Kestrel"].ask("ACCEPT")
    people["Hawk"].reply("Kitai: YIELD", people["Hawk"].last_about("[G4-T1"))
    people["Kestrel"].reply("Bo: HOLD", people["Kestrel"].last_about("[G4-T1"))
    league.work()
    assert not league.game.running
    page = issue(league).partition(" RECORDS ")[2].partition(" RESULTS ")[0]
    for record in ("longest battle", "quickest victory"):
        assert re.search(rf"The {record} so far \(StarPilot 3.1\): \w+ against \w+, game", page)
    assert f", game {third.id}, with {third.steps - 1} steps" in page
    assert "Starfarer" not in page, "of which there was only one"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "(Rank 2). It was earned by a fourth mission."),
        ("de", "(Rang 2). Verdient durch den vierten Einsatz."),
    ],
)
def test_a_promotion_is_told_with_what_earned_it(
    league: League, language: str, expected: str
) -> None:
    people = enlisted(league)
    for row in league.store.all(Persona.select().order_by(Persona.id)):
        record = json.dumps(json.loads(row.record) | {"missions": 3})
        personas.set_record(league.store, row, record)
    reader = people["Merlin"]
    reader.reply(f"SUBSCRIBE\nLANGUAGE {language}")
    fought(people, "Hawk", "Kestrel")
    league.service.ports.newsletter.want()
    league.work()
    assert expected in words(reader.last_about("ewsletter"))


def test_the_honours_of_a_pilot_stand_together_and_its_wounds_are_told_once() -> None:
    wounds = {"title": "The Rainbow Bridge", "code": "RB"}
    facts = {"name": "Merlin", "sheet": CAMPAIGN.sheet(PILOT), "points": 0}
    lines = [
        facts | {"kind": kind, "facts": more, "game": game, "day": "2 Nov 2026"}
        for kind, more, game in (
            ("wounded", wounds | {"count": 1}, 3),
            ("promoted", {"title": "Hawk Pilot", "rank": 2}, 4),
            ("wounded", wounds | {"count": 2}, 5),
        )
    ]
    page = PRESS.section("newsletter", "en", **(quiet() | {"quiet": False, "entries": [
        {"system": "starpilot", "lines": lines, "more": 0}]}))  # fmt: skip
    assert "given The Rainbow Bridge [RB]; 2 of them now. It was the last of 2 wounds" in " ".join(
        page.text.split()
    )
    assert page.text.count("Pilot Merlin of the") == 1
    assert "game 3" not in page.text


def test_a_turning_point_is_told_with_all_of_its_turn() -> None:
    def beat(kind: str, last: int) -> dict[str, Any]:
        return {"kind": kind, "last": last}

    before, turn = beat("missed", 3), beat("turn", 4)
    many = [beat("struck", 4), beat("missed", 4), beat("near", 4)]
    assert points([before, *many, turn, beat("quiet", 6)]) == [[*many, turn]]
    long = [beat("struck", 4)] * 20
    [told] = points([*long, turn])
    assert (len(told), told[-1]) == (MOST_BEATS, turn)
