"""LANGUAGE by mail: letters in the player's own language, and orders in it."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.games import export
from pbem.people import players
from pbem.settings import SettingsError
from pbem.settings.load import parse
from pbem.storage import Step
from tests.support.harness import League, Person, duel, fixed_entropy, open_league
from tests.support.players import HAWK, KESTREL, REFEREE, STANDING, words


def test_a_player_changes_the_language_of_letters(ann: Person) -> None:
    answer = ann.ask("LANGUAGE Deutsch")
    assert "Briefe kommen von jetzt an auf Deutsch" in words(answer)
    answer = ann.ask("LANGUAGE en")
    assert "letters come in English from now on" in words(answer)


def test_a_language_that_nobody_translates_is_refused(ann: Person) -> None:
    answer = ann.ask("LANGUAGE Klingon")
    assert "no letters are written in Klingon" in words(answer)
    assert "de, en" in words(answer)


@pytest.mark.parametrize(
    ("language", "winter", "summer"),
    [
        ("en", "Thu 5 Nov 2026, 13:00 CET", "Fri 4 Jun 2027, 14:00 CEST"),
        ("de", "Do., 5. Nov. 2026, 13:00 Uhr MEZ", "Fr., 4. Juni 2027, 14:00 Uhr MESZ"),
    ],
)
def test_days_and_zones_are_in_the_players_language(
    language: str, winter: str, summer: str, league: League
) -> None:
    for name, expected in (("Ann", winter), ("Bob", summer)):
        person = league.person(name)
        person.join()
        person.ask(HAWK.replace("Hawk", f"Hawk {name}"))
        person.ask(f"LANGUAGE {language}")
        person.ask("TIMEZONE Europe/Berlin")
        person.reply(f"PRACTICE WITH Hawk {name}")
        person.new()
        assert expected in words(person.last_about("-T1 "))
        league.later(24 * 211)


def test_a_league_may_write_german_to_all(tmp_path: Path) -> None:
    with open_league(tmp_path, language="de") as league:
        ann = league.person("Ann")
        ann.join()
        assert "Ratlos?" in words(ann.ask("STATUS"))
    section = {"name": "Avalon", "address": REFEREE, "language": "tlh"}
    with pytest.raises(SettingsError, match="language is 'tlh'; write one of de, en"):
        parse({"league": section}, tmp_path)


GERMAN_HAWK = "ANWERBEN Hawk FÜR Kartell WAFFEN 12 STEUERUNG 12 SENSOREN 12 SCHIFF Angela 313B"
GERMAN_STANDING = """DAUERBEFEHLE
WENN STRAHLEN <= 0: ERGEBEN
WENN NICHTS GEFUNDEN: SUCHEN
WENN ZIEL ERFASST: FEUER
WENN ZUG >= 1: ZIEL
SONST: ERGEBEN
ENDE
"""


def fought(folder: Path, german: bool) -> tuple[list[tuple[str, str, str]], Person, Person]:
    """Fight a duel to its end; Ann may write all her orders in German."""
    with open_league(folder, entropy=fixed_entropy) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        ann.join()
        bob.join()
        ann.ask("LANGUAGE de" if german else "LANGUAGE en")  # words enter the dice by Message-IDs
        ann.ask(GERMAN_HAWK if german else HAWK)
        bob.ask(KESTREL)
        ann.ask(
            "FORDERE Kestrel MIT Hawk ZUERST ich"
            if german
            else "CHALLENGE Kestrel WITH Hawk FIRST me"
        )
        bob.new()
        bob.ask("ACCEPT 1")
        ann.new()
        bob.reply(STANDING)
        ann.reply(GERMAN_STANDING if german else STANDING)
        league.work()
        for _ in range(40):
            if not league.game.running:
                break
            ann.reply("BEREIT" if german else "READY")
            bob.reply("READY")
            league.work()
        assert not league.game.running
        steps = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.id))
        assert all(finding.ok for finding in export.verify(league.service.export(league.game)))
        return [(step.orders, step.digest, step.rolls) for step in steps], ann, bob


def test_a_german_fights_an_englishman_and_the_log_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "de").mkdir()
    english, _, _ = fought(tmp_path / "en", german=False)
    log, ann, bob = fought(tmp_path / "de", german=True)
    assert log == english
    assert "misslingt mit" in words(ann.last)
    assert "Prüfe die Würfel selbst" in words(ann.last)
    assert "fails with" in words(bob.last)
    assert not any("Hallo" in words(each) for each in bob.letters)
    assert not any("Dear" in words(each) for each in ann.letters[3:])


def test_what_is_nearly_german_is_asked_about_in_german(league: League) -> None:
    ann, _ = duel(league)
    ann.ask("LANGUAGE de")
    text = words(ann.ask("FEURE AUF Kestrel", ann.last_about("[G1-")))
    assert 'Du hast geschrieben: "FEURE AUF Kestrel".' in text
    assert "Vielleicht meinst du FEUER Kestrel" in text
    text = words(ann.ask("Anwerbn Uhu für Kartell Waffen 12 Steuerung 12 Sensoren 12 Schiff x"))
    assert "Vielleicht meinst du ANWERBEN Uhu" in text


def test_german_orders_of_an_english_player_are_story(league: League) -> None:
    ann, _ = duel(league)
    text = words(ann.ask("SUCHEN\nSCAN"))
    assert "it reads like an order in another language; LANGUAGE de lets you write in it" in text


@pytest.mark.league(language="de")
def test_refusals_are_german_throughout(league: League) -> None:
    ann = league.person("Ann")
    ann.write("BEITRETEN Ann Example")
    ann.new()
    ann.ask("Ja.")
    text = words(ann.ask("BOGEN Niemand"))
    assert "Kein Pilot und keine Staffel heißt Niemand. Vielleicht hilft das: STATUS" in text
    text = words(ann.ask("ANWERBEN Hawk FÜR Pirat"))
    assert "'Pirat' ist keine Seite; die Seiten sind Allianz, Kartell, Föderation, Liga" in text
    text = words(ann.ask("ANWERBEN Hawk FÜR Kartell WAFFEN 12 SCHIFF Angela 313B"))
    assert "STEUERUNG fehlt; es ist eine ganze Zahl von 1 bis 16" in text
    assert "ANWERBEN Hawk FÜR Kartell WAFFEN 12 STEUERUNG 12" in text


@pytest.mark.league(language="de")
def test_a_farewell_is_confirmed_in_the_words_that_the_letter_names(
    league: League, ann: Person
) -> None:
    ann.reply("Liga verlassen.", ann.ask("LIGA VERLASSEN"))
    league.work()
    assert league.last_letter().state == "answered"
    assert players.at(league.store, ann.address) is None


def wrote(league: League, person: Person, text: str) -> EmailMessage:
    """Write a letter that is not a reply, and return the latest letter after it."""
    person.write(text)
    league.work()
    return person.last


@pytest.mark.parametrize("asked", ["JOIN Max\nLANGUAGE de", "SPRACHE deutsch\nBEITRETEN Max"])
def test_a_join_may_choose_the_language(asked: str, league: League) -> None:
    max_ = league.person("Max")
    confirm = wrote(league, max_, asked)
    assert "antworte einfach auf diesen Brief" in words(confirm)
    welcome = max_.ask("Ja, das war ich.", confirm)
    assert "du spielst jetzt" in words(welcome)
    assert "Ratlos?" in words(max_.ask("STATUS"))


def test_a_later_join_changes_the_language_that_was_chosen(league: League) -> None:
    max_ = league.person("Max")
    confirm = wrote(league, max_, "JOIN Max\nLANGUAGE de")
    wrote(league, max_, "JOIN Max\nLANGUAGE en")
    assert "elcome to" in max_.ask("yes", confirm)["Subject"]


def test_an_unknown_language_beside_join_leaves_the_league_s(league: League) -> None:
    max_ = league.person("Max")
    assert "just reply to this letter" in words(wrote(league, max_, "JOIN Max\nLANGUAGE tlh"))


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("JOIN", "is just the word JOIN and a name"),
        ("I want to join, my name is Max", "is just the word JOIN and a name"),
        ("LANGUAGE de\nJOIN", "stehen nur das Wort BEITRETEN und ein Name"),
    ],
)
def test_a_join_without_a_name_is_asked_for_one(asked: str, answered: str, league: League) -> None:
    max_ = league.person("Max")
    assert "not known here" in words(wrote(league, max_, "Hello, is this the game?"))
    assert answered in words(wrote(league, max_, asked))
    assert "confirm" in wrote(league, max_, "Join: Max")["Subject"]


GREETING = "Guten Tag, ich würde gern mitspielen."


def test_a_stranger_who_writes_german_is_answered_in_german(league: League) -> None:
    max_ = league.person("Max")
    text = words(wrote(league, max_, f"{GREETING} Wie geht das?"))
    assert "BEITRETEN Ada Example" in text
    assert "JOIN" not in text
    asked = words(wrote(league, max_, f"{GREETING}\n\nBEITRETEN"))
    assert "Bitte schreib noch einmal BEITRETEN" in asked
    assert "JOIN" not in asked
    # The words that the letters name are taken as they stand there.
    confirm = wrote(league, max_, "BEITRETEN Ada Example")
    assert "antworte einfach auf diesen Brief" in words(confirm)
    assert "du spielst jetzt" in words(max_.ask("Ja.", confirm))


def test_what_a_stranger_asks_for_counts_more_than_what_it_is_written_in(league: League) -> None:
    max_ = league.person("Max")
    confirm = wrote(league, max_, f"{GREETING}\nLANGUAGE en\nBEITRETEN Max")
    assert "just reply to this letter" in words(confirm)
