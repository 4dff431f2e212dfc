"""Letters that come back: only ours count, classified, and shown to those concerned."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from pbem.channels.mail.transport import Rejected
from pbem.outgoing import reachability
from pbem.settings import SettingsError
from pbem.settings.load import parse
from pbem.storage import Bounce, Place, Player
from tests.support.harness import League, Person, open_league
from tests.support.players import REFEREE, words

_NUMBERS = count(1)


class Envelopes:
    """A transport that keeps envelope senders, and refuses dead addresses at once if set to."""

    def __init__(self, league: League) -> None:
        self.league, self.senders, self.dead = league, dict[str, str](), set[str]()

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Keep a letter, or refuse it."""
        if recipient in self.dead:
            raise Rejected("550 5.1.1 no such user", 550, bad_address=True)
        self.senders[recipient] = sender
        self.league.post.send(sender, recipient, raw)

    def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture(params=[True, False], ids=["verp", "message-id"])
def league(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[League]:
    with open_league(tmp_path, verp=request.param) as opened:
        opened.transport = Envelopes(opened)
        yield opened


def envelopes(league: League) -> Envelopes:
    assert isinstance(league.transport, Envelopes)
    return league.transport


def bounce(
    to: str,
    failed: str,
    returned: str,
    status: str = "5.1.1",
    text: str = "no such user",
) -> bytes:
    """Write a delivery status as Postfix does (RFC 3464)."""
    whole = EmailMessage()
    whole["From"] = "Mail Delivery System <MAILER-DAEMON@mx.example>"
    whole["To"], whole["Subject"] = to, "Undelivered Mail Returned to Sender"
    whole["Return-Path"] = "<>"
    whole["Message-ID"] = f"<{next(_NUMBERS)}@mx.example>"
    whole.set_content(f"<{failed}>: host mx.example said: 550 {status} {text}")
    raw = whole.as_bytes().partition(b"\n\n")
    head = raw[0].replace(
        b'Content-Type: text/plain; charset="utf-8"',
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
    )
    body = (
        f"--x\nContent-Type: text/plain\n\n{raw[2].decode()}\n"
        "--x\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {failed}\nAction: failed\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; 550 {status} {text}\n\n"
        f"--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: {returned}\n\n--x--\n"
    )
    return head + b"\n\n" + body.encode()


def comes_back(league: League, person: Person, days: float = 0, **said: str) -> None:
    """Return the letter that a person got last as a bounce, some days later."""
    league.later(24 * days)
    to = envelopes(league).senders[person.address]
    league.drop(bounce(to, person.address, str(person.last["Message-ID"]), **said))
    league.work()


def lost(league: League) -> list[str]:
    """Name the players who are out of reach."""
    return [
        player.name for player, _ in reachability.all_out_of_reach(league.store, league.settings)
    ]


def kinds(league: League) -> list[str]:
    return [row.kind for row in league.store.all(Bounce.select().order_by(Bounce.ident))]


def dies(league: League, person: Person) -> None:
    """Return three letters as bounces over three days."""
    for _ in range(3):
        comes_back(league, person, 1)


def test_letters_carry_a_sender_of_their_own_only_with_verp(
    league: League, people: tuple[Person, Person]
) -> None:
    senders = {envelopes(league).senders[person.address] for person in people}
    if league.settings.league.verp:
        assert len(senders) == 2
        assert all(sender.startswith("referee+") for sender in senders)
    else:
        assert senders == {REFEREE}
    league.person("Eve").write("Hello")
    league.work()
    assert envelopes(league).senders["eve@league.example"] == REFEREE


def test_an_address_is_dead_after_three_hard_bounces_over_two_days(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    comes_back(league, ann, 0.1)
    comes_back(league, ann, 0.2)
    comes_back(league, ann, 0.2)
    assert (lost(league), kinds(league)) == ([], ["hard"] * 3)
    comes_back(league, ann, 1.7)
    assert lost(league) == ["Ann Example"]


def test_the_opponent_is_told_and_nothing_else_changes(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    dies(league, ann)
    before = league.game
    bob.new()
    assert league.game == before
    league.later(80)
    text = words(bob.new()[-1])
    assert "Letters to the player of Hawk come back" in text
    assert ann.address not in text
    assert league.game.running
    assert {
        place.seat: place.misses for place in league.store.all(Place.select().order_by(Place.id))
    }["Hawk"] <= 2


def test_any_letter_of_theirs_clears_it(league: League, people: tuple[Person, Person]) -> None:
    ann, bob = people
    dies(league, ann)
    ann.reply("SCAN", ann.last_about("[G"))
    bob.reply("SCAN", bob.last_about("[G"))
    league.work()
    assert lost(league) == []
    assert "come back" not in words(bob.last)


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        ("4.4.1", "connection timed out", "soft"),
        ("5.2.2", "mailbox full", "soft"),
        ("5.7.1", "message rejected as spam", "policy"),
    ],
)
def test_fault_26_bounces_for_what_was_in_a_letter_never_count(
    league: League, people: tuple[Person, Person], status: str, text: str, kind: str
) -> None:
    for _ in range(5):
        comes_back(league, people[0], 1, status=status, text=text)
    assert set(kinds(league)) == {kind}
    assert lost(league) == []


def forgeries(league: League, eve: Person, ann: Person) -> Iterator[bytes]:
    """What somebody could write to make Ann look dead who has no letter of hers."""
    own = envelopes(league).senders[eve.address]
    guessed = f"referee+{'a' * 16}@league.example"
    for to in (REFEREE, guessed):
        for returned in ("<guess@league.example>", "", ann.sent[-1]["Message-ID"]):
            yield bounce(to, ann.address, returned)
    if league.settings.league.verp:
        yield bounce(own, ann.address, "<guess@league.example>")
        yield bounce(REFEREE, ann.address, str(ann.last["Message-ID"]))
    else:
        yield bounce(own, ann.address, str(eve.last["Message-ID"]))
    yield f"From: MAILER-DAEMON@x.example\nX-Failed-Recipients: {ann.address}\n\n550".encode()


def test_fault_25_a_forged_bounce_naming_a_rival_has_no_effect(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, eve = people
    players = {
        player.name: player.id for player in league.store.all(Player.select().order_by(Player.id))
    }
    for _ in range(4):
        league.later(24)
        for forged in forgeries(league, eve, ann):
            league.drop(forged)
        league.work()
    assert league.store.count(Bounce.select().where(Bounce.player == players["Ann Example"])) == 0
    assert "Ann Example" not in lost(league)
    assert league.post.letters[-1][0] in (ann.address, eve.address)


def test_fault_11_a_server_that_knows_no_such_address_counts_as_well(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    envelopes(league).dead.add(ann.address)
    for _ in range(12):
        league.later(16)
        league.work()
    assert set(kinds(league)) == {"refused"}
    assert lost(league) == ["Ann Example"]


def test_a_token_of_the_month_before_is_still_known(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    league.now = league.now.replace(day=28)
    league.later(24 * 2)
    league.work()
    for _ in range(3):
        comes_back(league, ann, 1)
    assert len(kinds(league)) == 3


def test_a_bounce_in_free_form_counts_by_its_token(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    to, returned = envelopes(league).senders[ann.address], ann.last["Message-ID"]
    league.drop(
        f"From: MAILER-DAEMON@x.example\nTo: {to}\nReturn-Path: <>\n"
        "Subject: failure notice\n\nHi. This is the qmail-send program at x.example.\n"
        f"<{ann.address}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\n"
        f"Message-ID: {returned}\nTo: {ann.address}\n\nHello".encode()
    )
    league.work()
    assert kinds(league) == ["hard"]


REPORTS = [
    ("delivered", "2.0.0", "", "autoreply", []),
    ("relayed", "2.0.0", "", "autoreply", []),
    ("expanded (to a list)", "2.1.5", "", "autoreply", []),
    ("Delivered", "5.1.1", "", "autoreply", []),
    ("delayed", "4.4.1", "", "bounce", ["soft"]),
    ("delayed", "5.1.1", "smtp; 550 5.1.1 no such user", "bounce", ["soft"]),
    ("postponed", "5.1.1", "", "bounce", ["soft"]),
    ("", "5.1.1", "", "bounce", ["soft"]),
    ("failed", "", "", "bounce", ["soft"]),
    ("failed", "5.0.0", "smtp; 550 no such user", "bounce", ["soft"]),
    ("failed", "5.0.0", "smtp; 550 5.1.1 no such user", "bounce", ["hard"]),
    ("failed (bad mailbox)", "5.1.10", "", "bounce", ["hard"]),
    ("failed", "5.1.1", "smtp; 550 5.1.90 daily limit of recipients", "bounce", ["soft"]),
    ("failed", "5.1.1", "smtp; 550 5.7.1 blocked", "bounce", ["policy"]),
    ("failed", "5.1.100", "", "bounce", ["soft"]),
    ("failed", "5.1.8", "smtp; 501 5.1.8 bad sender", "bounce", ["soft"]),
    ("failed", "5.2.2", "smtp; 552 5.2.2 no such user: quota", "bounce", ["soft"]),
    ("failed", "5.6.0", "smtp; 554 5.6.0 content", "bounce", ["policy"]),
    ("failed", "5.3.4", "smtp; 552 too large", "bounce", ["policy"]),
    ("failed", "5.4.4", "unable to route", "bounce", ["soft"]),
]


@pytest.mark.parametrize(("action", "status", "diagnostic", "klass", "noted"), REPORTS)
def test_only_a_failure_for_want_of_an_address_is_hard(
    league: League,
    people: tuple[Person, Person],
    action: str,
    status: str,
    diagnostic: str,
    klass: str,
    noted: list[str],
) -> None:
    ann, _ = people
    to, returned = envelopes(league).senders[ann.address], str(ann.last["Message-ID"])
    raw = bounce(to, ann.address, returned).decode()
    raw = raw.replace("Action: failed\nStatus: 5.1.1\n", f"Action: {action}\nStatus: {status}\n")
    raw = raw.replace("smtp; 550 5.1.1 no such user", diagnostic)
    league.drop(raw.encode())
    league.work()
    assert league.last_letter().klass == klass
    assert kinds(league) == noted


@pytest.mark.parametrize("field", ["In-Reply-To", "References"])
def test_a_bounce_may_name_our_letter_as_what_it_answers(
    league: League, people: tuple[Person, Person], field: str
) -> None:
    ann, _ = people
    to, ours = envelopes(league).senders[ann.address], ann.last["Message-ID"]
    named = f"<another@x.example> {ours}" if field == "References" else ours
    raw = bounce(to, ann.address, "<changed@gateway.example>")
    league.drop(f"{field}: {named}\n".encode() + raw)
    league.work()
    assert kinds(league) == ["hard"]


def test_a_bounce_in_utf_8_counts(league: League, people: tuple[Person, Person]) -> None:
    ann, _ = people
    to, ours = envelopes(league).senders[ann.address], ann.last["Message-ID"]
    league.drop(
        f"From: Postmeister <postmaster@x.example>\nTo: {to}\nReturn-Path: <>\nSubject: Zurück\n"
        "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=global-delivery-status;"
        " boundary=x\n\n--x\nContent-Type: text/plain; charset=utf-8\n\nZurück\n"
        "--x\nContent-Type: message/global-delivery-status\nContent-Transfer-Encoding: 8bit\n\n"
        "Reporting-MTA: dns; x.example\n\nFinal-Recipient: utf-8; Jörg@täst.example\n"
        "Action: failed\nStatus: 5.1.1\n\n"
        f"--x\nContent-Type: message/global-headers\n\nSubject: Grüße\nMessage-ID: {ours}\n\n"
        "--x--\n".encode()
    )
    league.work()
    assert kinds(league) == ["hard"]


def test_verp_needs_plus_addresses(tmp_path: Path) -> None:
    section = {"name": "L", "address": REFEREE, "plus_addresses": False, "verp": True}
    with pytest.raises(SettingsError, match="verp"):
        parse({"league": section}, tmp_path)


def test_since_when_is_told(league: League, people: tuple[Person, Person]) -> None:
    dies(league, people[0])
    [(_, since)] = reachability.all_out_of_reach(league.store, league.settings)
    assert since == league.now - timedelta(days=2)
