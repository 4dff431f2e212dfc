"""A reply to a letter that another player wrote goes to that player, and to nobody else."""

import pytest

from pbem.storage import Place, Player
from tests.support.harness import League, Person, duel
from tests.support.players import letter, plain, reply, words

CHAT = "Gladly.\n\nOn Sunday, at the usual place?"


def told(reader: Person, by: str) -> list[str]:
    """Return the texts of the letters of a player that came."""
    return [words(one) for one in reader.new() if f"A letter from {by}" in one["Subject"]]


def player(league: League, person: Person) -> Player:
    """Return the row of a person."""
    found = league.store.first(
        Player.select().where(Player.name == f"{person.name} Example").order_by(Player.id)
    )
    assert found is not None
    return found


@pytest.fixture
def pair(league: League) -> tuple[Person, Person]:
    """Ann and Bob in a duel, and a letter of Ann's to Bob as the last that he got."""
    ann, bob = duel(league)
    ann.ask("TELL Kestrel AS Hawk\nShall we settle this?")
    bob.new()
    ann.new()
    return ann, bob


def test_a_reply_goes_to_the_player_who_wrote(pair: tuple[Person, Person]) -> None:
    ann, bob = pair
    assert "Reply, and Ann Example reads it. Nobody is told your address" in words(bob.last)
    answer = bob.ask(f"Hi Ann,\n\n{CHAT}\n\nBest wishes\nBob")
    assert "your words go to Hawk, without your address" in words(answer)
    assert "WHAT WAS PASSED ON | Gladly. | On Sunday, at the usual place?" in words(answer)
    [text] = told(ann, "Kestrel")
    assert "Bob Example, the player of Kestrel, asks" in text
    assert "| Gladly. | On Sunday, at the usual place?" in text
    # And back again, signed as before.
    ann.ask("Yes")
    [text] = told(bob, "Hawk")
    assert "| Yes" in text


def test_the_reply_to_a_public_letter_goes_to_its_writer_alone(league: League) -> None:
    ann, bob = duel(league)
    cat = league.person("Cat")
    cat.join()
    ann.ask("PRESS\nWho comes on Sunday?")
    for person in (ann, bob, cat):
        person.new()
    assert "Reply, and Ann Example alone reads it" in words(bob.last)
    bob.ask("I do.")
    assert "| I do." in told(ann, "Bob")[0]
    assert cat.new() == []


def test_orders_in_a_reply_are_orders_and_go_to_nobody(
    league: League, pair: tuple[Person, Person]
) -> None:
    ann, bob = pair
    answer = bob.ask(f"SCAN\n\n{CHAT}")
    assert "your words go to Hawk" in words(answer)
    [text] = told(ann, "Kestrel")
    assert "SCAN" not in text
    assert "Gladly." in text
    assert '"SCAN"' in league.store.all(Place.select().order_by(Place.id))[1].sheet


def test_only_the_reader_s_address_may_use_the_reply_address(
    league: League, pair: tuple[Person, Person]
) -> None:
    ann, bob = pair
    eve = league.person("Eve")
    eve.join()
    sent = bob.last
    for name in ("Eve", "Mallory"):
        league.drop(reply(name, sent, CHAT, 77).as_bytes())
    assert told(ann, "") == []
    # Ann herself can't answer herself with it either.
    league.drop(reply("Ann", sent, CHAT, 78).as_bytes())
    assert told(ann, "") == []
    assert told(bob, "") == []


def test_what_holds_for_tell_holds_for_a_reply(league: League, pair: tuple[Person, Person]) -> None:
    ann, bob = pair
    sent = bob.last
    answer = bob.ask(f"Write to bob@home.example.\n{CHAT}", sent)
    assert "KEPT FROM OTHERS" in plain(answer)
    [text] = told(ann, "Kestrel")
    assert "home.example" not in text
    assert "Gladly." in text
    ann.ask("BLOCK Kestrel", ann.last)
    answer = bob.ask(CHAT, sent)
    assert "the player of Hawk takes no letters from you" in words(answer)
    assert "WORDS THAT NOBODY HAS SEEN" in plain(answer)
    ann.ask("UNBLOCK Kestrel")
    for hour in "one two three four five six seven eight nine".split():
        league.later(0.2)
        bob.ask(f"At {hour} o'clock, then.", sent)
    league.later(0.2)
    assert "as many private letters today" in words(bob.ask("One more.", sent))
    assert len(told(ann, "Kestrel")) == 9


@pytest.mark.parametrize("how", ["banned", "gone"])
def test_nobody_reads_for_who_plays_no_longer(
    league: League, pair: tuple[Person, Person], how: str
) -> None:
    ann, bob = pair
    sent = bob.last
    if how == "banned":
        league.rule("BAN Ann Example")
    else:
        ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    ann.new()
    bob.new()
    count = len(ann.letters)
    bob.reply(CHAT, sent)
    assert any("plays here no longer" in words(one) for one in bob.new())
    assert len(ann.letters) == count


def test_the_writer_s_own_ban_counts(league: League, pair: tuple[Person, Person]) -> None:
    ann, bob = pair
    league.rule("BAN Bob Example")
    bob.new()
    bob.reply(CHAT, bob.last_about("A letter from"))
    bob.new()
    assert told(ann, "Kestrel") == []


def test_a_note_of_absence_goes_to_nobody(league: League, pair: tuple[Person, Person]) -> None:
    ann, bob = pair
    note = reply("Bob", bob.last, "I am away until Monday.", 80)
    note["Auto-Submitted"] = "auto-replied"
    league.drop(note.as_bytes())
    assert told(ann, "Kestrel") == []
    assert bob.new() == []


def test_two_machines_that_answer_each_other_come_to_an_end(
    league: League, pair: tuple[Person, Person]
) -> None:
    people = pair
    sent = {person.name: len(person.letters) for person in people}
    for round_ in range(60):
        for person in people:
            for one in person.new():
                note = reply(person.name, one, "I am not here, and shall write later.", 100)
                note.replace_header("Message-ID", f"<{round_}.{one['Message-ID'][1:12]}@x.example>")
                league.drop(note.as_bytes())
    assert [len(person.new()) for person in people] == [0, 0]
    assert sum(len(person.letters) - sent[person.name] for person in people) < 30


def test_a_letter_in_a_digest_says_how_to_answer_it_there(league: League) -> None:
    ann, bob = duel(league)
    bob.ask("MAIL digest")
    ann.ask("TELL Kestrel\nShall we settle this?")
    league.later(30)
    digest = next(one for one in bob.new() if "Shall we settle" in plain(one))
    assert "Reply, and" not in words(digest)
    assert "TELL Ann Example" in words(digest)
    answer = bob.ask(CHAT, digest)
    assert "WORDS THAT NOBODY HAS SEEN" in plain(answer)
    bob.ask("TELL Ann Example", answer)
    assert "| Gladly." in told(ann, "Bob")[0]


def test_a_new_letter_without_the_token_goes_to_nobody(
    league: League, pair: tuple[Person, Person]
) -> None:
    ann, bob = pair
    bob.send(letter("Bob", f"KEY {bob.key}\n{CHAT}", 90))
    [answer] = bob.new()
    assert "WORDS THAT NOBODY HAS SEEN" in plain(answer)
    assert told(ann, "Kestrel") == []


def test_a_preview_passes_nothing_on(pair: tuple[Person, Person]) -> None:
    ann, bob = pair
    bob.ask(f"PREVIEW\nSCAN\n\n{CHAT}")
    assert told(ann, "Kestrel") == []
