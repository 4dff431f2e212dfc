"""Designs of fighters by mail: drawn, refused, listed, changed, dropped, flown and checked."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.blackskies.league_catalogue import USUAL
from engine.blackskies.rules import BLACKSKIES as SKIES
from engine.campaign import Blueprint
from engine.order_translations import ENGLISH
from pbem.games.export import export, verify
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.people import erasing, personal_data
from pbem.storage import Blueprint as BlueprintRow
from pbem.storage import Entry, Persona, Player
from tests.support.harness import League, Person, fixed_entropy, open_league
from tests.support.players import plain, words
from tests.support.snapshot import matches
from tests.support.unquoted_replies import ordered_by_quotes

WOLF = "DESIGN Wolf: MEDIUM, REAR SIDE, 2 Laser Cannon, ARMOUR 1"
FORM = "DESIGN Fox\nWEIGHT light\nTHRUSTERS rear, side\n\nWEAPONS Tail Gun\nARMOUR 1\nSHIELDS ____"
HAWKS = "SQUADRON Hawks WITH Red: 2 Wolf SKILL 2"

pytestmark = pytest.mark.league(entropy=fixed_entropy, limits={"letters_a_day": 1000})


def own(league: League) -> dict[str, dict[str, Any]]:
    """All designs that are kept, by name."""
    return {
        row.name: json.loads(row.record)
        for row in league.store.all(BlueprintRow.select().order_by(BlueprintRow.id))
    }


def test_a_design_is_drawn_on_a_line_and_answered_with_its_sheet(
    league: League, ann: Person
) -> None:
    text = words(ann.ask(WOLF))
    assert "Done: Wolf is yours, and can be flown." in text
    assert "Wolf, medium: hull 6, acceleration 3, armour 1, shields 0" in text
    assert "3 of 3 hardpoints are used" in text
    assert "it is worth 49, 52, 54 or 57 points" in text
    assert list(own(league)) == ["Wolf"]


def test_a_form_ends_with_its_lines_and_what_follows_is_read(league: League, ann: Person) -> None:
    text = words(ann.ask(f"{FORM}\nSQUADRON Kites WITH Blue: Fox SKILL 2\n\nGreetings from Ann"))
    assert "Done: Fox is yours" in text
    assert "Tail Gun (behind left, behind, behind right; 1 shot" in text
    assert "Kites is on the list" in text
    assert own(league)["Fox"] == {
        "weight": "light",
        "thrusters": ["rear", "side"],
        "weapons": ["Tail Gun"],
        "armour": 1,
        "shields": 0,
    }


def test_german_words_draw_the_same(league: League, ann: Person) -> None:
    ann.ask("LANGUAGE de")
    text = words(ann.ask("BAUART Wolf: MITTEL, HECK SEITE, 2 Laser Cannon, PANZERUNG 1"))
    assert "Wolf gehört jetzt dir" in text
    form = "Bauart Luchs\nGewicht: mittel\nTriebwerke: Heck und Seite\nWaffen: 2 Laser Cannon"
    text = words(ann.ask(f"{form}\nPANZERUNG 1\nSCHILDE keine\nSTAFFEL F MIT Rot: Luchs KÖNNEN 2"))
    assert "Luchs gehört jetzt dir" in text
    assert "F: auf der Liste" in text
    assert own(league)["Wolf"] == own(league)["Luchs"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("DESIGN Wolf", "its weight is missing: LIGHT, MEDIUM or HEAVY"),
        (f"{WOLF}, SHIELDS 2", "take 5 hardpoints, and a medium fighter has 3: 2 too many"),
        ("DESIGN Wolf\nWEIGTH medium", "DESIGN Wolf: MEDIUM, ARMOUR 0, SHIELDS 0"),
        ("DESIGN Wolf: LIGHT, Lazer Cannon", "(did you mean Laser Cannon?)"),
        ("DESIGN Gadfly: LIGHT", "Gadfly is in the catalogue"),
        ("DESIGN DROP Wolf", "you have drawn nothing called Wolf"),
        ("DESING Wolf: LIGHT", "READ, BUT NOT DONE YET"),
        (HAWKS, "there is no design called Wolf"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_kept(
    league: League, ann: Person, order: str, expected: str
) -> None:
    assert expected in words(ann.ask(order))
    assert own(league) == {}
    assert league.store.all(Persona.select().order_by(Persona.id)) == []


def test_a_design_that_is_flown_stays_as_it_is(league: League, ann: Person) -> None:
    ann.ask(f"{WOLF}\n{HAWKS}")
    before = own(league)
    for order in ("DESIGN wolf: HEAVY", "DESIGN DROP WOLF"):
        assert "Wolf is flown by Hawks, and stays as it is" in words(ann.ask(order))
    assert "you have Wolf already, exactly like this" in words(ann.ask(WOLF))
    assert own(league) == before
    ann.ask("YES", ann.ask("RESIGN Hawks"))
    assert "Wolf takes the place of what you had" in words(ann.ask("DESIGN Wolf: HEAVY"))
    assert own(league)["Wolf"]["weight"] == "heavy"
    assert "Wolf is dropped" in words(ann.ask("DESIGN DROP Wolf"))
    assert own(league) == {}


def test_a_preview_shows_the_sheets_and_keeps_nothing(league: League, ann: Person) -> None:
    ann.ask(FORM)
    text = words(ann.ask(f"PREVIEW\n{WOLF}\nSQUADRON Kites WITH Blue: Fox SKILL 2\nRESIGN Kites"))
    assert text.count("Only tried, and nothing is kept.") == 2
    assert "it is worth 49, 52, 54 or 57 points" in text
    assert "Kites, a squadron worth 24 points" in text
    assert "your letter says PREVIEW, so nothing in it was done" in text
    assert list(own(league)) == ["Fox"]
    assert league.store.all(Persona.select().order_by(Persona.id)) == []
    assert league.store.count(Entry.select()) == 0


def test_there_are_no_more_than_so_many(ann: Person) -> None:
    ann.ask("\n".join(f"DESIGN W{n}: LIGHT" for n in range(24)))
    assert "you have 24 designs already" in words(ann.ask(WOLF))
    assert "takes the place" in words(ann.ask("DESIGN W7: HEAVY"))


def test_designs_are_each_players_own(league: League, ann: Person) -> None:
    bob = league.person("Bob")
    bob.join()
    ann.ask(WOLF)
    assert "there is no design called Wolf" in words(bob.ask(HAWKS))
    assert "You have drawn none yet." in words(bob.ask("DESIGNS"))
    assert "Wolf is yours, and can be flown" in words(bob.ask("DESIGN Wolf: HEAVY, Rocket Pod"))


@pytest.mark.league(systems=("starpilot",))
def test_a_league_without_the_system_draws_none(ann: Person) -> None:
    for order in (WOLF, "DESIGNS", "DESIGN DROP Wolf"):
        assert "Black Skies is not played here" in words(ann.ask(order))
    assert "there is no help on design" in words(ann.ask("HELP design"))


def fought(league: League, ann: Person) -> Person:
    """Begin a battle of Ann's and Bob's squadrons, of different designs of one name; return Bob."""
    bob = league.person("Bob")
    bob.join()
    ann.ask(f"{WOLF}\n{HAWKS}")
    bob.ask("DESIGN Wolf: HEAVY, 2 Heavy Laser, ARMOUR 1\nSQUADRON Kites WITH Blue: 1 Wolf SKILL 3")
    ann.ask("CHALLENGE Kites WITH Hawks FIRST me")
    challenge = words(bob.new()[-1])
    assert "Wolf, medium: hull 6" in challenge
    bob.ask("ACCEPT 1")
    ann.new()
    return bob


def test_own_designs_fight_and_the_battle_is_checked_without_a_catalogue(
    league: League, ann: Person, tmp_path: Path
) -> None:
    bob = fought(league, ann)
    for reader in (ann, bob):
        answer = words(reader.last)
        assert "Hawks Wolf, medium: hull 6" in answer
        assert "Kites Wolf, heavy: hull 8" in answer
    while league.game.running:
        bob.reply("Blue: SURRENDER")
        ann.ask("Red: STEADY")
    text = export(league.store, league.game)
    assert set(json.loads(text)[0]["setup"]["designs"]) == {"Hawks Wolf", "Kites Wolf"}
    assert all(finding.ok for finding in verify(text))
    assert list(fsck.check(league.store)) == []
    assert rebuild(league.settings, tmp_path / "new.db") == []


def test_a_design_is_shown_and_erased_with_its_player(league: League, ann: Person) -> None:
    ann.ask(WOLF)
    [player] = league.store.all(Player.select().order_by(Player.id))
    assert personal_data.kept(league.store, player)["blueprints"] == [
        {"name": "Wolf", "system": "blackskies"}
    ]
    with league.store.transaction():
        erasing.erase(league.store, player)
    assert own(league) == {}


LETTERS = {
    "skies-design": ("STATUS", WOLF),
    "skies-designs": (f"{WOLF}\n{FORM}\n{HAWKS}", "DESIGNS"),
    "skies-design-refused": (WOLF, "DESIGN Bear: LIGHT, ARMUOR 1, 2 Lazer Cannon, REER"),
    "skies-design-tried": (WOLF, "PREVIEW\nDESIGN Bear: HEAVY, Tail Gun, SHIELDS 1"),
    "skies-design-help": (WOLF, "HELP design"),
    "skies-squadron": (WOLF, HAWKS),
}


@pytest.mark.parametrize("language", [ENGLISH, "de"])
@pytest.mark.parametrize("name", LETTERS)
def test_letters_about_designs_are_as_they_were_reviewed(
    ann: Person, name: str, language: str
) -> None:
    before, asked = LETTERS[name]
    if language != ENGLISH:
        ann.ask(f"LANGUAGE {language}")
    ann.ask(before)
    text = plain(ann.ask(asked)).replace("\r\n", "\n")
    folder = "letters" if language == ENGLISH else f"letters/{language}"
    assert matches(f"{folder}/{name}.txt", text)
    # An order to copy is one line, however long it is.
    words = [one for one in text.splitlines() if not one.startswith(("ENLIST ", "ANWERBEN "))]
    assert max(map(len, words)) <= 72
    assert ordered_by_quotes(text, language) == []


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    folder = tmp_path_factory.mktemp("desk")
    limits = {"letters_a_day": 10**6, "automatic_answers_a_day": 10**6}
    with open_league(folder, limits=limits) as league:
        person = league.person("Ann")
        person.join()
        yield person


BITS = st.sampled_from(
    (
        *("Wolf", "Gadfly", "LIGHT", "MEDIUM", "REAR", "Laser Cannon", "Tail Gun", "ARMOUR"),
        *("SHIELDS", "WEIGHT", "THRUSTERS", "WEAPONS", "DROP", "1", "2", "9", ":", ",", "\n", "{"),
        *("ä", "'", "²"),
    )
)


@settings(max_examples=30, deadline=None)
@given(st.lists(BITS, max_size=14).map(" ".join))
def test_no_design_by_mail_is_stumbled_over(desk: Person, text: str) -> None:
    desk.write(f"DESIGN {text}\nKEY {desk.key}")
    assert len(desk.new()) <= 1
    assert desk.league.last_letter().state == "answered"
    assert SKIES.blueprints is not None
    for name, record in own(desk.league).items():
        assert SKIES.blueprints.sheet(Blueprint(name, record), USUAL)["left"] >= 0
