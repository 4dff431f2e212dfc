"""Strangers: few letters go to them, little is kept of theirs, and no key is guessed."""

from email.message import EmailMessage

import pytest

from pbem.intake.addresses import mailbox_of
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from tests.support.harness import League, Person, duel
from tests.support.players import REFEREE, address_of, words


def write(league: League, sender: str, text: str, to: str = REFEREE) -> None:
    """Deliver a letter from any address."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "Hello"
    letter["Message-ID"] = f"<{league.store.letters.count()}.{len(text)}@forged.example>"
    letter.set_content(text)
    league.drop(letter.as_bytes())
    league.work()


def sent_to(league: League, *addresses: str) -> list[str]:
    """Return the addresses of letters that went out to some."""
    return [to for to, _ in league.post.letters if not addresses or to in addresses]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann@home.example", "ann+league@home.example"),
        ("ann@home.example", "Ann@HOME.example."),
        ("ann.lee@gmail.com", "annlee+x@googlemail.com"),
        ("ann@b\u00fccher.example", "ann@xn--bcher-kva.example"),
        ("ann@me.com", "ann@icloud.com"),
    ],
)
def test_hostile_strangers_spellings_of_one_mailbox_are_one(one: str, other: str) -> None:
    assert mailbox_of(one) == mailbox_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann.lee@home.example", "annlee@home.example"),
        ("ann@home.example", "ann@house.example"),
        ("+ann@home.example", "+bob@home.example"),
    ],
)
def test_hostile_strangers_other_mailboxes_are_others(one: str, other: str) -> None:
    assert mailbox_of(one) != mailbox_of(other)


def test_hostile_strangers_an_address_is_written_to_once_a_week(league: League) -> None:
    for day in range(7):
        write(league, f"eve+{day}@home.example", f"Hello {day}")
        league.later(24)
    assert len(league.post.letters) == 1
    league.later(24)
    write(league, "eve@home.example", "Hello again")
    assert len(league.post.letters) == 2


def test_hostile_strangers_a_reflector_sends_three_letters_to_a_victim_at_most(
    league: League,
) -> None:
    league.person("Ann").join()
    before = len(league.post.letters)
    for day in range(6):
        for text in ("Hello", "JOIN Ann Example", f"JOIN Eve{day}", "SUBSCRIBE newsletter"):
            write(league, f"Victim+{day}@home.example", text)
            write(league, "victim@home.example", text)
        league.later(24)
    assert len(league.post.letters) - before == 3


@pytest.mark.league(limits={"stranger_letters_a_day": 5}, moderator=address_of("Mona"))
def test_hostile_strangers_all_their_letters_together_have_a_budget(league: League) -> None:
    league.work()
    for number in range(9):
        write(league, f"eve{number}@home.example", f"JOIN Eve{number}" if number % 2 else "Hi")
    assert len(league.post.letters) == 5
    league.later(24)
    league.work()
    assert "letters without an answer: 4" in words(league.person("Mona").last)
    write(league, "eve9@home.example", "JOIN Eve")
    assert league.post.letters[-1][0] == "eve9@home.example"


@pytest.mark.league(limits={"stranger_letters_a_day": 1})
def test_hostile_strangers_players_are_answered_though_the_budget_is_used_up(
    league: League,
    ann: Person,
) -> None:
    write(league, "eve@home.example", "JOIN Eve")
    assert sent_to(league, "eve@home.example") == []
    assert "STATUS" in words(ann.ask("HELP"))


def test_hostile_strangers_nobody_joins_twice_from_one_mailbox(league: League, ann: Person) -> None:
    write(league, "ann+2@league.example", "JOIN Second")
    assert league.store.players.count() == 1
    assert sent_to(league, "ann+2@league.example") == []
    assert "another spelling" in ann.last["Subject"]
    write(league, "dan+1@home.example", "JOIN Dan")
    write(league, "dan+2@home.example", "JOIN Dan two")
    assert league.store.players.count() == 2


def test_hostile_strangers_a_ban_holds_for_all_spellings(league: League) -> None:
    league.rule("BAN eve@gmail.com")
    write(league, "e.v.e+x@googlemail.com", "JOIN Eve")
    assert league.post.letters == []
    league.rule("UNBAN e.ve@gmail.com")
    write(league, "e.v.e+x@googlemail.com", "JOIN Eve again")
    assert len(league.post.letters) == 1
    ann = league.person("Ann")
    ann.join()
    league.rule("BAN Ann Example")
    league.work()
    before = len(league.post.letters)
    write(league, "ann+2@league.example", "JOIN Other")
    assert len(league.post.letters) == before


def test_hostile_strangers_a_ban_holds_for_other_spellings_after_leaving(
    league: League, ann: Person
) -> None:
    league.rule("BAN Ann Example")
    ann.ask("LEAVE LEAGUE", ann.last_about("Welcome"))
    ann.reply("LEAVE LEAGUE")
    league.work()
    before = len(league.post.letters)
    write(league, "ann+2@league.example", "JOIN Other")
    assert len(league.post.letters) == before


@pytest.mark.league(limits={"stranger_bytes_a_day": 50000})
def test_hostile_strangers_bytes_that_are_kept_have_a_budget(league: League) -> None:
    ann, _ = duel(league)
    for number in range(9):
        write(league, f"eve{number}@home.example", 2_000 * "Hello again. ")
    league.drop(b"From: ann@league.example\nMessage-ID: <1@x>\n\n" + 40_000 * b"a")
    league.work()
    sizes = [len(one.content) for one in league.store.letters.all(player=None)]
    assert sum(sizes) < 55_000
    cut = league.store.letters.all(klass="dropped")
    assert len(cut) == 9
    assert all(b"eve" in one.content or b"ann" in one.content for one in cut)
    assert "Hawk" in words(ann.ask("STATUS " + "\n" * 1000, ann.last_about("G1-")))
    assert list(fsck.check(league.store)) == []
    league.service.ports.store.close()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


WRONG = [f"KEY {a}bc-def-ghi" for a in "abcdefghijklmnopqrstuvwxyz"]


def test_hostile_strangers_after_ten_wrong_keys_none_is_tried(league: League, ann: Person) -> None:
    key = ann.key
    ann.write("\n".join([*WRONG[:5], f"KEY {key}", "STATUS"]))
    assert "was not accepted" in ann.new()[-1]["Subject"], "the sixth key is not tried"
    ann.write("\n".join([*WRONG[5:9], f"KEY {key}", "STATUS"]))
    assert "What you asked" in ann.new()[-1]["Subject"], "a right key among five is"
    ann.write("\n".join(WRONG[5:10]))
    assert ann.new() == [], "it was told today that its letters have no proof"
    ann.write(f"KEY {key}\nSTATUS")
    [letter] = ann.new()
    assert "Too many wrong keys" in letter["Subject"]
    ann.write(f"KEY {key}\nSTATUS")
    assert ann.new() == []
    assert "What you asked" in ann.ask("STATUS", letter)["Subject"], "a reply counts as before"
    league.later(24)
    ann.write(f"KEY {key}\nSTATUS")
    assert "What you asked" in ann.new()[-1]["Subject"]


def test_hostile_strangers_keys_are_counted_in_replies_too(league: League) -> None:
    mona = league.person("Mona")
    mona.join()
    for first in (0, 5):
        mona.ask("\n".join([*WRONG[first : first + 5], "GM BAN Ann"]), mona.last_about("Welcome"))
    text = words(mona.ask(f"KEY {mona.key}\nGM BAN Ann", mona.last_about("Welcome")))
    assert "could not be done" in text


def test_hostile_strangers_address_is_asked_once_a_week(league: League) -> None:
    ann, bob = duel(league)
    assert "a letter is sent" in words(ann.ask(f"KEY {ann.key}\nADDRESS victim@home.example"))
    assert "within the last week" in words(bob.ask(f"KEY {bob.key}\nADDRESS victim+x@home.example"))
    assert len(sent_to(league, "victim@home.example", "victim+x@home.example")) == 1
