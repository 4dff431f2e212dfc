"""A tap on a link of each kind does what the letter says of it, in both languages."""

import pytest

from engine.orders.orders_on_file import lines
from engine.seats import Seat
from pbem.games.session import Session
from pbem.people import players
from pbem.storage import Letter, Offer, Player, Watch
from tests.handlers.test_addresses import NEW
from tests.routing.test_authentication import MX, come, forged
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import words

ENGLISH = "YES UNDO DRAW REMATCH TELL BLOCK LEAVE WATCH STANDING RULES".split()
GERMAN = (
    "JA RÜCKGÄNGIG REMIS REVANCHE SAGEN SPERREN VERLASSEN BEOBACHTEN DAUERBEFEHLE REGELN".split()
)
WORDS = {"en": dict(zip(ENGLISH, ENGLISH, strict=True))}
WORDS["de"] = dict(zip(ENGLISH, GERMAN, strict=True))


def fighters(league: League, language: str) -> tuple[Person, Person]:
    """Return two people in a duel who read a language, and have read all letters."""
    people = duel(league)
    for person in people:
        person.ask(f"LANGUAGE {language}", person.last_about("Welcome"))
    return people


@pytest.mark.parametrize("language", WORDS)
def test_a_doctrine_is_tapped_in_the_first_report(league: League, language: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, side, ship in ((ann, "cartel", "Angela 313B"), (bob, "alliance", "Rus 133-B")):
        person.join()
        person.ask(f"LANGUAGE {language}")
        name = f"{person.name}ie"
        person.ask(f"ENLIST {name} FOR {side} WEAPONS 12 PILOTING 12 SENSORS 12 SHIP {ship}")
    ann.ask("CHALLENGE Bobie WITH Annie")
    bob.new()
    bob.reply("ACCEPT 1")
    [report] = bob.new()
    doctrine = {"en": "STANDING sound", "de": "DAUERBEFEHLE solide"}[language]
    tap(bob, report, doctrine)
    bob.new()
    filed = lines(Session(league.store, league.game).sheet(Seat("Bobie")))
    assert filed[0] == "IF UNDETECTED: SCAN"


@pytest.mark.parametrize("language", WORDS)
def test_a_draw_and_then_a_rematch_are_tapped(league: League, language: str) -> None:
    ann, bob = fighters(league, language)
    said = WORDS[language]
    ann.reply("DRAW 1")
    [offer] = bob.new()
    tap(bob, offer, f"{said['DRAW']} 1")
    final = bob.new()[-1]
    assert not league.game.running
    tap(bob, final, f"{said['REMATCH']} 1")
    bob.new()
    [challenge] = league.store.all(
        Offer.select().where(Offer.patrol == False, Offer.state == "open").order_by(Offer.id)
    )
    assert challenge.id == 2


@pytest.mark.parametrize("language", WORDS)
def test_block_stops_letters(league: League, language: str) -> None:
    ann, bob = fighters(league, language)
    said = WORDS[language]
    ann.ask("TELL Kestrel\nA fair wind to you.")
    [letter] = bob.new()
    tap(bob, letter, f"{said['BLOCK']} Ann Example")
    bob.new()
    ann.ask("TELL Kestrel\nAnother word.")
    assert bob.new() == []


@pytest.mark.parametrize("language", WORDS)
def test_the_last_word_of_who_leaves_is_tapped(league: League, ann: Person, language: str) -> None:
    ann.ask(f"LANGUAGE {language}")
    leaving = ann.ask("LEAVE LEAGUE")
    tap(ann, leaving, {"en": "LEAVE LEAGUE", "de": "LIGA VERLASSEN"}[language])
    ann.new()
    assert players.at(league.store, ann.address) is None


@pytest.mark.parametrize("language", WORDS)
def test_a_battle_is_watched_by_a_tap(league: League, language: str) -> None:
    duel(league)
    cat = league.person("Cat")
    cat.join()
    cat.ask(f"LANGUAGE {language}")
    tap(cat, cat.ask("GAMES"), f"{WORDS[language]['WATCH']} 1")
    cat.new()
    assert league.store.count(Watch.select()) == 1


@pytest.mark.parametrize("language", WORDS)
def test_each_topic_of_the_rules_is_tapped(league: League, ann: Person, language: str) -> None:
    ann.ask(f"LANGUAGE {language}")
    page, word = ann.ask("RULES starpilot"), WORDS[language]["RULES"]
    topics = [body for body in links(page) if body.startswith(f"{word} starpilot ")]
    pages = []
    for topic in topics:
        tap(ann, page, topic)
        [answer] = ann.new()
        assert topic in words(answer)
        pages.append(words(answer))
        league.later(1)
    assert len(topics) >= 9
    assert len(set(pages)) == len(pages)


@pytest.mark.parametrize("language", WORDS)
def test_a_move_to_another_address_is_undone_by_a_tap(league: League, language: str) -> None:
    ann, nan = league.person("Ann"), league.person("Nan")
    ann.join()
    key = ann.key
    ann.ask(f"LANGUAGE {language}")
    ann.ask(f"KEY {key}\nADDRESS {NEW}")
    nan.reply("Yes.", nan.new()[-1])
    nan.new()
    [letter] = ann.new()
    tap(ann, letter, WORDS[language]["UNDO"])
    ann.new()
    [player] = league.store.all(Player.select().order_by(Player.id))
    assert player.address == ann.address


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.league(authentication={"server": MX, "failed": "hold"})
def test_a_doubted_letter_is_confirmed_by_a_tap(language: str, league: League) -> None:
    _, bob = fighters(league, language)
    [(_, asked)] = come(league, forged(bob, "STATUS"))
    held = league.last_letter().id
    assert league.store.get(Letter, held).state == "held"
    tap(bob, asked, WORDS[language]["YES"])
    league.work()
    assert league.store.get(Letter, held).state == "answered"
