"""Answers about a battle: what the letter did comes first, and nothing unchanged is told again."""

from email.message import EmailMessage

import pytest

from tests.support.harness import League, Person, duel
from tests.support.link_taps import links
from tests.support.players import HAWK, plain, words

LANGUAGES = pytest.mark.parametrize("german", [False, True])


def fighting(league: League, german: bool) -> tuple[Person, Person, EmailMessage]:
    """Return the players of a duel, and its first report; the first reads one of the languages."""
    ann, bob = duel(league)
    report = ann.last
    ann.ask(f"LANGUAGE {'de' if german else 'en'}")
    return ann, bob, report


@LANGUAGES
def test_ready_is_answered_by_whom_the_game_waits_for(league: League, german: bool) -> None:
    ann, _, report = fighting(league, german)
    ann.ask("SCAN", report)
    answer = ann.ask("READY", report)
    told = "Du bist bereit" if german else "You are ready"
    assert answer["Subject"].endswith(told)
    opening = "du bist bereit, und Partie 1 wartet auf Kestrel."
    assert (opening if german else "you are ready, and game 1 waits for Kestrel.") in words(answer)
    # Nothing is asked now, so nothing else stands there.
    assert not {"SCAN", "SUCHEN"} & set(links(answer))
    assert len(plain(answer).splitlines()) <= 10


@LANGUAGES
def test_who_orders_only_what_is_not_possible_is_shown_what_is(
    league: League, german: bool
) -> None:
    ann, _, report = fighting(league, german)
    answer = ann.ask("TARGET\nFIRE\nFIRE", report)
    told = words(answer)
    assert ("Keiner davon ist jetzt möglich" if german else "None of them is possible now") in told
    assert ("SUCHEN" if german else "SCAN") in links(answer)
    # One reason is told once.
    alike = "Die Befehle 1 bis 3 sind ERFASSEN, FEUER und FEUER: jetzt nicht möglich"
    assert (alike if german else "Orders 1 to 3 are TARGET, FIRE and FIRE: not possible") in told
    ready = ann.ask("READY", report)
    stuck = "Hawk hat in Partie 1 keinen" if german else "Hawk has no legal order in game 1"
    assert stuck in words(ready)
    assert ("SUCHEN" if german else "SCAN") in links(ready)


@LANGUAGES
def test_standing_orders_are_shown_when_they_are_asked_for(league: League, german: bool) -> None:
    ann, bob, report = fighting(league, german)
    rule = "WENN NICHTS GEFUNDEN: SUCHEN" if german else "IF UNDETECTED: SCAN"
    short = "Dauerbefehle sind unverändert" if german else "standing orders are unchanged"
    new = "hat deine 12 Dauerbefehle" if german else "has your 12 standing orders"
    assert new in words(ann.ask("STANDING sound", report))
    again = ann.ask("SCANN\nREADY", report)
    assert rule not in plain(again)
    assert short in words(again)
    bob.reply("SCAN\nTARGET", bob.last_about("G1-T1"))
    bob.new()
    second = ann.last_about("G1-T2")
    assert rule not in plain(second)
    whole = ann.ask("BERICHT 1" if german else "REPORT 1", second)
    assert rule in plain(whole)


@LANGUAGES
def test_answers_stand_in_the_order_of_the_letter(league: League, german: bool) -> None:
    tom = league.person("Tom")
    tom.write("JOIN Tom Example" + ("\nLANGUAGE de" if german else ""))
    tom.new()
    tom.ask("yes")
    told = words(tom.ask(f"{HAWK}\nSTATUS\nWATCH 99"))
    sheet = "Der Bogen von Hawk" if german else "Persona sheet of Hawk"
    found = [told.index(part) for part in ('"ENLIST', '"STATUS"', '"WATCH 99"', sheet)]
    assert found == sorted(found)
