"""Lines that name the game that they are for: `GAME 2: SCAN`, `2: SCAN`, `Orders for game 2:`."""

import json

import pytest

from tests.support.harness import League, Person, duel, prepared
from tests.support.players import words

pytestmark = pytest.mark.league(systems=("starpilot",))


@prepared
def two_games(league: League) -> tuple[Person, Person]:
    """Ann in game 1, which waits for her and Bob, and in game 2, a practice that waits for her."""
    ann, bob = duel(league)
    ann.ask("PRACTICE WITH Hawk")
    return ann, bob


@pytest.fixture
def ann(league: League) -> Person:
    return two_games(league)[0]


def filed(league: League) -> tuple[int, list[str]]:
    """Return the orders on file for game 1, and how many of Hawk's steps game 2 has taken."""
    place = league.store.places.find(game=1, seat="Hawk")
    assert place is not None
    steps = [json.loads(step.orders) for step in league.store.steps.all(game=2)]
    return sum(seat == "Hawk" for step in steps for seat, _ in step), json.loads(place.sheet)[
        "queue"
    ]


@pytest.mark.parametrize(
    "written",
    [
        "GAME 2: SCAN",
        "Game #2 - scan",
        "In game 2, SCAN",
        "2: SCAN",
        "G2: Scan.",
        "GAME 2:\nSCAN",
        "Orders for game 2:\nSCAN",
        "GAME 2 FOR Hawk: SCAN",
    ],
)
def test_an_order_beside_another_games_number_is_for_that_game(
    league: League, ann: Person, written: str
) -> None:
    ann.ask(written, ann.last_about("[G1-"))
    assert filed(league) == (1, [])


def test_each_line_may_name_its_game(league: League, ann: Person) -> None:
    ann.reply("Game 1: scan\nGame 2: scan", ann.last_about("[G2-"))
    league.work()
    assert filed(league) == (1, ["SCAN"])


@pytest.mark.parametrize(
    "written", ["SPIEL 2: SUCHEN", "Für Partie 2: suchen", "2: SUCHEN", "Partie 2:\nSUCHEN"]
)
def test_a_german_order_beside_a_number_is_for_that_game(
    league: League, ann: Person, written: str
) -> None:
    report = ann.last_about("[G1-")
    ann.ask("LANGUAGE de")
    ann.ask(written, report)
    assert filed(league) == (1, [])


def test_the_numbers_of_a_list_are_no_games(league: League, ann: Person) -> None:
    ann.ask("1: SCAN\n2: TARGET\n3: FIRE", ann.last_about("[G1-"))
    assert filed(league) == (0, ["SCAN", "TARGET", "FIRE"])


def test_numbers_that_may_be_games_or_a_list_are_asked_about(league: League, ann: Person) -> None:
    answer = words(ann.ask("1: SCAN\n2: TARGET", ann.last_about("[G1-")))
    assert filed(league) == (0, [])
    assert "Perhaps you meant GAME 2: TARGET or TARGET" in answer
    ann.ask("LANGUAGE de")
    answer = words(ann.ask("1: SUCHEN\n2: ZIEL", ann.last_about("[G1-")))
    assert "Vielleicht meinst du PARTIE 2: ZIEL oder ZIEL" in answer


@pytest.mark.parametrize(
    "lead", ["Game 2: what a fight!", "Regarding game 2:", "My game 2 orders:", "Zu Partie 2:"]
)
def test_an_order_below_words_about_another_game_is_asked_about(
    league: League, ann: Person, lead: str
) -> None:
    answer = words(ann.ask(f"{lead}\nSCAN", ann.last_about("[G1-")))
    assert filed(league) == (0, [])
    assert "the line above it names a game and says more" in answer


@pytest.mark.parametrize(
    "lead", ["Regarding game 1:", "What a fight in game 2!", "Game 2: what a fight!\n"]
)
def test_words_about_games_put_no_order_in_doubt(league: League, ann: Person, lead: str) -> None:
    ann.ask(f"{lead}\nSCAN", ann.last_about("[G1-"))
    assert filed(league) == (0, ["SCAN"])


def test_an_order_above_words_that_take_it_back_is_asked_about(league: League, ann: Person) -> None:
    ann.ask("GAME 2: SURRENDER\nJust kidding!", ann.last_about("[G1-"))
    assert league.store.games.get(2).running
    assert filed(league) == (0, [])


def test_a_game_that_is_none_of_theirs_takes_no_orders(league: League, ann: Person) -> None:
    answer = words(ann.ask("GAME 7: SCAN", ann.last_about("[G1-")))
    assert filed(league) == (0, [])
    assert "you have no pilot in game 7; what stands below it was left alone" in answer


def test_ready_below_a_game_is_for_that_game(league: League, ann: Person) -> None:
    ann.ask("GAME 2\nSCAN\nREADY", ann.last_about("[G1-"))
    assert filed(league) == (1, [])
    place = league.store.places.find(game=1, seat="Hawk")
    assert place is not None
    assert not place.answered


def test_a_line_in_one_form_of_the_letter_only_is_not_done(league: League, ann: Person) -> None:
    report = ann.last_about("[G1-")
    written = ann.reply("SCAN", report)
    # The same letter again, with another order in its HTML part.
    ann.sent.pop()
    written.add_alternative("<p>SCAN</p><p>GAME 2: SCAN</p>", subtype="html")
    written.replace_header("Message-ID", "<77.ann@home.example>")
    ann.send(written)
    league.work()
    assert filed(league)[0] == 0
