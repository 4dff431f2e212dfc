"""A newcomer's first fight takes three letters: JOIN, the confirmation, and one reply by a tap."""

import re
from pathlib import Path

import pytest

from pbem.storage import Persona
from tests.support.harness import League, Person, open_league
from tests.support.link_taps import links, tap
from tests.support.players import plain, words


def first_reply(person: Person) -> str:
    """Return the two lines that the welcome letter asks for."""
    [lines] = [one for one in links(person.last_about("Avalon League")) if "\n" in one]
    return lines


@pytest.mark.parametrize("system", ["starpilot", "blackskies"])
@pytest.mark.parametrize(
    ("language", "enlists", "practises"),
    [
        ("en", "(ENLIST|SQUADRON) ", "PRACTICE WITH "),
        ("de", "(ANWERBEN|STAFFEL) ", "ÜBEN MIT "),
    ],
)
def test_three_letters_lead_to_the_first_orders(
    system: str, language: str, enlists: str, practises: str, tmp_path: Path
) -> None:
    with open_league(tmp_path, language=language, systems=(system,)) as league:
        ann = league.person("Ann")
        ann.write("JOIN Ann Example")
        [asked] = ann.new()
        ann.reply("Yes.", asked)
        [welcome] = ann.new()
        lines = first_reply(ann)
        enlist, practice = lines.split("\n")
        assert re.match(enlists, enlist)
        assert practice.startswith(practises)
        # Bare at the left in the text, so that they can be copied whole.
        text = [line.strip() for line in plain(welcome).splitlines()]
        assert practice in text
        tap(ann, welcome, lines)
        letters = ann.new()
        assert len(ann.sent) == 3
        [report] = [one for one in letters if one["Subject"].startswith("[G1-T")]
        assert league.game.practice
        assert league.game.bots == "easy"
        assert words(report)
        ann.reply("READY", report)
        assert ann.new()


def test_each_newcomer_is_offered_a_name_that_is_free(league: League) -> None:
    people = [league.person(name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve")]
    names = set()
    for person in people:
        person.join()
        lines = first_reply(person)
        tap(person, person.last_about("Welcome"), lines)
        assert "could not be done" not in " ".join(words(one) for one in person.new())
        names.add(lines.split()[1])
    assert len(names) == len(people)
    assert {row.name for row in league.store.all(Persona.select().order_by(Persona.id))} == names
    sides = {row.side for row in league.store.all(Persona.select().order_by(Persona.id))}
    assert len(sides) == 4  # so that newcomers may fight each other


def test_the_welcome_names_the_games_that_the_league_plays(league: League) -> None:
    ann = league.person("Ann")
    ann.join()
    welcome = words(ann.last_about("Welcome"))
    games = "StarPilot 3.1, Black Skies, Silent Deep and Toss"
    assert f"It plays {games}; you begin with StarPilot 3.1." in welcome
