"""STATUS, GAMES and STANDINGS: one's own, the nearest and the best, and how to see more."""

import json

import pytest

from engine.names import fold
from pbem.people import personas
from pbem.storage import Offer, Player, Watch
from tests.support.harness import League, Person, duel
from tests.support.link_taps import links, tap
from tests.support.players import plain, words


def crowd(league: League, count: int, first: int = 0) -> None:
    """Add players with a pilot each, the later ones with more points and of two sides by turns."""
    hawk, kestrel = (personas.named(league.store, name) for name in ("Hawk", "Kestrel"))
    assert hawk is not None
    assert kestrel is not None
    for n in range(first, first + count):
        name = f"Crowd {n}"
        known = {"folded": fold(name), "skeleton": fold(name), "confirmed": True}
        player = league.store.create(
            Player,
            name=name,
            address=f"c{n}@home.example",
            joined=league.now,
            heard=league.now,
            **known,
        )
        like, pilot = (hawk, kestrel)[n % 2], f"Wing {n:03}"
        personas.add(
            league.store,
            player=player.id,
            system=like.system,
            name=pilot,
            folded=fold(pilot),
            side=like.side,
            record=json.dumps(json.loads(like.record) | {"hp_total": 10 + n}),
            joined=league.now,
        )


def asked(person: Person, text: str) -> str:
    person.new()
    return plain(person.ask(text, person.last_about("Welcome")))


def test_letters_do_not_grow_with_the_league(league: League) -> None:
    ann, _ = duel(league)
    orders = ("STATUS", "STANDINGS", "GAMES", "STATUS all")
    crowd(league, 60)
    few = {order: len(asked(ann, order)) for order in orders}
    crowd(league, 200, 60)
    for order in orders:
        assert len(asked(ann, order)) < few[order] + 200, order


def test_standings_show_the_top_the_own_and_those_around(league: League) -> None:
    ann, _ = duel(league)
    crowd(league, 30)
    text = words(ann.ask("STANDINGS", ann.last_about("Welcome")))
    assert "Place 10: Pilot Wing 020" in text
    assert "Place 11: Pilot" not in text
    assert "YOUR OWN - Place 31: Pilot Hawk" in text
    assert "AROUND YOUR OWN - Place 29: Pilot Wing 001" in text
    fifty = words(ann.ask("STANDINGS 50", ann.last_about("Welcome")))
    assert "Place 29: Pilot Wing 001" in fifty
    part = words(ann.ask("STANDINGS 21 TO 22", ann.last_about("Welcome")))
    listed = part.partition("CAREERS")[2].partition("HOW THE SIDES")[0]
    assert "Place 21: Pilot Wing 009" in listed
    assert "Place 20:" not in listed
    assert "Place 23:" not in listed
    assert "22 comes after 21" in words(ann.ask("STANDINGS 22 TO 21", ann.last_about("Welcome")))


@pytest.mark.parametrize(
    ("language", "order", "wrong"),
    [("en", "STANDINGS alliance", "STANDINGS empire"), ("de", "RANGLISTE Allianz", "RANGLISTE X")],
)
def test_standings_of_a_side(league: League, language: str, order: str, wrong: str) -> None:
    ann, _ = duel(league)
    crowd(league, 6)
    ann.ask(f"LANGUAGE {language}", ann.last_about("Welcome"))
    text = words(ann.ask(order, ann.last_about("Welcome")))
    listed = text.partition("CAREERS" if language == "en" else "LAUFBAHNEN")[2]
    assert "Wing 005" in listed
    assert "Wing 004" not in listed.partition("Wing 001")[0]
    refused = words(ann.ask(wrong, ann.last_about("Welcome")))
    assert ("nobody fights for" if language == "en" else "Niemand kämpft") in refused


def test_whom_one_may_challenge_can_be_tapped(league: League) -> None:
    ann, _ = duel(league)
    crowd(league, 4)
    ann.ask("ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B")
    letter = ann.ask("STATUS", ann.last_about("Welcome"))
    assert {"STATUS ALL", "GAMES", "STANDINGS"} <= {*links(letter)}
    tap(ann, letter, "CHALLENGE Wing 001 WITH Falcon")
    ann.new()
    assert (
        league.store.count(Offer.select().where(Offer.patrol == False, Offer.state == "open")) == 1
    )


def test_status_has_answers_to_tap(league: League) -> None:
    ann, bob = duel(league)
    for person, pilot in ((ann, "Falcon FOR federation"), (bob, "Merlin FOR federation")):
        ship = "SHIP Clipus XIII-B"
        person.ask(f"ENLIST {pilot} WEAPONS 12 PILOTING 12 SENSORS 12 {ship}")
    bob.ask("ENLIST Finch FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    ann.ask("CHALLENGE Finch WITH Falcon")
    bob.new()
    letter = bob.ask("STATUS", bob.last_about("Welcome"))
    assert {"ACCEPT 2", "DECLINE 2"} <= {*links(letter)}
    mine = ann.ask("STATUS", ann.last_about("Welcome"))
    assert "WITHDRAW 2" in links(mine)
    tap(bob, letter, "ACCEPT 2")
    [report] = bob.new()
    assert "Falcon against Finch" in report["Subject"]


@pytest.mark.parametrize(
    ("language", "games", "watch"), [("en", "GAMES", "WATCH 1"), ("de", "PARTIEN", "BEOBACHTEN 1")]
)
def test_games_lists_the_battles_of_others(
    league: League, language: str, games: str, watch: str
) -> None:
    ann, _ = duel(league)
    cat = league.person("Cat")
    cat.join()
    cat.ask(f"LANGUAGE {language}")
    letter = cat.ask(games)
    text = words(letter)
    assert ("Hawk against Kestrel" if language == "en" else "Hawk gegen Kestrel") in text
    assert ("nobody has the Advantage" in text) == (language == "en")
    tap(cat, letter, watch)
    cat.new()
    assert league.store.count(Watch.select()) == 1
    assert watch not in links(cat.ask(games))
    own = words(ann.ask("GAMES", ann.last_about("Welcome")))
    assert "Nobody else is fighting" in own


def test_games_lists_open_challenges_that_can_be_taken_by_a_tap(league: League) -> None:
    ann, _ = duel(league)
    cat = league.person("Cat")
    cat.join()
    cat.ask("ENLIST Finch FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    ann.ask(
        "ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B",
        ann.last_about("Welcome"),
    )
    ann.ask("CHALLENGE ANYBODY WITH Falcon", ann.last_about("Welcome"))
    letter = cat.ask("GAMES")
    tap(cat, letter, "ACCEPT 2 WITH Finch")
    [report] = cat.new()
    assert "Falcon against Finch" in report["Subject"]
    assert "ACCEPT 2" not in words(cat.ask("GAMES", cat.last_about("Welcome")))


def test_a_dead_pilot_looks_for_no_opponent(league: League) -> None:
    ann, cat = league.person("Ann"), league.person("Cat")
    ann.join()
    cat.join()
    ann.ask("ENLIST Falcon FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B")
    ann.ask("CHALLENGE ANYBODY WITH Falcon")
    assert "Falcon of Ann Example" in words(cat.ask("GAMES"))
    row = personas.named(league.store, "Falcon")
    assert row is not None
    dead = json.dumps(json.loads(row.record) | {"dead": True})
    personas.set_record(league.store, row, dead)
    assert "Falcon" not in words(cat.ask("GAMES"))
    # Nor does it stand in its own player's way; an UNDO would bring it back.
    assert "challenges anybody" not in words(ann.ask("STATUS"))
    personas.set_record(league.store, row, row.record)
    assert "challenges anybody" in words(ann.ask("STATUS"))
