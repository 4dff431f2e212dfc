"""An account can't be taken over by a token that leaked, nor by letters of turns that are over."""

import re
from email.message import EmailMessage

import pytest

from pbem.people import players
from pbem.storage import (
    Block,
    Editorial,
    Entry,
    Further,
    Game,
    Leave,
    Letter,
    Offer,
    OfferSeat,
    Persona,
    Place,
    Player,
    Post,
    Story,
    Subscription,
    Watch,
)
from tests.support.harness import League, Person
from tests.support.players import PATIENT, letter, plain, words

EVIL = "eve@league.example"


def forged(league: League, victim: Person, to: EmailMessage, text: str) -> None:
    """Write in a victim's name, with the reply address and the subject of a letter that leaked."""
    number = 900 + league.store.count(Letter.select())
    league.drop(
        letter(victim.name, text, number, to["Reply-To"], f"Re: {to['Subject']}").as_bytes()
    )
    league.work()


def addresses(league: League, person: Person) -> list[str]:
    player = players.named(league.store, f"{person.name} Example")
    assert player is not None
    return players.addresses(league.store, player)


def keyed(person: Person, text: str) -> None:
    person.write(f"KEY {person.key}\n{text}")


def test_hostile_secrets_a_leaked_token_opens_no_address(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    eve = league.person("Eve")
    for leaked in (ann.last_about("[G1"), ann.last_about("Welcome")):
        forged(league, ann, leaked, f"ADDRESS {EVIL}")
        assert eve.letters == []
        asked = ann.last
        assert "Do you want this change" in asked["Subject"]
        assert "Nothing has been changed yet" in words(asked)
    eve.reply("YES", asked)
    eve.reply("Yes.", ann.last_about("[G1"))
    league.work()
    assert addresses(league, ann) == [ann.address]


def test_hostile_secrets_the_owner_is_asked_and_needs_one_reply(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], league.person("Nan")
    asked = ann.ask(f"ADDRESS {nan.address}", ann.last_about("[G1"))
    assert f"ADDRESS {nan.address}" in plain(asked)
    assert "a letter is sent to nan@league.example" in words(ann.ask("YES", asked))
    nan.ask("Yes.", nan.new()[-1])
    assert addresses(league, ann) == [nan.address, ann.address]


def test_hostile_secrets_a_word_counts_once_and_only_from_where_it_was_asked(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], league.person("Nan")
    asked = ann.ask(f"ADDRESS {nan.address}")
    for answer in ("NO", "Thank you, I do.", "> YES"):
        ann.reply(answer, asked)
        league.work()
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
    league: League, people: tuple[Person, Person], leaks: str, order: str
) -> None:
    """No matter which token leaks, the account, its key, its addresses and its pilots stay."""
    ann, second = people[0], league.person("Second")
    keyed(ann, f"ADDRESS {second.address}\nSUBSCRIBE newsletter")
    league.work()
    second.ask("Yes.", second.new()[-1])
    keyed(ann, f"ADDRESS {ann.address}")
    league.work()
    league.later(24 * 8)
    league.service.ports.newsletter.want()
    league.work()
    leaked = [one for one in ann.letters if leaks in one["Subject"]][-1:] or [ann.letters[-1]]
    before = league.store.get(Player, 1), addresses(league, ann), league.store.count(Entry.select())
    forged(league, ann, leaked[0], order)
    forged(league, ann, leaked[0], "YES")
    after = league.store.get(Player, 1), addresses(league, ann), league.store.count(Entry.select())
    assert after[0].changed(heard=before[0].heard) == before[0]
    assert after[1:] == before[1:]


def test_hostile_secrets_the_old_address_undoes_a_change_for_seven_days(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, eve = people[0], league.person("Eve")
    key = ann.key
    keyed(ann, f"ADDRESS {EVIL}")  # by somebody who has the key
    league.work()
    eve.ask("Yes.", eve.new()[-1])
    assert addresses(league, ann)[0] == EVIL
    answer = ann.last_about("another address")
    leaked = eve.letters[-1]
    for order in ("LEAVE LEAGUE", "NEW KEY", f"ADDRESS REMOVE {ann.address}", "RESIGN Hawk"):
        eve.write(f"KEY {key}\n{order}")
        forged(league, ann, ann.last_about("[G1"), f"KEY {key}\n{order}")
    eve.reply(
        "LEAVE LEAGUE", next((one for one in eve.letters if "leave" in one["Subject"]), leaked)
    )
    league.later(24 * 6)
    league.work()
    assert addresses(league, ann) == [EVIL, ann.address]
    ann.reply("UNDO", answer)
    league.work()
    assert addresses(league, ann) == [ann.address]
    new = re.search(r"Your key is ([a-z2-7-]{11})", words(ann.last_about("new key")))
    assert new is not None
    assert new[1] != key
    eve.reply("STATUS", leaked)
    eve.write(f"KEY {key}\nSTATUS")
    forged(league, ann, ann.last_about("[G1"), f"KEY {key}\nADDRESS {EVIL}")
    assert "how to join" in eve.new()[-1]["Subject"]
    assert addresses(league, ann) == [ann.address]
    assert "What you asked" in ann.ask("STATUS", ann.last_about("new key"))["Subject"]


def test_hostile_secrets_a_change_stands_after_seven_days(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, nan = people[0], league.person("Nan")
    keyed(ann, f"ADDRESS {nan.address}")
    league.work()
    nan.ask("Yes.", nan.new()[-1])
    league.later(24 * 7 + 1)
    ann.reply("UNDO", ann.last_about("another address"))
    league.work()
    assert addresses(league, ann) == [nan.address, ann.address]
    keyed(nan.league.person("Ann"), "STATUS")
    nan.write(f"KEY {ann.key}\nADDRESS REMOVE {ann.address}")
    league.work()
    assert addresses(league, ann) == [nan.address]


def test_hostile_secrets_a_thief_can_not_undo_the_owners_return(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, eve = people[0], league.person("Eve")
    keyed(ann, f"ADDRESS {EVIL}")
    league.work()
    eve.ask("Yes.", eve.new()[-1])
    keyed(ann, f"ADDRESS {ann.address}")
    league.work()
    assert not [one for one in eve.letters if "another address" in one["Subject"]]
    for text in (f"ADDRESS {EVIL}", "ADDRESS third@league.example", "NEW KEY"):
        eve.write(f"KEY {ann.key}\n{text}")
        league.work()
        assert "for your safety" in words(ann.last)
    assert addresses(league, ann)[0] == ann.address


def test_hostile_secrets_a_new_key_voids_all_tokens(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    report, welcome = ann.last_about("[G1"), ann.last_about("Welcome")
    keyed(ann, "NEW KEY")
    league.work()
    answer = ann.last_about("new key")
    for old in (report, welcome):
        forged(league, ann, old, "SURRENDER\nSALT evil\nDRAW 1")
    place = league.store.first(Place.select().where(Place.game == 1, Place.seat == "Hawk"))
    assert place is not None
    assert (place.answered, place.draw) == (False, False)
    again = ann.ask("REPORT 1", answer)
    assert again["Reply-To"] != report["Reply-To"]
    forged(league, ann, report, "SURRENDER")
    assert not league.store.get(Place, place.id).answered
    ann.ask(PATIENT, again)
    assert league.store.get(Place, place.id).answered


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
    league: League, people: tuple[Person, Person], order: str
) -> None:
    ann, bob = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    league.work()
    assert league.game.turn == 2
    bob.new()
    before = _books(league)
    forged(league, ann, old, order)
    assert _books(league) == before
    assert bob.new() == []
    found = ann.last
    assert "over" in words(found) or "and turn 2 is open" in words(found)
    if "\n" not in order:
        ann.ask(order, found)  # the friendly way on: the same words in a reply to that letter
        assert "that is over" not in words(ann.last)


def _books(league: League) -> list[object]:
    store = league.store
    models = (
        Player, Place, Persona, Story, Game, Further, Leave, Block, Watch, Editorial, Subscription,
        Offer, OfferSeat, Post,
    )  # fmt: skip
    still = {"heard": league.now}
    return [
        row.changed(**still) if hasattr(row, "heard") else row
        for model in models
        for row in store.each(model)
    ]


def test_hostile_secrets_the_token_of_a_turn_that_is_over_reads(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    league.work()
    for order in READS.splitlines():
        ann.new()
        ann.reply(order, old)
        found = [words(one) for one in ann.new()]
        assert found
        assert not [one for one in found if "one can only read" in one]


def test_hostile_secrets_a_key_opens_all_whatever_token_goes_along(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    old = ann.last_about("[G1")
    for person in people:
        person.reply("SCAN", person.last_about("[G1"))
    league.work()
    ann.new()
    ann.reply(f"KEY {ann.key}\nTIMEZONE Asia/Tokyo", old)
    league.work()
    assert league.store.get(Player, 1).zone == "Asia/Tokyo"
