"""Letters that come back: only ours count, classified, and shown to those concerned."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from pbem.mail.transport import Rejected
from pbem.outgoing import reachability
from pbem.settings import SettingsError
from pbem.settings.load import parse
from tests.harness import House, Person, duel, open_house
from tests.players import REFEREE, words

_NUMBERS = count(1)


class Envelopes:
    """A transport that keeps envelope senders, and refuses dead addresses at once if set to."""

    def __init__(self, house: House) -> None:
        self.house, self.senders, self.dead = house, dict[str, str](), set[str]()

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Keep a letter, or refuse it."""
        if recipient in self.dead:
            raise Rejected("550 5.1.1 no such user", 550, bad_address=True)
        self.senders[recipient] = sender
        self.house.post.send(sender, recipient, raw)

    def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture(params=[True, False], ids=["verp", "message-id"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, verp=request.param) as opened:
        opened.transport = Envelopes(opened)
        yield opened


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    return duel(house)


def envelopes(house: House) -> Envelopes:
    assert isinstance(house.transport, Envelopes)
    return house.transport


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


def comes_back(house: House, person: Person, days: float = 0, **said: str) -> None:
    """Return the letter that a person got last as a bounce, some days later."""
    house.later(24 * days)
    to = envelopes(house).senders[person.address]
    house.drop(bounce(to, person.address, str(person.last["Message-ID"]), **said))
    house.work()


def lost(house: House) -> list[str]:
    """Name the players who are out of reach."""
    return [player.name for player, _ in reachability.all_out_of_reach(house.store, house.settings)]


def kinds(house: House) -> list[str]:
    return [row.kind for row in house.store.bounces.all()]


def dies(house: House, person: Person) -> None:
    """Return three letters as bounces over three days."""
    for _ in range(3):
        comes_back(house, person, 1)


def test_letters_carry_a_sender_of_their_own_only_with_verp(
    house: House, people: tuple[Person, Person]
) -> None:
    senders = {envelopes(house).senders[person.address] for person in people}
    if house.settings.league.verp:
        assert len(senders) == 2
        assert all(sender.startswith("referee+") for sender in senders)
    else:
        assert senders == {REFEREE}
    house.person("Eve").write("Hello")
    house.work()
    assert envelopes(house).senders["eve@league.example"] == REFEREE


def test_an_address_is_dead_after_three_hard_bounces_over_two_days(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    comes_back(house, ann, 0.1)
    comes_back(house, ann, 0.2)
    comes_back(house, ann, 0.2)
    assert (lost(house), kinds(house)) == ([], ["hard"] * 3)
    comes_back(house, ann, 1.7)
    assert lost(house) == ["Ann Example"]


def test_the_opponent_is_told_and_nothing_else_changes(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    dies(house, ann)
    before = house.game
    bob.new()
    assert house.game == before
    house.later(80)
    told = words(bob.new()[-1])
    assert "Letters to the player of Hawk come back" in told
    assert ann.address not in told
    assert house.game.running
    assert {place.seat: place.misses for place in house.store.places.all()}["Hawk"] <= 2


def test_any_letter_of_theirs_clears_it(house: House, people: tuple[Person, Person]) -> None:
    ann, bob = people
    dies(house, ann)
    ann.reply("SCAN", ann.last_about("[G"))
    bob.reply("SCAN", bob.last_about("[G"))
    house.work()
    assert lost(house) == []
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
    house: House, people: tuple[Person, Person], status: str, text: str, kind: str
) -> None:
    for _ in range(5):
        comes_back(house, people[0], 1, status=status, text=text)
    assert set(kinds(house)) == {kind}
    assert lost(house) == []


def forgeries(house: House, eve: Person, ann: Person) -> Iterator[bytes]:
    """What somebody could write to make Ann look dead who has no letter of hers."""
    own = envelopes(house).senders[eve.address]
    guessed = f"referee+{'a' * 16}@league.example"
    for to in (REFEREE, guessed):
        for returned in ("<guess@league.example>", "", ann.sent[-1]["Message-ID"]):
            yield bounce(to, ann.address, returned)
    if house.settings.league.verp:
        yield bounce(own, ann.address, "<guess@league.example>")
        yield bounce(REFEREE, ann.address, str(ann.last["Message-ID"]))
    else:
        yield bounce(own, ann.address, str(eve.last["Message-ID"]))
    yield f"From: MAILER-DAEMON@x.example\nX-Failed-Recipients: {ann.address}\n\n550".encode()


def test_fault_25_a_forged_bounce_naming_a_rival_has_no_effect(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, eve = people
    players = {player.name: player.id for player in house.store.players.all()}
    for _ in range(4):
        house.later(24)
        for forged in forgeries(house, eve, ann):
            house.drop(forged)
        house.work()
    assert house.store.bounces.count(player=players["Ann Example"]) == 0
    assert "Ann Example" not in lost(house)
    assert house.post.letters[-1][0] in (ann.address, eve.address)


def test_fault_11_a_server_that_knows_no_such_address_counts_as_well(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    envelopes(house).dead.add(ann.address)
    for _ in range(12):
        house.later(16)
        house.work()
    assert set(kinds(house)) == {"refused"}
    assert lost(house) == ["Ann Example"]


def test_a_token_of_the_month_before_is_still_known(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    house.now = house.now.replace(day=28)
    house.later(24 * 2)
    house.work()
    for _ in range(3):
        comes_back(house, ann, 1)
    assert len(kinds(house)) == 3


def test_a_bounce_in_free_form_counts_by_its_token(
    house: House, people: tuple[Person, Person]
) -> None:
    ann, _ = people
    to, returned = envelopes(house).senders[ann.address], ann.last["Message-ID"]
    house.drop(
        f"From: MAILER-DAEMON@x.example\nTo: {to}\nReturn-Path: <>\n"
        "Subject: failure notice\n\nHi. This is the qmail-send program at x.example.\n"
        f"<{ann.address}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\n"
        f"Message-ID: {returned}\nTo: {ann.address}\n\nHello".encode()
    )
    house.work()
    assert kinds(house) == ["hard"]


def test_verp_needs_plus_addresses(tmp_path: Path) -> None:
    league = {"name": "L", "address": REFEREE, "plus_addresses": False, "verp": True}
    with pytest.raises(SettingsError, match="verp"):
        parse({"league": league}, tmp_path)


def test_since_when_is_told(house: House, people: tuple[Person, Person]) -> None:
    dies(house, people[0])
    [(_, since)] = reachability.all_out_of_reach(house.store, house.settings)
    assert since == house.now - timedelta(days=2)
