"""Black Skies by mail from the first letter to the last: enlisted, challenged, fought, checked."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.export import export, verify
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.storage import Game, Persona
from tests.support.forging import run
from tests.support.harness import League, Person, fixed_entropy, open_league
from tests.support.players import HAWK, KESTREL, words

HAWKS = "SQUADRON Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3"
KITES = "ENLIST Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 1 Gadfly SKILL 3 SPEED 8"

pytestmark = pytest.mark.league(misses_before_forfeit=3)


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Ann with the squadron Hawks and Bob with Kites."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, squadron in ((ann, HAWKS), (bob, KITES)):
        person.join()
        assert "is on the list" in words(person.ask(squadron))
    return ann, bob


def begun(people: tuple[Person, Person]) -> tuple[Person, Person]:
    """Begin a battle: Ann challenges, Bob accepts."""
    ann, bob = people
    ann.ask("CHALLENGE Kites WITH Hawks FIRST me")
    bob.new()
    bob.ask("ACCEPT 1")
    ann.new()
    return people


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("SQUADRON Crows WITH Red: 2 Blak Tiger SKILL 2", "there is no design called Blak Tiger"),
        ("ENLIST Crows WITH Red: 2 Black Tiger", "lacks SKILL and a figure from 1 to 4"),
        (HAWKS, "the name Hawks is taken"),
        ("ENLIST Crows", "ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP"),
        ("ENLIST Crows", "HELP enlist shows the other kinds"),
        ("SPEND 3 FOR Hawks", "squadrons have no points to spend"),
    ],
)
def test_what_is_wrong_is_said(people: tuple[Person, Person], order: str, why: str) -> None:
    assert why in words(people[0].ask(order))


def test_squadrons_and_pilots_never_meet(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    ann.ask(HAWK)
    bob.ask(KESTREL)
    for order in ("CHALLENGE Kestrel WITH Hawks", "TEAM CHALLENGE Kestrel, Kites WITH Hawks"):
        assert "belong to different games" in words(ann.ask(order))
    ann.ask("PATROL WITH Hawks")
    assert "meets the next" in words(bob.ask("PATROL WITH Kestrel"))
    bob.ask("PATROL WITH Kites")
    assert [game.system for game in league.store.all(Game.select().order_by(Game.id))] == [
        "blackskies"
    ]


def test_squadrons_of_too_unequal_worth_do_not_meet(people: tuple[Person, Person]) -> None:
    ann, bob = people
    bob.ask("SQUADRON Gnats WITH Mote: 1 Gadfly SKILL 1")
    assert "one is worth 129 points and the other 2" in words(ann.ask("CHALLENGE Gnats WITH Hawks"))


@pytest.mark.league(systems=("starpilot",))
def test_a_league_of_one_system_enlists_for_no_other(league: League, ann: Person) -> None:
    assert "ENLIST needs a name, and FOR in front of a side" in words(ann.ask(KITES))
    assert "blackskies is not played here" in words(ann.ask("RULES blackskies"))
    assert league.store.all(Persona.select().order_by(Persona.id)) == []


def test_help_and_welcome_tell_what_the_league_plays(tmp_path: Path) -> None:
    for systems, told, untold in (
        (("blackskies",), ("SQUADRON Osprey WITH",), ("ENLIST Osprey", "SPEND 3 FOR Hawk")),
        (("starpilot",), ("ENLIST Osprey FOR",), ("SQUADRON",)),
        (("starpilot", "blackskies"), ("ENLIST Osprey FOR", "SQUADRON Condor WITH"), ()),
    ):
        with open_league(tmp_path / "-".join(systems), systems=systems) as league:
            ann = league.person("Ann")
            ann.join()
            welcome = words(ann.last_about("Welcome"))
            helped = words(ann.ask("HELP orders\nHELP enlist"))
            assert told[0].split()[0] in welcome
            assert [word for word in told if word not in helped] == []
            assert [word for word in untold if word in welcome + helped] == []


@pytest.mark.parametrize(
    ("system", "own", "others"),
    [
        ("starpilot", ("pilot", "Pilot"), ("squadron", "Staffel")),
        ("blackskies", ("squadron", "Staffel"), ("pilot", "Pilot")),
    ],
)
def test_letters_of_the_league_call_them_as_its_system_does(
    tmp_path: Path, system: str, own: tuple[str, str], others: tuple[str, str]
) -> None:
    topics = "HELP\nHELP challenge\nHELP teams\nHELP letters\nHELP gm"
    with open_league(tmp_path, systems=(system,)) as league:
        ann = league.person("Ann")
        ann.join()
        for language, noun in zip(("en", "de"), own, strict=True):
            ann.reply(f"LANGUAGE {language}\nSUBSCRIBE", ann.last_about("Welcome"))
            ann.new()
            by_shell(league.service.ports, "NEWSLETTER", league.now)
            *_, news = ann.new()
            for letter in (ann.ask(topics), ann.ask("LEAVE LEAGUE"), news):
                assert noun in words(letter)
                assert [word for word in others if word in words(letter)] == []


@pytest.mark.parametrize(
    ("order", "why", "german"),
    [
        ("SHEET Nobody", "no squadron is called Nobody", "Keine Staffel heißt Nobody"),
        ("CHALLENGE Nobody WITH Hawks", "no squadron is called", "Keine Staffel heißt Nobody"),
        (
            "PRACTICE WITH Nobody",
            "you have no squadron called Nobody",
            "Keine Staffel von dir heißt",
        ),
        ("REPORT 9", "you have no squadron in game 9", "Keine Staffel von dir ist in Partie 9"),
        (
            "TELL Nobody\nHi.",
            "no squadron or player is called",
            "Keine Staffel heißt",
        ),
    ],
)
def test_a_squadron_is_called_so(
    people: tuple[Person, Person], order: str, why: str, german: str
) -> None:
    ann, _ = people
    assert why in words(ann.ask(order))
    ann.ask("LANGUAGE de")
    text = words(ann.ask(order))
    assert german in text
    assert "Pilot" not in text


def test_who_has_both_or_neither_is_told_of_both(
    league: League, people: tuple[Person, Person]
) -> None:
    people[0].ask(HAWK)
    cat = league.person("Cat")
    cat.join()
    assert "no pilot and no squadron yet" in words(cat.ask("SHEET"))
    for person in (people[0], cat):
        text = words(person.ask("SHEET Nobody"))
        assert "no pilot and no squadron is called Nobody" in text
        assert "STATUS all lists all pilots or squadrons" in text


def test_a_preview_shows_where_cards_lead(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = begun(people)
    text = words(ann.ask("PREVIEW\nRed: 2 BREAK; HOLD FIRE\nGold: ACCELERATE 2"))
    assert "Red: BREAK LEFT; HOLD FIRE: speed 4, Grey 1 at 21 inches, ahead right" in text
    assert "Gold: ACCELERATE 2: speed 8, Blue 1 at 17.1 inches, ahead" in text
    assert league.game.steps == 0
    assert "YOUR ORDERS ON FILE" not in words(ann.ask("REPORT 1"))


def test_a_squadron_practises_against_the_house(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    for strength in ("easy", "sound", "sharp"):
        ann.ask(f"PRACTICE WITH Hawks AGAINST {strength}")
        assert league.game.practice
        before = league.game.steps
        ann.ask("Red: STEADY\nGold: STEADY")
        assert league.game.steps > before
        while league.game.running:
            ann.ask("Red: SURRENDER\nGold: SURRENDER")
        text = words(ann.last)
        assert "It was practice. Your squadron is as it was before." in text
        assert "HP" not in text
    assert "Battles 0" in words(ann.ask("SHEET Hawks"))


def test_a_battle_plays_to_its_end_also_while_one_is_silent(
    league: League, people: tuple[Person, Person], tmp_path: Path
) -> None:
    ann, bob = begun(people)
    bob.ask(
        "STANDING\nIF TURN >= 1: Blue: SMOOTH LEFT; HOLD FIRE\n"
        "IF TURN >= 1: Grey: SMOOTH RIGHT; HOLD FIRE\nEND"
    )
    ann.ask("WAIT 1\nRed: 2 BREAK; HOLD FIRE\nGold: ACCELERATE 2")
    assert league.game.steps == 0
    ann.ask("READY 1")
    league.later(72.1)
    league.work()
    [first, *_] = league.orders()
    assert '["Hawks", "Red: BREAK LEFT; HOLD FIRE"]' in first[0]
    assert '["Kites", "Blue: SMOOTH LEFT; HOLD FIRE"]' in first[0]
    while league.game.running and league.game.steps < 3:
        ann.ask("Red: STEADY; HOLD FIRE\nGold: 3 SMOOTH; HOLD FIRE")
        league.later(72.1)
        league.work()
    while league.game.running:
        bob.ask("Blue: SURRENDER\nGrey: SURRENDER\nSTANDING NONE")
        ann.ask("Red: STEADY\nGold: STEADY\nREADY")
        league.later(72.1)
        league.work()
    assert "victory for Hawks" in words(ann.last)
    assert all(finding.ok for finding in verify(export(league.store, league.game)))
    assert "Battles 1, won 1" in words(ann.ask("SHEET Hawks"))
    files = {
        part.get_filename(): part.get_content() for part in ann.ask("SCRIPT 1").iter_attachments()
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert files.keys() == {"verify_blackskies.py", "G1.json"}
    checked = run("-I", *(str(tmp_path / name) for name in ("verify_blackskies.py", "G1.json")))
    assert "(result) - so all of it agrees\n" in checked.stdout


CARDS = st.sampled_from(("STEADY", "BREAK LEFT", "HARD RIGHT", "ACCELERATE 2; HOLD FIRE"))


@settings(max_examples=2, deadline=None)
@given(blue=CARDS, grey=CARDS)
def test_no_letter_to_a_player_hangs_on_the_enemys_pending_cards(blue: str, grey: str) -> None:
    """Ann's letters are the same, whatever Bob has on file, and as if he had nothing else."""
    found = [_told_of_pending(cards) for cards in (("STEADY", "STEADY"), (blue, grey))]
    assert found[0] == found[1]


@cache
def _told_of_pending(cards: tuple[str, str]) -> list[str]:
    with TemporaryDirectory() as folder, open_league(Path(folder), entropy=fixed_entropy) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, squadron in ((ann, HAWKS), (bob, KITES)):
            person.join()
            person.ask(squadron)
        begun((ann, bob))
        bob.reply(f"Blue: {cards[0]}\nGrey: {cards[1]}")
        league.work()
        before = len(ann.letters)
        for text in ("STATUS", "REPORT 1", "HISTORY 1", "RECEIPTS 1", "Red: STEADY"):
            ann.ask(text)
        return [words(letter) for letter in ann.letters[before:]]
