"""What the audit shows of two accounts of one person."""

import pytest

from pbem.games.cheat_detection import findings, news
from pbem.handlers.request import Refusal
from pbem.storage import Endorsement, Nomination, Player
from tests.support.harness import League, Person
from tests.support.players import HAWK, KESTREL, address_of, words

FALCON = "ENLIST Falcon FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
MERLIN = "ENLIST Merlin FOR alliance WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Rus 133-B"

pytestmark = pytest.mark.league(moderator=address_of("Mona"))


def joined(league: League, name: str, *orders: str) -> Person:
    person = league.person(name)
    person.join()
    for order in orders:
        person.ask(order)
    return person


def met(league: League, ann: Person, bob: Person, ruling: str) -> None:
    """Play a battle of Ann's Hawk and Bob's Kestrel that a ruling ends."""
    ann.reply("CHALLENGE Kestrel WITH Hawk FIRST me", ann.last_about("Welcome"))
    bob.new()
    number = words(bob.last).split("ACCEPT ")[1].split()[0]
    bob.reply(f"ACCEPT {number}", bob.last_about("Welcome"))
    league.work()
    league.rule(ruling.format(league.game.id))
    league.work()


def by_pair(league: League) -> dict[tuple[int, int], str]:
    return {one.pair: str(one.text) for one in findings(league.store, league.now)}


def test_hostile_farming_the_audit_tells_of_one_sided_results(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    for _ in range(5):
        met(league, ann, bob, "FORFEIT {} Kestrel")
        league.later(25)
    assert "Ann Example won 5 of them and lost 0" in by_pair(league)[1, 2]
    league.work()
    letters = [words(one) for one in league.person("Mona").letters]
    assert sum("they met" in one for one in letters) == 1
    assert sum("says more of this (and of 0 more)" in one for one in letters) == 1
    assert news(league.store, league.now) == []


def test_hostile_farming_the_audit_tells_of_no_even_pair(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    for n in range(4):
        met(league, ann, bob, f"FORFEIT {{}} {('Hawk', 'Kestrel')[n % 2]}")
        league.later(25)
    assert "won" not in by_pair(league)[1, 2]


def test_hostile_farming_the_audit_tells_of_favours(league: League) -> None:
    for name, order in (("Ann", HAWK), ("Bob", KESTREL), ("Cat", FALCON)):
        joined(league, name, order)
    ann, bob = league.person("Ann"), league.person("Bob")
    met(league, ann, bob, "DRAW {}")
    met(league, ann, bob, "DRAW {}")
    store = league.store
    for game, (by, persona) in ((1, (1, 2)), (2, (2, 1))):
        store.run(
            Nomination.insert(
                game=game, persona=persona, player=by, citation="", state="open", made=league.now
            )
        )
    assert "spoke for each other's medals (number of times: 1 and 1)" in by_pair(league)[1, 2]
    store.run(Nomination.update(persona=3, player=3).where(Nomination.player == 2))
    assert by_pair(league) == {}
    for game in (1, 2):
        store.run(
            Nomination.insert(
                game=game, persona=3, player=2, citation="", state="open", made=league.now
            )
        )
    assert by_pair(league) == {}
    store.run(Endorsement.insert(nomination=2, player=2, made=league.now))
    assert "Bob Example spoke 3 times for medals of Cat Example" in by_pair(league)[2, 3]
    store.run(
        Nomination.insert(game=1, persona=1, player=2, citation="", state="open", made=league.now)
    )
    assert "spoke 3 times" not in str(by_pair(league)), "Bob speaks for Ann too"


def test_hostile_farming_the_audit_tells_of_places_taken_over_to_lose_them(league: League) -> None:
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    dan = joined(league, "Dan", MERLIN)
    for n in (1, 2):
        ann.reply("CHALLENGE Kestrel WITH Hawk FIRST me", ann.last_about("Welcome"))
        bob.new()
        bob.reply(f"ACCEPT {n}")
        league.work()
        league.rule(f"OPEN {n} Hawk")
        league.work()
        dan.reply(f"TAKEOVER {n}", dan.last_about("Welcome"))
        league.work()
        league.rule(f"FORFEIT {n} Hawk")
        league.work()
        if n == 1:
            assert (2, 3) not in by_pair(league)
        league.later(8 * 24)
    line = by_pair(league)[2, 3]
    assert "took places over against Bob Example and lost with them: 2 in all" in line


def test_hostile_farming_the_audit_tells_of_a_shared_mailbox(league: League) -> None:
    joined(league, "Ann", HAWK)
    joined(league, "Bob", KESTREL)
    joined(league, "Cat", FALCON)
    league.store.run(Player.update(address="ann+b@league.example").where(Player.id == 2))
    assert "addresses of both lead to one mailbox" in by_pair(league)[1, 2]
    assert set(by_pair(league)) == {(1, 2)}


def test_hostile_farming_the_moderator_asks_for_the_audit_by_mail(league: League) -> None:
    mona = joined(league, "Mona")
    ann, bob = joined(league, "Ann", HAWK), joined(league, "Bob", KESTREL)
    assert "the audit has found nothing" in words(mona.ask(f"GM AUDIT\nKEY {mona.key}"))
    for _ in range(4):
        met(league, ann, bob, "DRAW {}")
    answer = words(mona.ask(f"GM AUDIT\nKEY {mona.key}"))
    assert "Ann Example (2) and Bob Example (3): they met 4 times in 30 days" in answer
    refused = words(ann.ask(f"GM AUDIT\nKEY {ann.key}"))
    assert "for the league's moderator" in refused
    assert "they met" not in refused
    assert "they met 4 times" in league.rule("AUDIT")
    with pytest.raises(Refusal):
        league.rule("AUDIT 12 13")
