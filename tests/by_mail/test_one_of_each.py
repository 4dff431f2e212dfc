"""Sentences with a number read well where it is one, in English and in German."""

import pytest

from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, words


@pytest.mark.league(turns_per_letter=1)
@pytest.mark.parametrize(
    ("language", "played", "word", "more"),
    [
        ("en", "at most 1 turn is played between", "STORY", "1 more line follows."),
        ("de", "wird höchstens 1 Zug gespielt", "ERZÄHLUNG", "1 weitere Zeile folgt."),
    ],
)
def test_a_turn_a_letter_and_a_line_more(
    league: League,
    people: tuple[Person, Person],
    language: str,
    played: str,
    word: str,
    more: str,
) -> None:
    ann, bob = people
    ann.ask(f"LANGUAGE {language}")
    story = "\n".join(f"Hawk thought of home, and of winter {n} there." for n in range(13))
    answer = words(ann.ask(f"{STANDING}\n\n{word}\n{story}", ann.last_about("[G1-")))
    bob.reply(STANDING, bob.last_about("[G1-"))
    league.work()
    told = (answer + words(ann.last_about("[G1-"))).replace("\n", " ")
    assert played in told
    assert more in told


@pytest.mark.league(challenge_days=1)
@pytest.mark.parametrize(
    ("language", "phrase"),
    [("en", "has not been answered in a day"), ("de", "hat in einem Tag niemand beantwortet")],
)
def test_a_challenge_that_is_open_for_a_day(league: League, language: str, phrase: str) -> None:
    ann, _ = duel(league)
    ann.ask(f"LANGUAGE {language}")
    league.rule("DRAW 1")
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    league.later(25)
    league.work()
    assert phrase in words(ann.last).replace("\n", " ")


@pytest.mark.league(away_days=1)
@pytest.mark.parametrize(
    ("language", "phrase"), [("en", "that takes a day of"), ("de", "Das kostet einen Tag von")]
)
def test_a_day_away_that_is_too_much(league: League, language: str, phrase: str) -> None:
    ann = league.person("Ann")
    ann.join()
    ann.ask(f"LANGUAGE {language}")
    ann.ask("AWAY 2026-12-20 TO 2026-12-20")
    assert phrase in words(ann.ask("AWAY 2026-12-24 TO 2026-12-24")).replace("\n", " ")
