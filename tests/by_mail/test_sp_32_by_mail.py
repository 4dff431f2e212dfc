"""Who is out of a team battle that goes on is free for others (SP-25, SP-31, SP-32)."""

import json
from pathlib import Path

import pytest

from engine.codec import change
from engine.starpilot.model import Battle
from pbem.games.persona_rules import piece_of
from pbem.games.session import Session
from pbem.handlers.accounts.leaving import erase
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.people import personas, players
from pbem.storage import Game, Offer, Place, stored_games
from tests.support.harness import League, Person, fixed_entropy, open_league
from tests.support.players import words
from tests.support.team_battles import CHALLENGE, Melee, give_orders, melee, standing

OWL = "ENLIST Owl FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"
HERON = "ENLIST Heron FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
YIELD = f"FOR Merlin\nSURRENDER Falcon\nFOR Kestrel\n{standing('Hawk', 'Falcon')}"

pytestmark = pytest.mark.league(entropy=fixed_entropy)


def record(league: League, name: str) -> dict[str, object]:
    """The career log's view of a pilot."""
    row = personas.named(league.store, name)
    assert row is not None
    return piece_of(row).record


def merlin_yields(league: League) -> Melee:
    """Surrender with Merlin in a battle that goes on."""
    people = melee(league)
    for person in (people.ann, people.cleo):
        person.reply(standing("Kestrel", "Merlin"))
    people.bob.reply(YIELD)
    people.work()
    assert league.store.get(Game, 1).running
    return people


def is_bound(league: League, name: str) -> bool:
    """Whether a running game binds a pilot."""
    row = personas.named(league.store, name)
    assert row is not None
    return stored_games.is_fighting(league.store, row.id)


def place_of(league: League, game: int, seat: str) -> Place:
    """A pilot's place in a game."""
    place = league.store.first(Place.select().where(Place.game == game, Place.seat == seat))
    assert place is not None
    return place


def shots_fall(league: League) -> Melee:
    """Bring three people into a team battle that goes on, and in which a shot has succeeded."""
    people = melee(league)
    give_orders(people)
    people.work()
    while not Session(league.store, league.game).state.fought:
        for person in people:
            person.reply("READY 1")
        people.work()
    assert league.game.running
    return people


def owl_meets_merlin(league: League, people: Melee) -> Person:
    """Bring one more player, and Merlin into a duel with that player's Owl on the next day."""
    dan = league.person("Dan")
    dan.join()
    dan.ask(OWL)
    assert "is a prisoner" in words(people.bob.ask("CHALLENGE Owl WITH Merlin"))
    league.later(24)
    people.bob.ask("CHALLENGE Owl WITH Merlin")
    dan.new()
    dan.reply("ACCEPT")
    people.work()
    assert [
        place.game_id
        for place in league.store.all(
            Place.select().where(Place.seat == "Merlin").order_by(Place.id)
        )
    ] == [1, 2]
    return dan


def test_sp_32_a_prisoner_fights_elsewhere_and_both_battles_are_booked(league: League) -> None:
    people = merlin_yields(league)
    held = record(league, "Merlin")["held"]
    owl_meets_merlin(league, people)
    with pytest.raises(Refusal, match="Merlin has fought elsewhere since it left"):
        league.rule("UNDO 1 TO 0")
    game = league.store.get(Game, 2)
    session = Session(league.store, game)
    fought: Battle = session.state
    merlin = change(fought.pilots["Merlin"], fate="killed", hp=10)
    session.state = change(fought, fought=True, pilots=fought.pilots | {"Merlin": merlin})
    session.save()
    league.rule("DRAW 2")
    assert record(league, "Merlin")["missions"] == 1
    assert record(league, "Merlin")["dead"]
    session = Session(league.store, league.store.get(Game, 1))
    session.state = change(session.state, fought=True)
    session.save()
    league.rule("DRAW 1")
    after = record(league, "Merlin")
    assert (after["missions"], after["hp"], after["hp_total"]) == (1, 0, 10)
    assert (after["dead"], after["held"]) == (True, held)
    assert record(league, "Kestrel")["missions"] == 1


def test_sp_32_undo_takes_a_pilot_back_that_fought_nowhere_else(league: League) -> None:
    people = merlin_yields(league)
    row = personas.named(league.store, "Merlin")
    assert row is not None
    assert not stored_games.is_fighting(league.store, row.id)
    assert record(league, "Merlin")["held"]
    league.later(24)
    assert "on patrol" in words(people.bob.ask("PATROL WITH Merlin"))
    league.rule("UNDO 1 TO 0")
    assert stored_games.is_fighting(league.store, row.id)
    assert record(league, "Merlin")["held"] == ""
    assert (
        league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "open")) == 0
    )
    assert "Merlin is in a game already" in words(people.bob.ask("PATROL WITH Merlin"))


def test_sp_32_practice_elsewhere_bars_no_undo(league: League) -> None:
    people = merlin_yields(league)
    league.later(24)
    people.bob.ask("PRACTICE WITH Merlin")
    assert [
        place.game_id
        for place in league.store.all(
            Place.select().where(Place.seat == "Merlin").order_by(Place.id)
        )
    ] == [1, 2]
    league.rule("UNDO 1 TO 0")
    assert is_bound(league, "Merlin")


def test_sp_32_an_end_is_taken_back_though_who_had_left_fought_elsewhere(league: League) -> None:
    people = merlin_yields(league)
    orders = [orders for orders, _ in league.orders()]
    yielded = next(n for n, text in enumerate(orders, 1) if "SURRENDER" in text)
    owl_meets_merlin(league, people)
    league.rule("DRAW 2")
    # What Merlin did before the end of game 1 was no consequence of that end.
    league.later(1)
    league.rule("DRAW 1")
    league.rule(f"UNDO 1 TO {yielded}")
    assert league.store.get(Game, 1).running
    assert not is_bound(league, "Merlin")


def test_sp_25_who_names_a_captor_leaves_at_once_and_is_asked_for_nothing(league: League) -> None:
    people = merlin_yields(league)
    fought: Battle = Session(league.store, league.game).state
    assert fought.pilots["Merlin"].fate == "surrendered"
    assert fought.pilots["Kestrel"].fate == "active"
    assert "Merlin gives up, a prisoner of Falcon" in words(people.cleo.last)
    assert not place_of(league, 1, "Merlin").asked
    # A letter in reply to the battle's report means that battle, also once there is another.
    owl_meets_merlin(league, people)
    report = people.bob.last_about("[G1-T2")
    assert "Merlin is out of game 1" in people.bob.ask("FOR Merlin\nSCAN", to=report)["Subject"]
    welcome = people.bob.last_about("Welcome")
    assert "[G2-T1" in people.bob.ask("FOR Merlin\nSCAN", to=welcome)["Subject"]


def test_sp_31_the_mission_of_who_left_is_booked_when_the_battle_ends(
    tmp_path: Path, books: str
) -> None:
    """The whole path, in each kind of database, and made again from its letters."""
    with open_league(tmp_path, entropy=fixed_entropy, url=books, turns_per_letter=8) as league:
        people = shots_fall(league)
        by_shell(league.service.ports, "FORFEIT 1 Merlin", league.now)
        assert record(league, "Merlin").get("missions", 0) == 0
        owl_meets_merlin(league, people)
        place = place_of(league, 1, "Merlin")
        assert place.left is not None
        assert place.unbound
        assert is_bound(league, "Merlin")
        assert list(fsck.check(league.store)) == []
        by_shell(league.service.ports, "DRAW 2", league.now)
        assert record(league, "Merlin").get("missions", 0) == 0
        with pytest.raises(Refusal, match="Merlin has fought elsewhere since it left"):
            league.rule("UNDO 1 TO 0")
        by_shell(league.service.ports, "DRAW 1", league.now)
        after = record(league, "Merlin")
        assert (after["missions"], after["fought"]) == (1, "2026-11-03")
        assert list(fsck.check(league.store)) == []
        assert rebuild(league.settings, tmp_path / "new.db") == []


def test_sp_32_a_surrender_in_a_friendly_battle_makes_no_prisoner(tmp_path: Path) -> None:
    limits = {"duels_a_day": 1}
    with open_league(tmp_path, entropy=fixed_entropy, limits=limits) as league:
        people = melee(league)
        by_shell(league.service.ports, "DRAW 1", league.now)
        people.work()
        people.ann.ask(CHALLENGE)
        people.work()
        people.bob.ask("ACCEPT 2")
        people.cleo.reply("ACCEPT 2")
        people.work()
        assert league.game.friendly
        before = record(league, "Merlin")
        people.bob.reply(YIELD)
        for person in (people.ann, people.cleo):
            person.reply(standing("Kestrel", "Merlin"))
        people.work()
        assert league.game.running
        assert Session(league.store, league.game).state.pilots["Merlin"].fate == "surrendered"
        assert record(league, "Merlin") == before
        assert not is_bound(league, "Merlin")
        assert "on patrol" in words(people.bob.ask("PATROL WITH Merlin"))
        by_shell(league.service.ports, "UNDO 2 TO 0", league.now)
        assert is_bound(league, "Merlin")
        assert (
            league.store.count(Offer.select().where(Offer.patrol == True, Offer.state == "open"))
            == 0
        )
        assert record(league, "Merlin") == before
        assert rebuild(league.settings, tmp_path / "new.db") == []


def test_sp_32_a_friendly_battle_elsewhere_bars_only_while_it_goes_on(tmp_path: Path) -> None:
    limits = {"duels_a_day": 1}
    with open_league(tmp_path, entropy=fixed_entropy, limits=limits) as league:
        people = merlin_yields(league)
        people.bob.ask(HERON)
        dan = league.person("Dan")
        dan.join()
        dan.ask(OWL)
        league.later(24)

        def meet(name: str) -> None:
            people.bob.ask(f"CHALLENGE Owl WITH {name}")
            dan.new()
            dan.reply("ACCEPT")
            people.work()

        meet("Heron")
        league.rule("DRAW 2")
        meet("Merlin")
        assert (league.game.id, league.game.friendly) == (3, True)
        with pytest.raises(Refusal, match="Merlin has fought elsewhere since it left"):
            league.rule("UNDO 1 TO 0")
        league.rule("DRAW 3")
        meet("Merlin")
        # The end of a friendly battle binds nobody twice either.
        with pytest.raises(Refusal, match="has fought elsewhere since it left"):
            league.rule("UNDO 3 TO 0")
        league.rule("DRAW 4")
        league.rule("UNDO 1 TO 0")
        assert is_bound(league, "Merlin")
        with pytest.raises(Refusal, match="Merlin has fought elsewhere since it left"):
            league.rule("UNDO 3 TO 0")
        assert list(fsck.check(league.store)) == []


def test_sp_32_who_left_in_the_letter_that_ended_a_battle_is_free_once_it_goes_on(
    league: League,
) -> None:
    people = melee(league)
    for person in (people.ann, people.cleo):
        person.reply(standing("Kestrel", "Merlin"))
    people.bob.reply("FOR Merlin\nSURRENDER Falcon\nFOR Kestrel\nSURRENDER Hawk")
    people.work()
    assert not league.game.running
    assert place_of(league, 1, "Kestrel").left is None
    day = record(league, "Kestrel")["held"]
    orders = [orders for orders, _ in league.orders()]
    first = next(n for n, text in enumerate(orders) if "SURRENDER" in text)
    assert "Kestrel" in orders[first]
    league.later(48)
    league.rule(f"UNDO 1 TO {first}")
    assert league.game.running
    assert not is_bound(league, "Kestrel")
    assert is_bound(league, "Merlin")
    # A prisoner of the day of its surrender, and not of that of the ruling.
    assert record(league, "Kestrel")["held"] == day
    assert "on patrol" in words(people.bob.ask("PATROL WITH Kestrel"))


def test_sp_32_who_left_may_leave_the_league_and_is_booked_all_the_same(league: League) -> None:
    people = merlin_yields(league)
    league.rule("FORFEIT 1 Falcon")
    player = players.named(league.store, "Cleo Example")
    assert player is not None
    erase(league.service.ports, player, league.now)
    assert league.game.running
    with pytest.raises(Refusal, match="Falcon has resigned"):
        league.rule("UNDO 1 TO 0")
    league.rule("DRAW 1")
    people.work()
    assert record(league, "Falcon")["resigned"]
    assert record(league, "Falcon")["hp"] == 0
    assert list(fsck.check(league.store)) == []


def test_sp_32_who_is_out_may_spend_while_others_fight_on(league: League) -> None:
    people = merlin_yields(league)
    row = personas.named(league.store, "Merlin")
    assert row is not None
    earned = json.dumps(json.loads(row.record) | {"hp": 30, "hp_total": 30})
    personas.set_record(league.store, row, earned)
    assert "in a battle" in words(people.bob.ask("SPEND 1 FOR Kestrel"))
    text = words(people.bob.ask("SPEND 1 FOR Merlin ON weapons 1 / shields"))
    assert "Merlin" in text
    assert "in a battle" not in text
    assert record(league, "Merlin")["hp"] == 20
    # What was spent stays spent when the battle is taken back.
    league.rule("UNDO 1 TO 0")
    assert is_bound(league, "Merlin")
    assert record(league, "Merlin")["hp"] == 20


def test_sp_32_nobody_takes_over_who_is_out(league: League) -> None:
    merlin_yields(league)
    with pytest.raises(Refusal, match="Merlin is out of game 1"):
        league.rule("OPEN 1 Merlin")
    league.rule("BAN Merlin")
    open_ = [
        place.seat
        for place in league.store.all(
            Place.select()
            .where(
                Place.vacant == True,
                Place.game.in_(Game.select(Game.id).where(Game.running == True)),
            )
            .order_by(Place.id)
        )
    ]
    assert open_ == ["Kestrel"]


def test_sp_32_fsck_finds_a_pilot_that_two_games_bind(league: League) -> None:
    people = merlin_yields(league)
    owl_meets_merlin(league, people)
    place = place_of(league, 1, "Merlin")
    stored_games.change_place(league.store, place.id, left=None)
    found = [fault.text for fault in fsck.check(league.store)]
    assert found == [
        "Merlin has left it and has no record of before that, or the reverse",
        "it is in 2 games at once: [1, 2]",
    ]
