"""Races by mail, from the challenge to the finish; run where the package is installed."""

import json
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from racetrack.model import STEPS, Car, Point, line, square
from racetrack.rules import RACETRACK

from engine.codec import decode
from engine.dice import SeededDice
from engine.seats import Seat
from pbem.handlers.request import Refusal
from pbem.storage import Game, Offer, Persona, Place, Step
from tests.support.harness import League, Person, open_league
from tests.support.players import plain


@pytest.fixture
def league(tmp_path) -> Iterator[League]:
    with open_league(tmp_path, systems=("starpilot", "racetrack")) as league:
        yield league


def fastest(car: Car) -> str:
    """Return the first way of a shortest drive to the finish, as if nobody else were there."""
    known: set[tuple[Point, Point]] = set()
    ahead = [("", car.trail[-1], car.move)]
    while ahead:
        later = []
        for first, at, move in ahead:
            for way, (dx, dy) in STEPS.items():
                now = (move[0] + dx, move[1] + dy)
                through = line(at, now)
                if any(square(point) == "#" for point in through):
                    continue
                if any(square(point) == "F" for point in through):
                    return first or way
                end = through[-1] if through else at
                if (end, now) not in known:
                    known.add((end, now))
                    later.append((first or way, end, now))
        ahead = later
    raise AssertionError("no way leads to the finish")


def drive(league: League, people: dict[str, Person]) -> None:
    """Drive a race by replies to its end: whoever is asked steers the fastest way."""
    for _ in range(400):
        if not league.game.running:
            return
        race = decode(league.game.state, RACETRACK.state)
        asked = (
            p
            for p in league.store.all(
                Place.select().where(Place.game == league.game.id).order_by(Place.id)
            )
            if p.asked
        )
        seat = Seat(next(place.seat for place in asked if not place.answered))
        people[seat.split()[0]].reply(f"STEER {fastest(race.cars[seat])}")
        league.work()
    raise AssertionError("the race does not end")


def joined(league: League, *names: str) -> dict[str, Person]:
    people = {name: league.person(name) for name in names}
    for person in people.values():
        person.join()
    return people


def told(received: EmailMessage) -> str:
    """Return a letter's words on one line."""
    return " ".join(plain(received).split())


def test_four_race_by_mail_to_the_finish(league: League) -> None:
    people = joined(league, "Ann", "Bob", "Cleo", "Dan")
    ann, bob, cleo, dan = people.values()
    dan.ask("LANGUAGE Deutsch")
    for topic in ("challenge", "orders"):
        assert "CHALLENGE ANYBODY AT racetrack SEATS 4" in told(ann.ask(f"HELP {topic}"))
        german = told(dan.ask(f"HILFE {topic}"))
        assert "FORDERN JEDEN BEI racetrack PLÄTZE 4" in german
        assert " AT racetrack" not in german
    order = "CHALLENGE Bob Example, Cleo Example and Dan Example AT racetrack"
    asked = told(ann.ask(f"{order}\n\nMay it be fair."))
    assert "on its way to Bob Example, Cleo Example and Dan Example" in asked
    assert "WORDS THAT NOBODY HAS SEEN | May it be fair." in asked
    called = told(dan.last)
    assert "Ann Example fordert dich zu Racetrack heraus: Ann Example, Bob Example," in called
    assert "May it be fair." not in called
    bob.ask("ACCEPT 1")
    cleo.ask("ACCEPT")
    assert league.store.count(Game.select()) == 0
    dan.ask("ANNEHMEN 1")
    first = ann.last
    assert "Ann Example, Bob Example, Cleo Example and Dan Example" in str(first["Subject"])
    assert "STEER NE" in told(first)
    assert any(part.get_content_type().startswith("image/") for part in first.walk())
    assert "Game 1: Ann Example against Bob Example" in told(ann.ask("STATUS"))
    drive(league, people)
    for person in people.values():
        assert ("hat das Rennen" if person is dan else "has won the race") in told(person.last)
    assert "challenge 2 is on its way to" in told(cleo.ask("REMATCH 1"))
    assert "no points to spend" not in told(ann.ask("STANDINGS"))


def test_an_open_race_begins_when_its_seats_are_taken(league: League) -> None:
    ann, bob, cleo, eve = joined(league, "Ann", "Bob", "Cleo", "Eve").values()
    assert "with 3 seats" in told(ann.ask("CHALLENGE ANYBODY AT racetrack SEATS 3"))
    assert "Ann Example" in told(bob.ask("GAMES"))
    seated = told(bob.ask("ACCEPT 1"))
    assert "you have a seat in challenge 1, with Ann Example; it begins when 3" in seated
    assert "you have a seat in challenge 1 already" in told(bob.ask("ACCEPT 1"))
    cleo.ask("ACCEPT 1")
    assert "Ann Example, Bob Example and Cleo Example" in str(ann.last["Subject"])
    assert "challenge 1 is not open any more" in told(eve.ask("ACCEPT 1"))
    eve.ask("WATCH 1")
    league.later(24 * 4)
    league.work()
    assert [
        step.source
        for step in league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    ][:1] == ["default"]
    assert "Ann Example, Bob Example and Cleo Example" in str(eve.last["Subject"])


def test_a_moderator_sets_up_a_race(league: League) -> None:
    ann, bob = joined(league, "Ann", "Bob").values()
    race = {"system": "racetrack", "setup": {"players": ["Red", "Blue"]}}
    seats = {"Red": "Ann Example", "Blue": "bob@league.example"}
    league.rule(f"BATTLE\n{json.dumps(race | {'seats': seats})}")
    league.work()
    assert "has given you Blue" in told(bob.last)
    assert "Red (Ann Example)" in told(bob.last)
    drive(league, {"Red": ann, "Blue": bob})
    assert "has won the race" in told(ann.last)
    with pytest.raises(Refusal, match=r"seats\.Blue: there are no house players in Racetrack"):
        league.rule(f"BATTLE\n{json.dumps(race | {'seats': seats | {'Blue': 'house sound'}})}")


def test_a_challenge_is_declined_withdrawn_or_lapses(league: League) -> None:
    ann, bob = joined(league, "Ann", "Bob").values()
    ann.ask("CHALLENGE Bob Example AT racetrack")
    bob.ask("DECLINE 1")
    assert "declined" in told(ann.last)
    ann.ask("CHALLENGE Bob Example AT racetrack")
    assert "is withdrawn" in told(ann.ask("WITHDRAW 2"))
    ann.ask("LANGUAGE Deutsch")
    assert "mit 4 Plätzen" in told(ann.ask("FORDERE JEDEN BEI racetrack PLÄTZE 4"))
    league.later(24 * 60)
    league.work()
    assert {one.state for one in league.store.all(Offer.select().order_by(Offer.id))} == {
        "declined",
        "withdrawn",
        "lapsed",
    }


def test_a_draw_ends_a_race_of_two(league: League) -> None:
    ann, bob = joined(league, "Ann", "Bob").values()
    ann.ask("CHALLENGE Bob Example AT Racetrack")
    bob.ask("ACCEPT 1")
    assert "Ann Example against Bob Example" in str(ann.last["Subject"])
    ann.reply("DRAW 1")
    bob.reply("DRAW 1")
    league.work()
    assert not league.game.running


def test_who_leaves_the_league_leaves_no_name_on_a_challenge(league: League) -> None:
    people = joined(league, "Ann", "Bob")
    ann = people["Ann"]
    ann.ask("CHALLENGE Bob Example AT racetrack")
    ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    league.work()
    assert "Ann Example" not in [
        row.name for row in league.store.all(Persona.select().order_by(Persona.id))
    ]
    assert {one.state for one in league.store.all(Offer.select().order_by(Offer.id))} == {
        "withdrawn"
    }


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("CHALLENGE Nobody AT racetrack", "no player is called Nobody"),
        ("CHALLENGE Ann Example AT racetrack", "Ann Example is in it already"),
        ("CHALLENGE ANYBODY AT racetrack SEATS 9", "Racetrack has 2 to 6 seats"),
        ("FORDERE Nobody BEI racetrack", "Kein Spieler heißt Nobody"),
    ],
)
def test_what_is_wrong_is_said(league: League, order: str, answer: str) -> None:
    [ann] = joined(league, "Ann").values()
    if order.startswith("FORDERE"):
        ann.ask("LANGUAGE Deutsch")
    assert answer in told(ann.ask(order))


def test_a_car_that_leaves_the_road_stops_and_rests() -> None:
    race = RACETRACK.setup({"players": ["Ann", "Bob"]})
    dice = SeededDice(b"x", "y", 0, b"")
    after, [event] = RACETRACK.resolve(race, {Seat("Ann"): ["N"]}, dice)
    assert (type(event).__name__, event.by, len(dice.rolls)) == ("Stopped", "", 1)
    assert after.cars[Seat("Ann")].rests == event.rests
