"""Who is out of a team battle that goes on is free for others (SP-25, SP-31, SP-32)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.codec import change
from engine.starpilot.model import Battle
from pbem.games.session import Session, piece_of
from pbem.league.visit import Refusal
from tests.house import House, Person, fixed_entropy, open_house
from tests.melee import Melee, melee, standing
from tests.players import words

OWL = "ENLIST Owl FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, entropy=fixed_entropy) as one:
        yield one


def record(house: House, name: str) -> dict[str, object]:
    """What the books say of a pilot."""
    row = house.store.persona_named(name)
    assert row is not None
    return piece_of(row).record


def merlin_yields(house: House) -> Melee:
    """Let Merlin surrender in a battle that goes on."""
    people = melee(house)
    for person in (people.ann, people.cleo):
        person.reply(standing("Kestrel", "Merlin"))
    people.bob.reply(f"FOR Merlin\nSURRENDER Falcon\nFOR Kestrel\n{standing('Hawk', 'Falcon')}")
    people.work()
    assert house.store.games.get(1).running
    return people


def owl_meets_merlin(house: House, people: Melee) -> Person:
    """Bring one more player, and Merlin into a duel with that player's Owl on the next day."""
    dan = house.person("Dan")
    dan.join()
    dan.ask(OWL)
    assert "is a prisoner" in words(people.bob.ask("CHALLENGE Owl WITH Merlin"))
    house.later(24)
    people.bob.ask("CHALLENGE Owl WITH Merlin")
    dan.new()
    dan.reply("ACCEPT")
    people.work()
    assert [place.game_id for place in house.store.places.all(seat="Merlin")] == [1, 2]
    return dan


def test_sp_32_a_prisoner_fights_elsewhere_and_both_battles_are_booked(house: House) -> None:
    people = merlin_yields(house)
    held = record(house, "Merlin")["held"]
    owl_meets_merlin(house, people)
    with pytest.raises(Refusal, match="Merlin has fought elsewhere since it left"):
        house.rule("UNDO 1 TO 0")
    game = house.store.games.get(2)
    session = Session(house.store, game)
    fought: Battle = session.state
    merlin = change(fought.pilots["Merlin"], fate="killed", hp=10)
    session.state = change(fought, fought=True, pilots=fought.pilots | {"Merlin": merlin})
    session.save()
    house.rule("DRAW 2")
    assert record(house, "Merlin")["missions"] == 1
    assert record(house, "Merlin")["dead"]
    session = Session(house.store, house.store.games.get(1))
    session.state = change(session.state, fought=True)
    session.save()
    house.rule("DRAW 1")
    after = record(house, "Merlin")
    assert (after["missions"], after["hp"], after["hp_total"]) == (1, 0, 10)
    assert (after["dead"], after["held"]) == (True, held)
    assert record(house, "Kestrel")["missions"] == 1


def test_sp_32_undo_takes_a_pilot_back_that_fought_nowhere_else(house: House) -> None:
    people = merlin_yields(house)
    row = house.store.persona_named("Merlin")
    assert row is not None
    assert not house.store.is_fighting(row.id)
    assert record(house, "Merlin")["held"]
    house.later(24)
    assert "on patrol" in words(people.bob.ask("PATROL WITH Merlin"))
    house.rule("UNDO 1 TO 0")
    assert house.store.is_fighting(row.id)
    assert record(house, "Merlin")["held"] == ""
    assert house.store.patrols.count(state="open") == 0
    assert "Merlin is in a game already" in words(people.bob.ask("PATROL WITH Merlin"))
