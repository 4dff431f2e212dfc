"""The records in a newsletter, and the promotions in it, with what earned them."""

import json
from typing import Any

import pytest

from pbem.storage import Game
from tests.support.harness import League, Person
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
    steps = league.store.steps.all(game=game.id)
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
        (longest, "longest battle so far", f"{longest.steps} steps"),
        (quickest, "quickest victory so far", f"{quickest.steps} steps"),
        (hardest, "most hits in a battle of this issue", f"{hits(league, hardest)} hits"),
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
    assert f"longest battle so far: Falcon against Hawk, game {third.id}" in issue(league)
    league.service.ports.newsletter.want()
    league.work()
    fought(people, "Kestrel", "Merlin", "SCAN\nSURRENDER")
    assert "RECORDS" not in issue(league)


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
    for row in league.store.personas.all():
        record = json.dumps(json.loads(row.record) | {"missions": 3})
        league.store.personas.change(row.id, record=record)
    reader = people["Merlin"]
    reader.reply(f"SUBSCRIBE\nLANGUAGE {language}")
    fought(people, "Hawk", "Kestrel")
    league.service.ports.newsletter.want()
    league.work()
    assert expected in words(reader.last_about("ewsletter"))
