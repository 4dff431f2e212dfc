"""Strangers: few letters go to them, little is kept of theirs, and no key is guessed."""

from collections import Counter
from email.message import EmailMessage

import pytest

from pbem.intake.addresses import mailbox_of
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.storage import Letter, Player
from tests.support.harness import League, Person, duel
from tests.support.players import REFEREE, address_of, words


def forge(league: League, sender: str, text: str, to: str = REFEREE) -> None:
    """Deliver a letter from any address."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "Hello"
    letter["Message-ID"] = f"<{league.store.count(Letter.select())}.{len(text)}.{sender}>"
    letter.set_content(text)
    league.drop(letter.as_bytes())


def write(league: League, sender: str, text: str, to: str = REFEREE) -> None:
    """Deliver a letter from any address, and let it be answered."""
    forge(league, sender, text, to)
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
        write(league, f"eve{number}@a{number}.home.example", f"JOIN Eve{number}")
    assert len(league.post.letters) == 3, "a domain has half of what the others leave"
    for number in range(9):
        write(league, f"eve@evil{number}.example", "Hi")
    assert len(league.post.letters) == 10, "all domains together have at most twice the budget"
    league.later(24)
    league.work()
    assert "letters without an answer: 8" in words(league.person("Mona").last)
    write(league, "eve9@home.example", "JOIN Eve")
    assert league.post.letters[-1][0] == "eve9@home.example"


def test_hostile_strangers_one_domain_leaves_room_for_all_others(league: League) -> None:
    """Hundreds of letters from one, in any spelling; then those of few letters are answered."""
    for number in range(150):
        forge(league, f"eve{number}@host{number}.evil.example", f"JOIN Eve{number}")
    league.work()
    assert len(league.post.letters) == 50
    for number in range(30):
        write(league, f"new{number}@gmail.com", f"JOIN New{number}")
        write(league, f"new{number}@village{number}.example", f"JOIN Villager{number}")
        write(league, f"new{number}@parish{number}.co.uk", f"JOIN Parishioner{number}")
    answered = Counter(address.rpartition(".")[2] for address, _ in league.post.letters[50:])
    assert answered["uk"] == answered["example"] == 30
    assert answered["com"] >= 10


@pytest.mark.league(limits={"stranger_bytes_a_day": 50_000})
def test_hostile_strangers_bytes_of_one_domain_close_the_league_to_no_other(
    league: League,
) -> None:
    for number in range(9):
        write(league, f"eve{number}@evil.example", 800 * "Hello again. ")
    assert league.store.count(Letter.select().where(Letter.klass == "dropped")) >= 6
    write(league, "new@home.example", "JOIN Newcomer")
    assert league.post.letters[-1][0] == "new@home.example"


@pytest.mark.league(limits={"stranger_letters_a_day": 1})
def test_hostile_strangers_players_are_answered_though_the_budget_is_used_up(
    league: League,
    ann: Person,
) -> None:
    write(league, "eve@league.example", "JOIN Eve")
    assert sent_to(league, "eve@league.example") == []
    assert "STATUS" in words(ann.ask("HELP"))


def test_hostile_strangers_nobody_joins_twice_from_one_mailbox(league: League, ann: Person) -> None:
    write(league, "ann+2@league.example", "JOIN Second")
    assert league.store.count(Player.select()) == 1
    assert sent_to(league, "ann+2@league.example") == []
    assert "another spelling" in ann.last["Subject"]
    write(league, "dan+1@home.example", "JOIN Dan")
    write(league, "dan+2@home.example", "JOIN Dan two")
    assert league.store.count(Player.select()) == 2


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
    sizes = [
        len(one.content)
        for one in league.store.all(
            Letter.select().where(Letter.player.is_null()).order_by(Letter.id)
        )
    ]
    assert sum(sizes) < 55_000
    cut = league.store.all(Letter.select().where(Letter.klass == "dropped").order_by(Letter.id))
    assert len(cut) == 9
    assert all(b"eve" in one.content or b"ann" in one.content for one in cut)
    assert "Hawk" in words(ann.ask("STATUS " + "\n" * 1000, ann.last_about("G1-")))
    assert list(fsck.check(league.store)) == []
    league.service.ports.store.close()
    assert rebuild(league.settings, league.settings.home / "new.db") == []


WRONG = [f"KEY {a}bc-def-ghi" for a in "abcdefghijklmnopqrstuvwxyz"]


def test_hostile_strangers_the_right_key_counts_after_any_wrong_ones(
    league: League, ann: Person
) -> None:
    """Their player is warned once, and a letter with wrong keys alone is not answered again."""
    key = ann.key
    ann.write("\n".join([*WRONG[:5], f"KEY {key}", "STATUS"]))
    assert "was not accepted" in ann.new()[-1]["Subject"], "the sixth key is not tried"
    ann.write("\n".join([*WRONG[5:9], f"KEY {key}", "STATUS"]))
    assert "What you asked" in ann.new()[-1]["Subject"], "a right key among five is"
    ann.write("\n".join(WRONG[5:10]))
    assert ann.new() == [], "it was told today that its letters have no proof"
    ann.write("\n".join(WRONG[10:15]))
    [letter] = ann.new()
    assert "Too many wrong keys" in letter["Subject"]
    assert "works as always" in words(letter)
    ann.write("\n".join(WRONG[15:20]))
    assert ann.new() == []
    for text in (f"KEY {key}\nSTATUS", f"KEY {key}\nSTATUS\nHELP"):
        ann.write(text)
        assert "What you asked" in ann.new()[-1]["Subject"]
    assert "What you asked" in ann.ask("STATUS", letter)["Subject"], "a reply counts as before"


@pytest.mark.league(moderator=address_of("Mona"))
def test_hostile_strangers_the_right_key_of_a_moderator_counts_too(league: League) -> None:
    mona = league.person("Mona")
    mona.join()
    for first in (0, 5):
        mona.ask("\n".join([*WRONG[first : first + 5], "GM BAN Ann"]), mona.last_about("Welcome"))
    text = words(mona.ask("GM BAN Ann", mona.last_about("Welcome")))
    assert "could not be done" in text
    right = words(mona.ask(f"KEY {mona.key}\nGM AUDIT", mona.last_about("Welcome")))
    assert "could not be done" not in right


@pytest.mark.league(limits={"letter_bytes": 20_000})
def test_hostile_strangers_a_key_in_a_letter_that_is_too_long_is_answered(
    league: League, ann: Person
) -> None:
    for number in range(3):
        ann.write(f"KEY abc-def-ghi\nSTATUS {number}")
        ann.new()
    ann.write(f"KEY {ann.key}\n" + "STATUS\n" * 1100)
    assert "too large" in ann.new()[-1]["Subject"]


def test_hostile_strangers_address_is_asked_once_a_week(league: League) -> None:
    ann, bob = duel(league)
    assert "a letter is sent" in words(ann.ask(f"KEY {ann.key}\nADDRESS victim@home.example"))
    assert "within the last week" in words(bob.ask(f"KEY {bob.key}\nADDRESS victim+x@home.example"))
    assert len(sent_to(league, "victim@home.example", "victim+x@home.example")) == 1
