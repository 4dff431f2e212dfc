"""An account can't be taken over by a token that leaked, nor by letters of turns that are over."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.harness import House, Person, duel, open_house
from tests.players import PATIENT, letter, plain, words

EVIL = "eve@league.example"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    """Ann and Bob, who fight each other."""
    return duel(house)


def forged(house: House, victim: Person, to: EmailMessage, text: str) -> None:
    """Write in a victim's name, with the reply address and the subject of a letter that leaked."""
    number = 900 + house.store.letters.count()
    house.drop(letter(victim.name, text, number, to["Reply-To"], f"Re: {to['Subject']}").as_bytes())
    house.work()


def addresses(house: House, person: Person) -> list[str]:
    player = house.store.player_named(f"{person.name} Example")
    assert player is not None
    return house.store.addresses_of(player)


def keyed(person: Person, text: str) -> None:
    person.write(f"KEY {person.key}\n{text}")


def test_hostile_secrets_a_leaked_token_opens_no_address(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    eve = house.person("Eve")
    for leaked in (ann.last_about("[G1"), ann.last_about("Welcome")):
        forged(house, ann, leaked, f"ADDRESS {EVIL}")
        assert eve.letters == []
        asked = ann.last
        assert "Do you want this change" in asked["Subject"]
        assert "Nothing has been changed yet" in words(asked)
    eve.reply("YES", asked)
    eve.reply("Yes.", ann.last_about("[G1"))
    house.work()
    assert addresses(house, ann) == [ann.address]


def test_hostile_secrets_the_owner_is_asked_and_needs_one_reply(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], house.person("Nan")
    asked = ann.ask(f"ADDRESS {nan.address}", ann.last_about("[G1"))
    assert f"ADDRESS {nan.address}" in plain(asked)
    assert "a letter is sent to nan@league.example" in words(ann.ask("YES", asked))
    nan.ask("Yes.", nan.new()[-1])
    assert addresses(house, ann) == [nan.address, ann.address]


def test_hostile_secrets_a_word_counts_once_and_only_from_where_it_was_asked(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], house.person("Nan")
    asked = ann.ask(f"ADDRESS {nan.address}")
    for answer in ("NO", "Thank you, I do.", "> YES"):
        ann.reply(answer, asked)
        house.work()
        assert nan.letters == []
    for count in (1, 0):
        ann.reply("YES", asked)
        assert len(nan.new()) == count


@pytest.mark.parametrize("leaks", ["[G1", "Welcome", "newsletter", "goes on"])
@pytest.mark.parametrize(
    "order",
    [
        f"ADDRESS {EVIL}", "NEW KEY", "LEAVE LEAGUE", "RESIGN Hawk", "GM MERGE 2 INTO 1",
        "ADDRESS REMOVE second@league.example", "ADDRESS second@league.example",
    ],
)  # fmt: skip
def test_hostile_secrets_no_leaked_token_takes_an_account(
    house: House, people: tuple[Person, Person], leaks: str, order: str
) -> None:
    """No matter which token leaks, the account, its key, its addresses and its pilots stay."""
    ann, second = people[0], house.person("Second")
    keyed(ann, f"ADDRESS {second.address}\nSUBSCRIBE newsletter")
    house.work()
    second.ask("Yes.", second.new()[-1])
    keyed(ann, f"ADDRESS {ann.address}")
    house.work()
    house.later(24 * 8)
    house.service.ports.newsletter.want()
    house.work()
    leaked = [one for one in ann.letters if leaks in one["Subject"]][-1:] or [ann.letters[-1]]
    before = house.store.players.get(1), addresses(house, ann), house.store.entries.count()
    forged(house, ann, leaked[0], order)
    forged(house, ann, leaked[0], "YES")
    after = house.store.players.get(1), addresses(house, ann), house.store.entries.count()
    assert after[0]._replace(heard=before[0].heard) == before[0]
    assert after[1:] == before[1:]


def test_hostile_secrets_the_old_address_undoes_a_change_for_seven_days(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, eve = people[0], house.person("Eve")
    key = ann.key
    keyed(ann, f"ADDRESS {EVIL}")  # by somebody who has the key
    house.work()
    eve.ask("Yes.", eve.new()[-1])
    assert addresses(house, ann)[0] == EVIL
    told = ann.last_about("another address")
    leaked = eve.letters[-1]
    for order in ("LEAVE LEAGUE", "NEW KEY", f"ADDRESS REMOVE {ann.address}", "RESIGN Hawk"):
        eve.write(f"KEY {key}\n{order}")
        forged(house, ann, ann.last_about("[G1"), f"KEY {key}\n{order}")
    eve.reply(
        "LEAVE LEAGUE", next((one for one in eve.letters if "leave" in one["Subject"]), leaked)
    )
    house.later(24 * 6)
    house.work()
    assert addresses(house, ann) == [EVIL, ann.address]
    ann.reply("UNDO", told)
    house.work()
    assert addresses(house, ann) == [ann.address]
    new = re.search(r"your key is ([a-z2-7-]{11})", words(ann.last_about("new key")))
    assert new is not None
    assert new[1] != key
    eve.reply("STATUS", leaked)
    eve.write(f"KEY {key}\nSTATUS")
    forged(house, ann, ann.last_about("[G1"), f"KEY {key}\nADDRESS {EVIL}")
    assert "how to join" in eve.new()[-1]["Subject"]
    assert addresses(house, ann) == [ann.address]
    assert "Answers" in ann.ask("STATUS", ann.last_about("new key"))["Subject"]


def test_hostile_secrets_a_change_stands_after_seven_days(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], house.person("Nan")
    keyed(ann, f"ADDRESS {nan.address}")
    house.work()
    nan.ask("Yes.", nan.new()[-1])
    house.later(24 * 7 + 1)
    ann.reply("UNDO", ann.last_about("another address"))
    house.work()
    assert addresses(house, ann) == [nan.address, ann.address]
    keyed(nan.house.person("Ann"), "STATUS")
    nan.write(f"KEY {ann.key}\nADDRESS REMOVE {ann.address}")
    house.work()
    assert addresses(house, ann) == [nan.address]


def test_hostile_secrets_a_thief_can_not_undo_the_owners_return(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, eve = people[0], house.person("Eve")
    keyed(ann, f"ADDRESS {EVIL}")
    house.work()
    eve.ask("Yes.", eve.new()[-1])
    keyed(ann, f"ADDRESS {ann.address}")
    house.work()
    assert not [one for one in eve.letters if "another address" in one["Subject"]]
    for text in (f"ADDRESS {EVIL}", "ADDRESS third@league.example", "NEW KEY"):
        eve.write(f"KEY {ann.key}\n{text}")
        house.work()
        assert "for your safety" in words(ann.last)
    assert addresses(house, ann)[0] == ann.address


def test_hostile_secrets_a_new_key_voids_all_tokens(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    report, welcome = ann.last_about("[G1"), ann.last_about("Welcome")
    keyed(ann, "NEW KEY")
    house.work()
    told = ann.last_about("new key")
    for old in (report, welcome):
        forged(house, ann, old, "SURRENDER\nSALT evil\nDRAW 1")
    place = house.store.places.find(game=1, seat="Hawk")
    assert place is not None
    assert (place.answered, place.draw) == (False, False)
    again = ann.ask("REPORT 1", told)
    assert again["Reply-To"] != report["Reply-To"]
    forged(house, ann, report, "SURRENDER")
    assert not house.store.places.get(place.id).answered
    ann.ask(PATIENT, again)
    assert house.store.places.get(place.id).answered


READS = "REPORT 1\nHISTORY 1\nMAP 1\nSTATUS\nHELP\nSHEET Hawk\nSTANDINGS\nRECEIPTS 1"
DOES = (
    "SURRENDER", "STANDING\nELSE: SURRENDER\nEND", "GAME 1 FOR Hawk\nSURRENDER", "SALT evil",
    "Hawk gives up the fight at last.", "DRAW 1", "READY 1", "NEW KEY", "RESIGN Hawk",
    "LEAVE LEAGUE", "SPEND 1 FOR Hawk", "TELL Kestrel\nI give up.", "PRESS\nI give up.",
    "LANGUAGE de", "FORMAT text", "MAIL digest", "TIMEZONE Asia/Tokyo", "BLOCK Kestrel",
    "AWAY 2027-03-01 TO 2027-03-09", f"ADDRESS {EVIL}", "TAKEOVER 1", "PATROL WITH Hawk",
    "EDITORIAL\nI give up.", "SUBSCRIBE newsletter", "WATCH 1", "CHALLENGE Kestrel",
)  # fmt: skip


@pytest.mark.parametrize("order", DOES)
def test_hostile_secrets_the_token_of_a_turn_that_is_over_does_nothing(
    house: House, people: tuple[Person, Person], order: str
) -> None:
    ann, bob = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    house.work()
    assert house.game.turn == 2
    bob.new()
    before = _books(house)
    forged(house, ann, old, order)
    assert _books(house) == before
    assert bob.new() == []
    found = ann.last
    assert "over" in words(found) or "has gone on since" in words(found)
    if "\n" not in order:
        ann.ask(order, found)  # the friendly way on: the same words in a reply to that letter
        assert "that is over" not in words(ann.last)


def _books(house: House) -> list[object]:
    store = house.store
    shelves = (
        store.players, store.places, store.personas, store.stories, store.games, store.further,
        store.leaves, store.blocks, store.watches, store.editorials, store.subscriptions,
        store.challenges, store.patrols, store.posts,
    )  # fmt: skip
    still = {"heard": house.now}
    return [
        row._replace(**still) if hasattr(row, "heard") else row
        for shelf in shelves
        for row in shelf.all()
    ]


def test_hostile_secrets_the_token_of_a_turn_that_is_over_reads(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    house.work()
    for order in READS.splitlines():
        ann.new()
        ann.reply(order, old)
        told = [words(one) for one in ann.new()]
        assert told
        assert not [one for one in told if "one can only read" in one]


def test_hostile_secrets_a_key_opens_all_whatever_token_goes_along(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    house.work()
    ann.new()
    ann.reply(f"KEY {ann.key}\nTIMEZONE Asia/Tokyo", old)
    house.work()
    assert house.store.players.get(1).zone == "Asia/Tokyo"
