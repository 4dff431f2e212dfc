"""Letters whose lines a mail program wrapped, or that say different things in two forms."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness import House, Person, duel, open_house
from tests.players import letter, plain, reply, words

RULE = "IF NOT UNDETECTED AND STRUCTURE <= 1 AND ENEMY SHIELDS <= 2 AND NEUTRAL: SURRENDER"
LONG = "ENLIST Merlin the Old FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
SQUADRON = "SQUADRON Vultures WITH Red: 2 Black Tiger SKILL 2 1; Gold: 1 Gadfly SKILL 3 SPEED 8"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, systems=("starpilot", "blackskies")) as opened:
        yield opened


@pytest.fixture
def ann(house: House) -> Person:
    return duel(house)[0]


def wrapped(line: str, width: int) -> str:
    """Wrap as mail programs do: at the last space that fits."""
    rows = [""]
    for word in line.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return "\n".join(rows)


def sheet(house: House, seat: str) -> str:
    place = house.store.places.find(seat=seat)
    assert place is not None
    return json.dumps(json.loads(place.sheet))


@pytest.mark.parametrize("width", [70, 72, 76, 78])
def test_a_wrapped_rule_surrenders_nothing(house: House, ann: Person, width: int) -> None:
    ann.reply(f"SCAN\n{wrapped(RULE, width)}")
    house.work()
    assert "SURRENDER" in words(ann.last)
    held = json.loads(sheet(house, "Hawk"))
    assert '"queue": ["SCAN"]' in json.dumps(held)


def test_an_order_below_an_unfinished_rule_is_asked_about(house: House, ann: Person) -> None:
    ann.reply("SCAN\nIF NEAR AND HUNGRY:\nSURRENDER")
    house.work()
    assert '"queue": ["SCAN"]' in sheet(house, "Hawk")
    assert "IF NEAR AND HUNGRY: SURRENDER" in words(ann.last)


@pytest.mark.parametrize("width", [70, 72, 76, 78])
def test_a_wrapped_enlistment_is_whole(house: House, ann: Person, width: int) -> None:
    ann.write(f"{wrapped(LONG, width)}\nSTATUS\n\nKEY {ann.key}")
    house.work()
    assert house.store.persona_named("Merlin the Old") is not None


@pytest.mark.parametrize("width", [66, 70, 72, 76, 78])
def test_a_wrapped_squadron_has_the_speed_that_was_ordered(
    house: House, ann: Person, width: int
) -> None:
    ann.write(f"{wrapped(SQUADRON, width)}\n\nKEY {ann.key}")
    house.work()
    found = house.store.persona_named("Vultures")
    assert found is not None
    assert '"speed": 8' in found.record


def test_a_squadron_whose_rest_cannot_be_read_is_refused(house: House, ann: Person) -> None:
    ann.write(f"{wrapped(SQUADRON, 76).replace('SPEED 8', 'SPEDE 8')}\n\nKEY {ann.key}")
    house.work()
    assert house.store.persona_named("Vultures") is None
    assert "the next line may be the rest of it" in words(ann.last)


def test_a_story_below_a_long_order_and_a_blank_line_is_no_part_of_it(
    house: House, ann: Person
) -> None:
    ann.write(f"{SQUADRON}\n\nMerlin looks up.\n\nKEY {ann.key}")
    house.work()
    assert house.store.persona_named("Vultures") is not None


def test_orders_that_stand_in_one_form_only_are_not_carried_out(house: House, ann: Person) -> None:
    written = reply("Ann", ann.last, "", 900)
    written.set_content("SCAN\nSURRENDER\n")
    written.add_alternative("<p>SCAN</p><p>EJECT</p>", subtype="html")
    ann.send(written)
    house.work()
    assert '"queue": ["SCAN"]' in sheet(house, "Hawk")
    told = words(ann.last)
    assert told.count("it stands in only one of the two forms of your letter") == 2
    assert "SURRENDER" in told
    assert "EJECT" in told


def test_a_league_order_in_one_form_only_is_not_carried_out(house: House, ann: Person) -> None:
    written = letter("Ann", "", 901)
    written.set_content(f"STATUS\nSUBSCRIBE newsletter\n\nKEY {ann.key}\n")
    written.add_alternative(f"<p>STATUS</p><p>KEY {ann.key}</p>", subtype="html")
    ann.send(written)
    house.work()
    assert "it stands in only one of the two forms" in words(ann.last)
    assert not house.store.subscriptions.all(active=True)


def test_the_words_of_a_letter_to_a_player_are_not_joined(house: House, ann: Person) -> None:
    text = "IF you come,\nELSE\nSURRENDER"
    ann.write(f"KEY {ann.key}\nTELL Kestrel\n{text}")
    house.work()
    told = plain(house.person("Bob").last_about("Ann"))
    assert "IF you come" in told
    assert "ELSE SURRENDER" not in told
