"""STANDING sound, bold and careful: doctrines that everybody has, by letter, in both languages."""

import pytest

from engine.order_translations import DOCTRINES
from engine.orders.orders_on_file import Sheet, lines, texts
from engine.seats import Seat
from pbem.games.session import Session
from tests.support.harness import League, Person, duel, skies
from tests.support.link_taps import tap
from tests.support.players import plain, words

HAWK = "ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313{}"
RED_AND_GOLD = "Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8"
GERMAN = {"sound": "solide", "bold": "mutig", "careful": "vorsichtig"}


def begun(league: League, ship: str = "B", language: str = "en") -> Person:
    """Ann, who has begun to practise with Hawk, in a ship of beams (B) or missiles (A)."""
    ann = league.person("Ann")
    ann.join()
    ann.ask(HAWK.format(ship))
    if language == "de":
        ann.ask("LANGUAGE de")
    ann.ask("PRACTICE WITH Hawk AGAINST easy")
    return ann


def sheet(league: League, seat: str = "Hawk") -> Sheet:
    return Session(league.store, league.game).sheet(Seat(seat))


@pytest.mark.parametrize(("ship", "shot"), [("A", "LAUNCH"), ("B", "FIRE")])
@pytest.mark.parametrize("doctrine", DOCTRINES)
def test_a_doctrine_suits_the_ship_and_lets_the_battle_run_on(
    league: League, doctrine: str, ship: str, shot: str
) -> None:
    ann = begun(league, ship)
    ann.ask(f"STANDING {doctrine}")
    filed = sheet(league)
    assert f"IF ADVANTAGE: {shot}" in lines(filed)
    assert {shot} == {"FIRE", "LAUNCH"} & {*texts(filed)}
    assert ("EJECT" in texts(filed)) == (doctrine == "careful")
    assert ("ESCAPE" in texts(filed)) == (doctrine != "bold")
    assert league.game.steps > 20


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_answer_counts_the_rules_and_report_shows_them_in_full(
    league: League, language: str
) -> None:
    ann, _ = duel(league)
    ann.ask(f"LANGUAGE {language}")
    order, counted, shown = {
        "en": ("STANDING sound", "12 standing orders", "IF DISADVANTAGE AND NEAR: OPEN"),
        "de": ("DAUERBEFEHLE solide", "12 Dauerbefehle", "WENN NACHTEIL UND NAH: ABSTAND"),
    }[language]
    assert counted in words(ann.ask(order))
    assert shown in words(ann.ask("REPORT 1"))
    assert len(lines(sheet(league))) == 12


@pytest.mark.parametrize("doctrine", DOCTRINES)
def test_german_words_file_the_same_rules(league: League, doctrine: str) -> None:
    ann = begun(league, language="de")
    ann.ask(f"DAUERBEFEHLE {GERMAN[doctrine].upper()}")
    german = sheet(league)
    ann.ask(f"STANDING {doctrine}")
    assert german.rules
    assert german == sheet(league)


def test_preview_tries_a_doctrine_and_files_nothing(league: League) -> None:
    ann = begun(league)
    text = words(ann.ask("PREVIEW\nSTANDING sound"))
    assert "DISADVANTAGE AND NEAR" in text
    assert sheet(league) == Sheet()


def test_own_rules_above_it_come_first(league: League) -> None:
    ann = begun(league)
    ann.ask("IF ENEMY STRUCTURE <= 0: FIRE\nSTANDING bold")
    assert lines(sheet(league))[:2] == ["IF ENEMY STRUCTURE <= 0: FIRE", "IF UNDETECTED: SCAN"]


@pytest.mark.parametrize(
    ("written", "hint", "language"),
    [
        ("STANDING soudn", "STANDING sound", "en"),
        ("DAUERBEFEHLE muitg", "DAUERBEFEHLE mutig", "de"),
    ],
)
def test_a_mistyped_doctrine_is_asked_about(
    league: League, written: str, hint: str, language: str
) -> None:
    ann = begun(league, language=language)
    assert hint in words(ann.ask(written))
    assert sheet(league) == Sheet()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_report_offers_one(league: League, language: str) -> None:
    ann = begun(league, language=language)
    offered = {"en": "STANDING sound", "de": "DAUERBEFEHLE solide"}[language]
    assert offered in words(ann.last_about("[G1-T"))


@pytest.mark.parametrize(
    "written",
    [
        "All: STANDING sound",
        "Red and Gold: STANDING sound",
        "STANDING sound for everybody",
        "Red: standing sound\nGold: standing sound",
    ],
)
def test_a_doctrine_for_all_pieces_is_one_for_everybody(league: League, written: str) -> None:
    ann, _ = skies(league, RED_AND_GOLD, "Kites WITH Blue: 1 Gadfly SKILL 3")
    ann.ask(written)
    named = sheet(league, "Vultures")
    ann.ask("STANDING sound", ann.last_about("[G1-"))
    assert named.rules
    assert named == sheet(league, "Vultures")


def test_each_piece_may_have_a_doctrine_of_its_own(league: League) -> None:
    ann, _ = skies(league, RED_AND_GOLD, "Kites WITH Blue: 1 Gadfly SKILL 3")
    ann.ask("Red: STANDING sound\nGold: STANDING bold")
    rules = lines(sheet(league, "Vultures"))
    assert "IF CRIPPLED AND ALONE: Red: WITHDRAW" in rules
    assert "ELSE: Gold: STEADY" in rules
    assert not any("Gold: WITHDRAW" in rule for rule in rules)


def test_a_doctrine_for_some_pieces_would_leave_the_others_without(league: League) -> None:
    ann, _ = skies(league, RED_AND_GOLD, "Kites WITH Blue: 1 Gadfly SKILL 3")
    report = ann.last
    assert "name all of Gold, Red in such lines, or nobody" in words(ann.ask("Red: STANDING sound"))
    ann.ask("LANGUAGE de")
    answer = words(ann.ask("Gold: DAUERBEFEHLE solide", report))
    assert "nenne in solchen Zeilen alle von Gold, Red oder niemanden" in answer
    ann.ask("Red und Gold: DAUERBEFEHLE solide", report)
    assert sheet(league, "Vultures").rules


@pytest.mark.parametrize("written", ["All: STANDING sound", "Hawk: STANDING sound"])
def test_a_doctrine_for_the_only_piece_is_suggested(league: League, written: str) -> None:
    answer = words(begun(league).ask(written))
    assert "STANDING sound" in answer
    assert sheet(league) == Sheet()


def test_in_black_skies_each_element_gets_its_rules(league: League) -> None:
    forms = (
        "Vultures WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3",
        "Kites WITH Blue: 2 Black Tiger SKILL 3",
    )
    ann, _ = skies(league, *forms)
    ann.reply("STANDING careful", ann.last_about("[G1-T"))
    league.work()
    filed = sheet(league, "Vultures")
    assert "IF CRIPPLED AND NOT ENEMY CRIPPLED: Red: WITHDRAW" in lines(filed)
    assert filed.elses == ("Red: STEADY", "Gold: STEADY")


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_that_came_too_late_is_sent_again_by_a_tap(league: League, language: str) -> None:
    ann = begun(league, language=language)
    first = ann.last_about("[G1-T1")
    ann.ask("SCAN", first)
    ann.reply("STANDING sound", first)
    [late] = ann.new()
    assert sheet(league) == Sheet()
    tap(ann, late, {"en": "STANDING sound", "de": "DAUERBEFEHLE solide"}[language])
    league.work()
    assert len(lines(sheet(league))) == 12


def test_the_german_example_of_help_is_sent_back_whole(league: League) -> None:
    ann = begun(league, language="de")
    shown = plain(ann.ask("HILFE Dauerbefehle")).splitlines()
    first = next(n for n, line in enumerate(shown) if line.strip() == "DAUERBEFEHLE")
    last = next(n for n, line in enumerate(shown) if n > first and line.strip() == "ENDE")
    report = ann.last_about("[G1-T1")
    ann.write("\n".join(shown[first : last + 1]), report["Reply-To"], report["Subject"])
    league.work()
    assert len(lines(sheet(league))) == last - first - 1
