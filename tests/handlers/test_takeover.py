"""The ladder after misses: warnings, a place declared open, TAKEOVER, reliability, the forfeit."""

from datetime import timedelta

import icalendar
import pytest

from pbem.games import punctuality
from pbem.games.punctuality import reliability
from pbem.handlers.accounts.leaving import erase
from pbem.people import personas, players
from pbem.storage import Entry, Game, Place, Player, Ruling, Turnout
from tests.support.harness import League, Person
from tests.support.players import PATIENT, STANDING, words

TURN = timedelta(hours=72)

pytestmark = pytest.mark.league(turns_per_letter=4)


@pytest.fixture
def cid(league: League, people: tuple[Person, Person]) -> Person:
    """Somebody else, who comes while Bob misses two deadlines, and Ann none."""
    ann, _bob = people
    cid = league.person("Cid")
    cid.join()
    for _ in range(2):
        ann.reply(PATIENT, ann.last_about(" 1: "))
        league.work()
        league.later(73)
        league.work()
    for person in people:
        person.new()
    return cid


def answered(person: Person, text: str) -> str:
    """Send an order, and return the letter that answers it."""
    person.new()
    written = person.reply(text)
    [answer] = [each for each in person.new() if each["In-Reply-To"] == written["Message-ID"]]
    return words(answer)


def vacant(league: League) -> list[str]:
    return [
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


def test_a_place_is_open_after_its_misses_and_all_are_told(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, bob = people
    assert vacant(league) == ["Kestrel"]
    assert "The player of Kestrel has been silent" in words(ann.last)
    assert "Your place is open" in words(bob.last)
    for order in ("STATUS", "GAMES"):
        assert "TAKEOVER 1 to lead Kestrel against Hawk" in answered(cid, order)


def test_who_takes_over_has_a_whole_turn_and_the_owner_keeps_the_career(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, bob = people
    league.later(30)
    cid.reply("TAKEOVER 1")
    moved, report, answer = cid.new()
    assert "you have taken Kestrel over" in words(answer)
    assert "Kestrel in game 1, StarPilot 3.1, is yours to lead" in words(moved)
    assert "YOUR MOVE" in words(report)
    assert league.game.deadline == league.now + TURN
    assert vacant(league) == []
    [letter] = ann.new()
    assert "from now on Cid Example leads Kestrel in game 1, StarPilot 3.1" in words(letter)
    [lost] = bob.new()
    assert "stays yours: what it wins" in words(lost)
    [file] = list(lost.iter_attachments())
    [event] = icalendar.Calendar.from_ical(file.get_content()).walk("VEVENT")
    assert event["STATUS"] == "CANCELLED"
    assert event["SEQUENCE"] == league.game.sequence
    bob.reply("FIRE", bob.last_about(" 1: "))
    league.work()
    assert "you are in no running game" in words(bob.last)
    cid.reply("SURRENDER", report)
    ann.reply("READY", ann.last_about(" 1: "))
    league.work()
    assert not league.game.running
    kestrel = personas.named(league.store, "Kestrel")
    assert kestrel is not None
    assert kestrel.player_id == players.named(league.store, "Bob Example").id  # type: ignore[union-attr]
    assert (
        league.store.count(Entry.select().where(Entry.persona == kestrel.id, Entry.game == 1)) > 0
    )
    assert "Kestrel" in bob.last["Subject"]
    assert "YOUR PILOT AFTER THIS BATTLE" not in words(cid.last)


def test_the_owner_may_come_back_until_somebody_took_over(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, bob = people
    bob.reply(PATIENT)
    league.work()
    assert vacant(league) == []
    assert "has written again, and keeps the place" in words(ann.last_about("is back"))
    assert "no such place in game 1 is open" in answered(cid, "TAKEOVER 1")


@pytest.mark.parametrize(
    ("order", "why"),
    [("TAKEOVER 9", "there is no game 9"), ("TAKEOVER 1 AS Hawk", "no such place in game 1")],
)
def test_what_is_no_open_place_is_refused(
    league: League, people: tuple[Person, Person], cid: Person, order: str, why: str
) -> None:
    assert why in answered(cid, order)


def test_who_has_a_part_in_the_game_takes_nothing_over(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, bob = people
    assert "you have a place in game 1 already" in answered(ann, "TAKEOVER 1")
    assert "Kestrel is yours still" in answered(bob, "TAKEOVER 1")
    cid.reply("TAKEOVER 1")
    league.work()
    league.rule("OPEN 1 hawk")
    assert "you have a place in game 1 already" in answered(bob, f"KEY {bob.key}\nTAKEOVER 1")


@pytest.mark.parametrize("order", ["STATUS", "NEW KEY"])
def test_who_has_led_one_side_never_leads_the_other(
    league: League, people: tuple[Person, Person], cid: Person, order: str
) -> None:
    """Not even where a new key has made void what was sent before."""
    dan = league.person("Dan")
    dan.join()
    cid.reply("TAKEOVER 1")
    league.work()
    league.rule("OPEN 1 Kestrel")
    dan.reply("TAKEOVER 1")
    league.work()
    assert vacant(league) == []
    league.rule("OPEN 1 Hawk")
    cid.ask(f"KEY {cid.key}\n{order}")
    assert "you have a place in game 1 already" in answered(cid, "TAKEOVER 1")


def test_the_moderator_opens_a_place(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    assert "the place of Hawk is open" in league.rule("OPEN 1 Hawk")
    assert vacant(league) == ["Hawk"]
    assert "declared your place in game 1" in words(ann.new()[-1])
    assert "the place of Hawk in game 1" in words(bob.new()[-1])
    assert [row.text for row in league.store.all(Ruling.select().order_by(Ruling.id))] == [
        "the place of Hawk is open"
    ]


def test_a_place_that_is_opened_once_more_is_told_once_more(
    league: League, people: tuple[Person, Person]
) -> None:
    _, bob = people
    bob.new()
    for _ in range(2):
        league.later(1)
        league.rule("OPEN 1 Kestrel")
        [letter] = bob.new()
        assert "declared your place in game 1" in words(letter)
        league.later(1)
        bob.ask("SCAN", bob.last_about(" 1: "))


def test_reliability_is_the_share_of_deadlines_met(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, _bob = people
    settings, figures = league.settings.league, {}
    for player in league.store.all(Player.select().order_by(Player.id)):
        figures[player.name[:3]] = reliability(league.store, settings, player.id)
    assert figures["Ann"] == {"met": 1, "asked": 1, "percent": 100}
    assert figures["Bob"] == {"met": 0, "asked": 2, "percent": 0}
    assert figures["Cid"] == {"met": 0, "asked": 0, "percent": None}
    assert "Kestrel of Bob Example (0 of 2 deadlines met, which is 0 %)" in answered(ann, "STATUS")
    assert "How reliable the player is: 0 of 2 deadlines met" in answered(ann, "SHEET Kestrel")
    assert "Your own reliability: 1 deadline met" in answered(ann, "STATUS")


def test_orders_that_lead_on_by_themselves_meet_the_deadline(
    league: League, people: tuple[Person, Person]
) -> None:
    for person in people:
        person.reply(STANDING.replace("SURRENDER", "SCAN"))
    league.work()
    league.later(73)
    league.work()
    assert (
        league.store.count(Turnout.select().where(Turnout.met == True))
        == league.store.count(Turnout.select())
        >= 4
    )


def test_two_who_are_silent_to_the_end_met_nothing(
    league: League, people: tuple[Person, Person]
) -> None:
    for _ in range(8):
        league.later(73)
        league.work()
    assert not league.game.running
    ann, bob = (
        punctuality.turnouts(league.store, [player.id], 20)[player.id]
        for player in league.store.all(Player.select().order_by(Player.id))
    )
    assert not any([*ann, *bob])
    assert len(ann) >= 2 <= len(bob)


def test_the_next_report_after_a_takeover_tells_no_step_twice(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    ann, _ = people
    cid.reply("TAKEOVER 1")
    _, report, _ = cid.new()
    assert "Step 0." in words(report)
    ann.reply("READY", ann.last_about(" 1: "))
    cid.reply(PATIENT, report)
    league.work()
    assert "Step 0." not in words(cid.last)
    assert "Step 0." not in words(ann.last)


def test_a_substitute_who_leaves_the_league_gives_the_pilot_back(
    league: League, people: tuple[Person, Person], cid: Person
) -> None:
    _, bob = people
    cid.reply("TAKEOVER 1")
    league.work()
    with league.store.transaction():
        gone = players.named(league.store, "Cid Example")
        assert gone is not None
        erase(league.service.ports, gone, league.now)
    assert league.game.running
    assert any("is yours to lead" in words(each) for each in bob.new())
    owner = players.named(league.store, "Bob Example")
    place = league.store.first(Place.select().where(Place.seat == "Kestrel").order_by(Place.id))
    assert owner is not None
    assert place is not None
    assert place.player_id == owner.id
