"""Rows of faults.md that are about letters on their way, through a service and real servers."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Batch, Known, MailboxDown
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport
from pbem.intake import tokens_and_keys
from pbem.storage import Letter, Outgoing, Place, Story
from tests.servers.dovecot import Dovecot
from tests.servers.host import MailHost
from tests.servers.postfix import Postfix
from tests.support.harness import League, Person
from tests.support.players import REFEREE, STANDING, address_of, letter, parsed, plain, reply, words
from tests.support.scripted_server import CLOSE, SmtpDialect, scripted

pytestmark = pytest.mark.league(turns_per_letter=4)


class Broken(ImapMailbox):
    """A mailbox whose server ends once, when the first letters have been fetched."""

    def __init__(self, account: ImapAccount, server: Dovecot) -> None:
        super().__init__(account)
        self.server, self.whole = server, True

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield a batch, and stop the server."""
        for batch in super().arrivals(known):
            yield batch
            if self.whole:
                self.whole = False
                self.server.stop()


@pytest.mark.services
def test_fault_09_dovecot_that_stops_amid_fetching_loses_nothing(
    league: League, dovecot: Dovecot, installed: MailHost
) -> None:
    host, port = dovecot.imap
    account = ImapAccount(host=host, port=port, tls="none", user=REFEREE, password="referee-secret")
    for name in ("Ann", "Cat"):
        for number in range(6):
            large = letter(name, f"JOIN {name}{number}", number)
            large.add_attachment(bytes(600_000), "application", "octet-stream")
            dovecot.deliver(large.as_bytes(), REFEREE)
    league.now = datetime.now(UTC) + timedelta(minutes=1)
    with closing(Broken(account, dovecot)) as mailbox:
        league.mailbox = mailbox
        mailbox.connect()
        try:
            with pytest.raises(MailboxDown):
                league.work()
        finally:
            dovecot.start()
        kept = league.store.count(Letter.select())
        assert 0 < kept < 12
        mailbox.connect()
        league.work()
        assert league.store.count(Letter.select()) == 12
        assert league.store.count(Letter.select().where(Letter.moved == True)) == 12
        assert mailbox.places() == set()


@pytest.mark.services
def test_fault_10_postfix_that_answers_451_for_two_days(league: League, postfix: Postfix) -> None:
    """Nothing is lost, nothing goes twice, and the letters go out soon after."""
    people = [league.person(name) for name in ("Ann", "Bob", "Cat")]
    for person in people:
        person.write(f"JOIN {person.name} Example")
    with closing(transport(*postfix.busy)) as busy:
        league.transport = busy
        for _ in range(48):
            league.work()
            league.later(1)
    waiting = league.store.all(
        Outgoing.select().where(Outgoing.state == "queued").order_by(Outgoing.id)
    )
    assert len(waiting) == 3
    assert all("451" in row.error for row in waiting if row.error)
    tried = sum(row.tries for row in waiting)
    assert 3 < tried < 60, "tried again, and less and less often"
    with closing(transport(*postfix.mx)) as well:
        league.transport = well
        for _ in range(8):
            league.work()
            league.later(1)
    assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 3


def transport(host: str, port: int) -> SmtpTransport:
    """Return a transport to a server on this machine."""
    return SmtpTransport(SmtpAccount(host=host, port=port, tls="none"))


def test_fault_12_a_link_lost_before_250_sends_the_same_letter_again(league: League) -> None:
    dialect = SmtpDialect({"END": [CLOSE]})
    league.person("Ann").write("JOIN Ann Example")
    with scripted(dialect) as server, closing(transport(server.host, server.port)) as link:
        league.transport = link
        league.work()
        dialect.answers = {}
        league.later(1)
        league.work()
    first, again = dialect.letters
    assert first == again
    assert league.store.count(Outgoing.select().where(Outgoing.state == "sent")) == 1


def test_fault_20_of_two_letters_the_one_received_last_counts(
    league: League, people: tuple[Person, Person]
) -> None:
    """They reach the folder in the wrong order, and their dates are wrong as well."""
    ann, _ = people
    last = reply("Ann", ann.last, "SCAN\nSCAN", 71)
    first = reply("Ann", ann.last, "TARGET", 72)
    last.replace_header("Date", "Thu, 01 Jan 1970 00:00:00 +0000")
    first.replace_header("Date", "Fri, 01 Jan 2099 00:00:00 +0000")
    league.later(1)
    league.drop(last.as_bytes(), league.now)
    league.drop(first.as_bytes(), league.now - timedelta(minutes=5))
    told = ann.new()
    assert [each["In-Reply-To"] for each in told] == [first["Message-ID"], last["Message-ID"]]
    assert "SCAN (36 %), then SCAN (36 %). No longer on file: TARGET." in words(told[-1])
    place = league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert '"queue":["SCAN","SCAN"]' in place.sheet


@pytest.mark.parametrize("about", ["Welcome", "[G"])
def test_fault_22_a_robot_that_looks_like_a_person_is_not_answered_for_ever(
    league: League, people: tuple[Person, Person], about: str
) -> None:
    ann, _ = people
    before, last = len(ann.letters), ann.last_about(about)
    for _ in range(15):
        ann.reply("Thank you for your letter! We shall look into it.", last)
        last = [last, *ann.new()][-1]
    assert len(ann.letters) - before == 3
    assert (
        league.store.count(
            Letter.select().where(Letter.state == "discarded", Letter.klass == "autoreply")
        )
        == 12
    )


def test_fault_23_24_own_letters_and_bounces_of_them_are_not_answered(
    league: League, people: tuple[Person, Person]
) -> None:
    out = [raw for _, raw in league.post.letters]
    for number, raw in enumerate(out):
        league.drop(raw)
        told = b"Hi. This is the qmail-send program.\n<ann@league.example>:\nno mailbox here\n\n"
        home = str(parsed(raw)["Reply-To"])
        head = f"From: <>\nTo: {home}\nSubject: failure notice\nMessage-ID: <{number}@x>\n\n"
        league.drop(head.encode() + told + raw)
    league.work()
    assert len(league.post.letters) == len(out)
    assert {
        one.klass for one in league.store.all(Letter.select().order_by(Letter.id))[-2 * len(out) :]
    } == {
        "autoreply",
        "bounce",
    }


def test_fault_30_nothing_that_can_be_guessed_or_seen_is_a_proof(
    league: League, people: tuple[Person, Person], tmp_path: Path
) -> None:
    """Message-IDs depend on the league's secret, and prove nothing even to those who know them."""
    ann, bob = people
    ids = [str(each["Message-ID"]) for each in ann.letters + bob.letters]
    assert all(re.fullmatch(r"<[0-9a-f]{32}@league\.example>", one) for one in ids)
    secret = league.store.secret
    assert tokens_and_keys.token(secret, 1, "game", 1, 1) != tokens_and_keys.token(
        b"other", 1, "game", 1, 1
    )
    assert len({tokens_and_keys.token(secret, 1, "game", game, 1) for game in range(999)}) == 999
    bare = letter("Ann", "SURRENDER", 90)
    bare["In-Reply-To"], bare["References"] = ids[0], " ".join(ids)
    ann.new()
    ann.send(bare)
    assert "was not accepted" in ann.new()[0]["Subject"]
    assert league.game.running


@pytest.mark.parametrize("field", ["Reply-To", "Return-Path", "Errors-To", "Resent-From", "Cc"])
def test_fault_35_answers_go_to_the_address_of_the_player(
    league: League, people: tuple[Person, Person], field: str
) -> None:
    ann, _ = people
    sent = len(league.post.letters)
    for number, name in enumerate(("Ann", "Eve")):
        odd = reply(name, ann.last, "HELP", 80 + number)
        odd[field] = "victim@elsewhere.example"
        odd["Disposition-Notification-To"] = "victim@elsewhere.example"
        league.drop(odd.as_bytes())
    league.work()
    assert {to for to, _ in league.post.letters[sent:]} == {ann.address, address_of("Eve")}


def test_fault_58_what_a_provider_vouches_for_is_no_proof(
    league: League, people: tuple[Person, Person]
) -> None:
    """As a letter looks that was smuggled in behind another's end of data."""
    ann, _ = people
    smuggled = letter("Ann", "SURRENDER", 90)
    smuggled["Authentication-Results"] = "mx.league.example; dkim=pass; spf=pass; dmarc=pass"
    smuggled["Received"] = "from ann by mx.league.example with ESMTPSA; Mon, 2 Nov 2026"
    ann.send(smuggled)
    assert "was not accepted" in ann.new()[-1]["Subject"]
    assert league.game.running


def test_fault_58_nothing_that_a_player_writes_ends_a_letter_of_ours(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ends = (
        "\n.\nMAIL FROM:<evil@evil.example>\r.\rRCPT TO:<victim@elsewhere.example>\n..\n.\r\nDATA"
    )
    dialect = SmtpDialect({})
    with scripted(dialect) as server, closing(transport(server.host, server.port)) as link:
        league.transport = link
        ann.reply(f"{STANDING}\nSTORY\nIt was a dark night.{ends}")
        bob.reply(STANDING)
        league.work()
    assert league.store.count(Story.select()) == 1
    assert len(dialect.letters) == league.store.count(
        Outgoing.select().where(Outgoing.state == "sent")
    ) - len(league.post.letters)
    for raw in dialect.letters:
        assert not re.search(rb"\r(?!\n)|(?<!\r)\n", raw)
        assert b"\r\n.\r\n" not in raw
    recipients = [line for line in dialect.heard if line.startswith("RCPT")]
    assert not [line for line in recipients if "victim" in line]


REFUSED = {
    "a stranger's": ("Eve", "JOIN the circus, all of you: xyzzy"),
    "one without proof": ("Ann", "SURRENDER xyzzy"),
    "one whose name is taken": ("Eve", "JOIN Ann Example\nxyzzy"),
    "a sealed one": ("Ann", "-----BEGIN PGP MESSAGE-----\nxyzzy\n-----END PGP MESSAGE-----"),
}


@pytest.mark.parametrize(("name", "text"), REFUSED.values(), ids=REFUSED)
def test_fault_62_a_refusal_gives_no_word_of_the_letter_back(
    league: League, people: tuple[Person, Person], name: str, text: str
) -> None:
    person = league.person(name)
    before = len(person.letters)
    person.write(text, subject="xyzzy")
    league.work()
    answers = person.letters[before:]
    assert len(answers) == 1
    assert "xyzzy" not in answers[0].as_string()


def test_fault_62_answers_stay_small_however_long_a_thread_grows(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    orders = ("SCAN\nTARGET", "TARGET\nSCAN")
    sizes = [len(ann.ask(orders[number % 2]).as_bytes()) for number in range(14)]
    assert len(plain(ann.sent[-1])) > 3 * len(plain(ann.sent[0]))
    # An answer to orders of which none is possible now lists those that are, so it is longer.
    for alike in (sizes[2::2], sizes[3::2]):
        assert max(alike) - min(alike) < 400
