"""Cheating as a player: farming, endorsing each other, and losing a rival's place for it."""

import pytest

from pbem.games.cheat_detection import findings
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.rebuild import rebuild
from pbem.storage import Entry, Game, Offer, Place
from tests.support.harness import League, Person
from tests.support.players import HAWK, KESTREL, words

FALCON = "ENLIST Falcon FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
OTHERS = "ENLIST {name} FOR alliance WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Rus 133-B"


def joined(league: League, name: str, pilot: str) -> Person:
    person = league.person(name)
    person.join()
    person.ask(pilot)
    return person


def farm(league: League, ann: Person, bob: Person) -> str:
    """Play a duel that ends at once; return what the challenge's letter said."""
    ann.reply("CHALLENGE Kestrel WITH Hawk FIRST me", ann.last_about("Welcome"))
    bob.new()
    text = words(bob.last)
    number = words(bob.last).split("ACCEPT ")[1].split()[0]
    bob.reply(f"ACCEPT {number}", bob.last_about("Welcome"))
    league.work()
    by_shell(league.service.ports, f"DRAW {league.game.id}", league.now)
    league.work()
    return text


def test_hostile_farming_only_two_battles_of_a_pair_count_on_a_day(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    found = [farm(league, ann, bob) for _ in range(4)]
    assert [game.friendly for game in league.store.all(Game.select().order_by(Game.id))] == [
        False,
        False,
        True,
        True,
    ]
    assert ["what begins beyond them is friendly" in one for one in found] == [
        False,
        False,
        True,
        True,
    ]
    counted = {
        entry.game_id
        for entry in league.store.all(Entry.select().order_by(Entry.id))
        if entry.game_id
    }
    assert counted <= {1, 2}
    assert "is a friendly one" in words(bob.last_about("[G3-T1"))
    assert "friendly battle" in words(ann.last_about("[G4-"))
    with pytest.raises(Refusal, match="leaves nothing in anybody's career"):
        by_shell(league.service.ports, "MAJOR 3", league.now)
    assert not league.store.all(Entry.select().where(Entry.game == 3).order_by(Entry.id))
    league.later(24)
    assert "friendly" not in farm(league, ann, bob)
    assert not league.game.friendly
    league.service.ports.store.close()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_hostile_farming_a_patrol_meets_nobody_too_often(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    for _ in range(2):
        farm(league, ann, bob)
    ann.ask("PATROL WITH Hawk", ann.last_about("Welcome"))
    bob.reply("PATROL WITH Kestrel", bob.last_about("Welcome"))
    league.work()
    assert league.store.count(Game.select()) == 2
    assert (
        league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "open")) == 2
    )


def test_hostile_farming_who_fought_the_pilot_that_day_may_not_endorse(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    cat = joined(league, "Cat", FALCON)
    farm(league, ann, bob)
    cat.ask("NOMINATE Hawk IN 1\nIt flew as nobody had flown before.")
    assert "may not endorse" in words(bob.ask("ENDORSE 1", bob.last_about("Welcome")))
    league.later(48)
    assert "may not endorse" in words(bob.ask("ENDORSE 1", bob.last_about("Welcome")))
    dan = joined(league, "Dan", OTHERS.format(name="Merlin"))
    assert "has 1 of 2" in words(dan.ask("ENDORSE 1"))


def test_hostile_farming_a_rival_s_friend_takes_no_place_over(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    cat = joined(league, "Cat", FALCON)
    dan = joined(league, "Dan", OTHERS.format(name="Merlin"))
    cat.ask("CHALLENGE Kestrel WITH Falcon")
    bob.new()
    bob.reply("ACCEPT 1")
    league.work()
    league.rule("DRAW 1")
    league.work()
    farm_open(league, ann, bob)
    assert "somebody else must take Hawk over" in words(
        cat.ask("TAKEOVER 2", cat.last_about("Welcome"))
    )
    assert (
        league.store.first(
            Place.select().where(Place.game == 2, Place.seat == "Hawk", Place.player == 1)
        )
        is not None
    )
    dan.reply("TAKEOVER 2", dan.last_about("Welcome"))
    league.work()
    assert (
        league.store.first(
            Place.select().where(Place.game == 2, Place.seat == "Hawk", Place.player == 1)
        )
        is None
    )


def farm_open(league: League, ann: Person, bob: Person) -> None:
    """Begin a duel of Ann and Bob, in which Ann's place falls open."""
    ann.reply("CHALLENGE Kestrel WITH Hawk FIRST me", ann.last_about("Welcome"))
    bob.new()
    bob.reply("ACCEPT 2")
    league.work()
    league.rule("OPEN 2 Hawk")
    league.work()


def test_hostile_farming_the_audit_tells_of_a_pair_and_of_no_other(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    joined(league, "Cat", FALCON)
    assert findings(league.store, league.now) == []
    for _ in range(5):
        farm(league, ann, bob)
    [found] = findings(league.store, league.now)
    assert found.pair == (1, 2)
    assert "they met 5 times in 30 days, of 5 and 5 battles" in str(found.text)
    assert "3 did not count" in str(found.text)


def test_hostile_farming_the_audit_compares_no_letters(league: League) -> None:
    for name, host in (("Ann", "203.0.113.7"), ("Bob", "203.0.113.7"), ("Cat", "203.0.113.9")):
        person = joined(league, name, "STATUS")
        raw = person.reply("STATUS", person.last_about("Welcome")).as_bytes()
        league.drop(
            f"Received: from home ([{host}]) by mx; Mon, 2 Nov 2026 12:00:00 +0000\n".encode()
            + raw.replace(b"Message-ID: <", b"Message-ID: <once.")
        )
        league.work()
    assert findings(league.store, league.now) == [], "what a letter looks like profiles its writer"


@pytest.mark.league(moderator="mona@league.example")
def test_hostile_farming_the_daily_letter_tells_of_a_pair_once(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    for _ in range(5):
        farm(league, ann, bob)
    for _ in range(3):
        league.later(24)
        league.work()
    found = [words(one) for one in league.person("Mona").letters]
    assert sum("they met 5 times" in one for one in found) == 1
