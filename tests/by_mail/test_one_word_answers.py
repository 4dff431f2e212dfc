"""What people write on a telephone who answer in a word: yes, help me."""

from email.message import EmailMessage

import pytest

from pbem.storage import Game, Offer
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import HAWK, KESTREL, words

FOOT = "\n\nSent from my iPhone"
LANGUAGES = pytest.mark.parametrize("german", [False, True])


def member(league: League, name: str, german: bool) -> Person:
    """Return somebody who has joined, and reads one of the two languages."""
    person = league.person(name)
    person.write(f"JOIN {name} Example" + ("\nLANGUAGE de" if german else ""))
    person.new()
    person.ask("Ja.")
    return person


def fighting(league: League, german: bool) -> tuple[Person, EmailMessage]:
    """Return a player of a duel, and the report that waits for an answer."""
    ann, _ = duel(league)
    report = ann.last
    if german:
        ann.ask("LANGUAGE de")
    return ann, report


@LANGUAGES
def test_a_yes_to_the_welcome_shows_how_to_begin(league: League, german: bool) -> None:
    tom = member(league, "Tom", german)
    answer = tom.ask(f"Ok{FOOT}")
    [begin] = [lines for lines in links(answer) if "\n" in lines]
    tap(tom, answer, begin)
    assert any("G1-T1" in letter["Subject"] for letter in tom.new())


@LANGUAGES
@pytest.mark.parametrize("written", ["yes", "Yes, I accept.", "Ja gerne!", "ok"])
def test_a_yes_to_a_challenge_takes_it(league: League, german: bool, written: str) -> None:
    ann, bob = member(league, "Ann", german=False), member(league, "Bob", german)
    ann.ask(HAWK)
    bob.ask(KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    challenge = bob.last
    bob.reply(f"{written}{FOOT}")
    bob.new()
    assert league.game.running
    # It is taken once: another yes to the same letter does nothing.
    bob.ask("SURRENDER")
    ann.reply("SURRENDER", ann.last_about("[G1-"))
    league.work()
    assert not league.game.running
    bob.new()
    bob.ask(written, challenge)
    assert league.store.count(Game.select()) == 1


@LANGUAGES
def test_of_two_challenges_a_yes_takes_the_one_that_it_answers(
    league: League, german: bool
) -> None:
    ann, bob, cat = (member(league, name, german) for name in ("Ann", "Bob", "Cat"))
    for person, pilot in ((ann, HAWK), (bob, KESTREL), (cat, KESTREL.replace("Kestrel", "Merlin"))):
        person.ask(pilot)
    for person, pilot in ((bob, "Kestrel"), (cat, "Merlin")):
        league.later(1)
        person.ask(f"CHALLENGE Hawk WITH {pilot}")
    ann.new()
    ann.reply("yes", ann.last_about("Kestrel gegen" if german else "from Kestrel"))
    ann.new()
    assert [league.store.get(Offer, number).state for number in (1, 2)] == ["begun", "open"]


@LANGUAGES
def test_battle_orders_before_the_battle_are_told_what_waits(league: League, german: bool) -> None:
    ann, bob = member(league, "Ann", german), member(league, "Bob", german)
    ann.ask(HAWK)
    bob.ask(KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    answer = bob.ask("SUCHEN\nZIEL" if german else "SCAN\nTARGET")
    assert ("keiner laufenden Partie" if german else "in no running game") in words(answer)
    assert ("ANNEHMEN 1" if german else "ACCEPT 1") in links(answer)
    text = words(ann.ask("SUCHEN" if german else "SCAN"))
    waits = "Herausforderung 1 ist noch nicht" if german else "challenge 1 has not been answered"
    assert waits in text


@LANGUAGES
@pytest.mark.parametrize("written", ["why not", "no thanks"])
def test_other_words_to_a_challenge_show_how_to_take_it(
    league: League, german: bool, written: str
) -> None:
    ann, bob = member(league, "Ann", german=False), member(league, "Bob", german)
    ann.ask(HAWK)
    bob.ask(KESTREL)
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    answer = bob.ask(f"{written}{FOOT}")
    ways = ["ANNEHMEN 1", "ABLEHNEN 1"] if german else ["ACCEPT 1", "DECLINE 1"]
    assert set(ways) <= set(links(answer))
    assert league.store.count(Game.select()) == 0
    tap(bob, answer, ways[0])
    bob.new()
    assert league.store.count(Game.select()) == 1


@LANGUAGES
def test_help_me_is_help_about_the_battle_it_came_from(league: League, german: bool) -> None:
    ann, report = fighting(league, german)
    text = words(ann.ask(f"{'Hilfe bitte' if german else 'Help me'}{FOOT}", report))
    assert ("DAUERBEFEHLE solide" if german else "STANDING sound") in text
    # The other game is only named, with a link to its rules.
    card = "Rot: ABDREHEN LINKS" if german else "Red: BREAK LEFT"
    assert card not in text
    answer = ann.ask("Hilfe mir" if german else "help us", ann.last_about("Welcome"))
    assert card not in words(answer)
    assert ("REGELN blackskies" if german else "RULES blackskies") in links(answer)


@LANGUAGES
def test_the_answer_that_enlists_points_first_at_the_battle_that_it_began(
    league: League, german: bool
) -> None:
    tom = member(league, "Tom", german)
    tom.reply(f"{HAWK}\nPRACTICE WITH Hawk")
    [answer] = [letter for letter in tom.new() if "[PBEM" in letter["Subject"]]
    text = words(answer)
    begins, sheet = ("Partie 1 beginnt", "Der Bogen") if german else ("game 1 begins", "Persona")
    assert 0 < text.index(begins) < text.index(sheet)
    assert not any("STATUS" in line for line in links(answer))


@LANGUAGES
def test_a_yes_to_the_offer_of_a_draw_agrees(league: League, german: bool) -> None:
    ann, bob = duel(league)
    if german:
        ann.ask("LANGUAGE de")
    bob.reply("DRAW 1", bob.last_about("[G1-"))
    ann.new()
    ann.reply(f"{'Ja' if german else 'Yes'}{FOOT}", ann.last)
    league.work()
    assert not league.game.running
