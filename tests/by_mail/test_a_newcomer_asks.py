"""What puzzled a newcomer with nothing but the letters: mistyped, late and dropped orders."""

import pytest

from engine.seats import Seat
from pbem.games.session import Session
from pbem.storage import Place, Player
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import plain, words


def person_id(league: League, person: Person) -> int:
    """Return a person's number among the players."""
    player = league.store.first(Player.select().where(Player.address == person.address))
    assert player is not None
    return player.id


def newcomer(league: League, language: str = "en") -> Person:
    """Return somebody who has joined, confirmed, and reads a language."""
    person = league.person("Tom")
    person.join()
    if language != "en":
        person.ask(f"LANGUAGE {language}")
    person.new()
    return person


@pytest.mark.parametrize(
    ("language", "written", "meant"),
    [
        ("en", "Acept 12", "ACCEPT 12"),
        (
            "en",
            "Enlst Owl for league, weapons 12, piloting 12, sensors 12, ship Wright 1903S",
            "ENLIST Owl for league, weapons 12, piloting 12, sensors 12, ship Wright 1903S",
        ),
        ("de", "Anehmen 12", "ANNEHMEN 12"),
        ("de", "Acept 12", "ANNEHMEN 12"),
        ("de", "Forder kestrel mit hawk", "FORDERE kestrel mit hawk"),
    ],
)
def test_a_hint_keeps_the_players_own_words(
    league: League, language: str, written: str, meant: str
) -> None:
    tom = newcomer(league, language)
    answer = tom.ask(written)
    assert f"meinst du {meant}." in words(answer) or f"you meant {meant}." in words(answer)
    tap(tom, answer, "YES" if language == "en" else "JA")
    [done] = tom.new()
    assert f'"{meant}"' in words(done)


@pytest.mark.parametrize(("language", "meant"), [("en", "SCAN"), ("de", "SUCHEN")])
def test_a_mistyped_battle_order_is_a_tap_away(league: League, language: str, meant: str) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask(f"LANGUAGE {language}")
    answer = ann.ask({"en": "Scna", "de": "Suhcen"}[language], report)
    tap(ann, answer, meant)
    [filed] = ann.new()
    assert f": {meant} (" in words(filed)


def test_an_order_that_lacks_a_name_offers_each_as_a_link(league: League) -> None:
    tom = newcomer(league)
    answer = tom.ask("ACCEPT it")
    assert "It is written like this: ACCEPT 3." in words(answer)
    assert "ACCEPT 3" not in links(answer)  # an example is nothing to send


def test_many_orders_in_a_short_time_are_no_robots(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last
    for number in range(14):
        ann.reply(f"TIMEZONE Europe/{('Oslo', 'Rome')[number % 2]}", report)
        assert ann.new(), number
    ann.reply("What now? I am lost.", report)
    assert ann.new()


@pytest.mark.parametrize(
    ("language", "enlists"), [("de", "ANWERBEN Osprey FÜR Allianz"), ("en", "ENLIST Osprey FOR")]
)
def test_who_chooses_a_language_is_told_how_to_begin(
    league: League, language: str, enlists: str
) -> None:
    tom = newcomer(league, "en" if language == "de" else "de")
    answer = tom.ask(f"LANGUAGE {language}")
    [lines] = [one for one in links(answer) if "\n" in one]
    assert lines.startswith(enlists)
    tap(tom, answer, lines)
    tom.new()
    assert league.game.practice
    again = tom.ask("LANGUAGE en", answer)
    assert not [one for one in links(again) if "\n" in one]


def filed(league: League, seat: str) -> list[str]:
    """The orders that wait for a seat."""
    return list(Session(league.store, league.game).sheet(Seat(seat)).queue)


@pytest.mark.parametrize(
    ("language", "expected", "kept"),
    [
        ("en", "your letter answers turn 1 of game 1, StarPilot 3.1, and turn 2 is open", "as it"),
        ("de", "dein Brief antwortet auf Zug 1 von Partie 1", "offen ist Zug 2"),
    ],
)
def test_a_late_reply_says_which_turn_is_open_with_links_for_it(
    league: League, language: str, expected: str, kept: str
) -> None:
    ann, bob = duel(league)
    report = ann.last
    for person in (ann, bob):
        person.reply("SCAN", person.last_about("G1-T1"))
    for person in (ann, bob):
        person.new()
    assert league.game.turn == 2
    ann.ask(f"LANGUAGE {language}")
    ann.reply("SURRENDER\nSTANDING sound", report)
    [late] = ann.new()
    assert expected in words(late)
    assert kept in words(late)
    assert "IF " not in plain(late)  # rules that nobody wrote
    assert "WENN " not in plain(late)
    order = next(one for one in links(late) if one in ("SCAN", "SUCHEN", "SURRENDER", "ERGEBEN"))
    tap(ann, late, order)
    assert "G1-T2" in ann.new()[-1]["Subject"] or league.game.turn > 2


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "No longer on file,"), ("de", "Nicht mehr hinterlegt,")]
)
def test_orders_that_a_new_one_drops_are_named(
    league: League, language: str, expected: str
) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask(f"LANGUAGE {language}")
    first = ann.ask("SCAN\nTARGET\nOPEN", report)
    assert expected not in words(first)
    second = ann.ask("TARGET", report)
    dropped = {"en": "SCAN, OPEN.", "de": "SUCHEN, ABSTAND."}[language]
    assert expected in words(second)
    assert dropped in words(second)
    assert expected not in words(ann.ask("TARGET\nFIRE", report))


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "Hawk has no legal order in game 1"), ("de", "Hawk hat in Partie 1 keinen")],
)
def test_ready_in_a_letter_without_orders_is_no_contradiction(
    league: League, language: str, expected: str
) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask(f"LANGUAGE {language}")
    answer = words(ann.ask("READY", report))
    assert expected in answer
    assert "noted" not in answer


@pytest.mark.parametrize(
    ("language", "waits", "asked"),
    [("en", "WHAT YOU MAY ORDER", "YOUR MOVE"), ("de", "WAS DU BEFEHLEN KANNST", "DU BIST AM ZUG")],
)
def test_a_report_that_asks_nothing_does_not_say_your_move(
    league: League, language: str, waits: str, asked: str
) -> None:
    ann, bob = duel(league)
    for person in (ann, bob):
        person.ask(f"LANGUAGE {language}")
    ann.reply("SCAN\nTARGET", ann.last_about("G1-T1"))
    bob.reply("SCAN", bob.last_about("G1-T1"))
    league.work()
    headings = {waits: 0, asked: 0}
    for person in (ann, bob):
        report = person.last_about("G1-T2")
        place = league.store.first(
            Place.select().where(Place.player == person_id(league, person)).order_by(Place.id)
        )
        assert place is not None
        heading = asked if place.asked else waits
        assert heading in plain(report)
        assert ({waits, asked} - {heading}).isdisjoint(plain(report).splitlines())
        headings[heading] += 1
        # The choices stand right below the opening, before all else.
        lines = plain(report).splitlines()
        assert lines.index(heading) < 14, report
    assert all(headings.values())


def test_who_has_no_card_is_named_right_below_the_opening(league: League) -> None:
    tom = newcomer(league)
    tom.ask("SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2; Gold: 1 Gadfly SKILL 3")
    tom.reply("PRACTICE WITH Vultures AGAINST easy")
    report = tom.new()[-1]
    answer = tom.ask("Red: STEADY", report)
    text = plain(answer)
    assert text.index("No order yet for Gold") < text.index("YOUR ORDERS")
    assert "READY" in links(answer)


def test_an_english_standing_may_have_a_german_doctrine(league: League) -> None:
    ann, _ = duel(league)
    report = ann.last
    ann.ask("LANGUAGE de")
    answer = words(ann.ask("Standing solide", report))
    assert "RANGLISTE" not in answer
    assert "Partie 1 hat deine 12 Dauerbefehle; BERICHT 1 zeigt sie." in answer


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("HELP Black Skies", "RULES starpilot"),
        ("Help with Black Skies", "RULES starpilot"),
        ("HELP team battle", "TEAM CHALLENGE"),
        ("help standing orders", "STANDING sound"),
    ],
)
def test_help_is_on_a_system_or_in_two_words_too(league: League, asked: str, told: str) -> None:
    ann = league.person("Ann")
    ann.join()
    assert told in words(ann.ask(asked))
