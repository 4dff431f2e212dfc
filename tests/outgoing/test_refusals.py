"""A refusal that may be about us gives up no letter, and counts against no player."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

import pytest

from pbem.channels.mail.congestion import Congestion
from pbem.channels.mail.transport import Deferred, SmtpAccount, SmtpTransport, TransportDown
from pbem.outgoing import delivery
from pbem.outgoing.reachability import all_out_of_reach
from pbem.service.health import examine
from pbem.storage import Bounce, Outgoing, Player
from tests.support.harness import League, Person
from tests.support.scripted_server import SmtpDialect, scripted

ABOUT_US = [
    ("END", "550 5.4.5 Daily user sending limit exceeded."),
    ("END", "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException"),
    ("END", "554 5.2.2 mailbox full; STOREDRV.Submission.Exception:QuotaExceededException"),
    ("END", "550 5.1.8 Access denied, bad outbound sender AS(42004)"),
    ("END", "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP."),
    ("END", "554 5.7.60 SMTP; Client does not have permissions to send as this sender"),
    ("END", "535 5.7.3 Authentication unsuccessful"),
    ("RCPT", "550 5.1.90 Your message can't be sent because you've reached your daily limit"),
    ("RCPT", "550 Domain example.net has exceeded the max emails per hour (50/50 (100%)) allowed."),
    ("RCPT", "554 5.7.1 <ann@league.example>: Relay access denied"),
    ("RCPT", "550 5.7.232 Your message can't be sent because your trial tenant has exceeded its"),
    ("RCPT", "550-Ihr Tageslimit ist erreicht\r\n550 morgen wieder"),
    ("RCPT", "521 5.1.10x"),
    ("RCPT", "503 5.5.1 RCPT out of order"),
    ("DATA", "550 5.7.1 Sie haben Ihr Kontingent ausgeschöpft"),
    ("DATA", "502 5.5.2 no"),
]


@contextmanager
def server(**answers: str) -> Iterator[tuple[SmtpDialect, SmtpTransport]]:
    """Serve SMTP with some answers of its own, and yield it with a transport to it."""
    dialect = SmtpDialect({verb: [f"{said}\r\n".encode()] for verb, said in answers.items()})
    with scripted(dialect) as opened:
        account = SmtpAccount(host=opened.host, port=opened.port, tls="none", timeout=5)
        with closing(SmtpTransport(account)) as transport:
            yield dialect, transport


def queue(league: League, people: tuple[Person, ...], number: int = 0) -> None:
    """Queue a letter to each."""
    for player in league.store.all(Player.select().order_by(Player.id)):
        league.service.ports.outbox.write(player, "refused", league.now, ident=("test", number))


def states(league: League) -> list[str]:
    return [
        row.state
        for row in league.store.all(
            Outgoing.select().where(Outgoing.kind == "refused").order_by(Outgoing.id)
        )
    ]


def troubles(league: League) -> set[str]:
    found = examine(league.settings, league.store, league.now)
    # No test here reads the mailbox.
    return {one.key for one in found.troubles} - {"poll"}


@pytest.mark.parametrize(("stage", "said"), ABOUT_US)
def test_fault_11_all_letters_wait_and_arrive_once_we_are_taken_again(
    league: League, people: tuple[Person, Person], stage: str, said: str
) -> None:
    for number in range(10):
        queue(league, people, number)
    with server(**{stage: said}) as (dialect, transport):
        for _ in range(6):
            league.service.delivery.flush(transport, lambda: league.now)
            assert set(states(league)) == {"queued"}
            league.later(1)
        # The server is left alone: each hour one letter or two.
        assert sum(line.startswith("RCPT") for line in dialect.heard) <= 12
        assert {"server", "refused"} <= troubles(league)
        dialect.answers = {}
        league.later(6)
        league.service.delivery.flush(transport, lambda: league.now)
    assert set(states(league)) == {"sent"}
    assert league.store.count(Bounce.select()) == 0
    assert not all_out_of_reach(league.store, league.settings)
    assert troubles(league) == set()


def test_one_letter_that_is_refused_keeps_no_other(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    for number in range(4):
        queue(league, people, number)

    class Picky:
        def send(self, sender: str, recipient: str, raw: bytes) -> None:
            if recipient == ann.address:
                raise Deferred("550 we do not like her", 550)

        def close(self) -> None: ...

    for _ in range(40):
        league.service.delivery.flush(Picky(), lambda: league.now)
        league.later(2)
    found = league.store.all(
        Outgoing.select().where(Outgoing.kind == "refused").order_by(Outgoing.id)
    )
    assert {row.recipient for row in found if row.state == "sent"} == {bob.address}
    assert {row.state for row in found if row.recipient == ann.address} == {"queued"}
    # After five days they are given up, and the moderator is told; she is not to blame.
    for _ in range(40):
        league.service.delivery.flush(Picky(), lambda: league.now)
        league.later(6)
    assert {row.state for row in found} == {"queued", "sent"}
    assert (
        league.store.count(
            Outgoing.select().where(Outgoing.state == "failed", Outgoing.fault == "server")
        )
        == 4
    )
    assert "given_up" in troubles(league)
    assert league.store.count(Bounce.select()) == 0


def test_an_address_that_does_not_exist_is_no_trouble(
    league: League, people: tuple[Person, Person]
) -> None:
    queue(league, people)
    with server(RCPT="550 5.1.1 User unknown") as (_, transport):
        league.service.delivery.flush(transport, lambda: league.now)
    assert set(states(league)) == {"failed"}
    assert {row.kind for row in league.store.all(Bounce.select().order_by(Bounce.ident))} == {
        "refused"
    }
    assert troubles(league) == set()


def test_a_server_that_takes_nothing_from_our_address_is_told_at_once(
    league: League, people: tuple[Person, Person]
) -> None:
    queue(league, people)
    with server(MAIL="550 5.7.1 Sender rejected") as (_, transport):
        with pytest.raises(TransportDown) as down:
            league.service.delivery.flush(transport, lambda: league.now)
        assert down.value.refused
    assert set(states(league)) == {"queued"}
    assert troubles(league) == {"server"}
    assert sum(row.tries for row in league.store.all(Outgoing.select().order_by(Outgoing.id))) == 0


def test_a_server_that_is_away_is_told_after_a_while(
    league: League, people: tuple[Person, Person]
) -> None:
    class Away:
        def send(self, sender: str, recipient: str, raw: bytes) -> None:
            raise TransportDown("nothing listens")

        def close(self) -> None: ...

    queue(league, people)
    for hours, told in ((0, False), (0.9, False), (0.2, True)):
        league.later(hours)
        with pytest.raises(TransportDown):
            league.service.delivery.flush(Away(), lambda: league.now)
        assert ("server" in troubles(league)) == told


BEFORE_ANY_LETTER = [
    ("GREETING", "554 5.7.1 your address is blocked", True),
    ("GREETING", "421 4.7.0 too many connections", False),
    ("EHLO", "550 5.7.1 go away", True),
    ("STARTTLS", "454 4.7.0 TLS is not available", False),
    ("STARTTLS", "554 5.7.3 unable to initialise", True),
    ("AUTH", "535 5.7.8 wrong password", True),
    ("AUTH", "535 5.7.139 SmtpClientAuthentication is disabled", True),
    ("AUTH", "550 5.4.5 Daily user sending limit exceeded", True),
    ("AUTH", "454 4.7.0 Too many login attempts", False),
    ("AUTH", "421 4.7.0 try again later", False),
    ("MAIL", "530 5.7.0 authentication required", True),
    ("MAIL", "550 5.7.60 may not send as this sender", True),
    ("MAIL", "550 5.1.1 who are you", True),
    ("MAIL", "550 5.4.5 daily limit", True),
    ("MAIL", "555 5.5.4 unsupported option SIZE", True),
]


@pytest.mark.parametrize(("stage", "said", "refused"), BEFORE_ANY_LETTER)
def test_what_names_us_costs_no_letter_a_try(
    league: League, people: tuple[Person, Person], stage: str, said: str, refused: bool
) -> None:
    queue(league, people)
    reply = [f"{said}\r\n".encode()]
    greeting = reply if stage == "GREETING" else [b"220 ready\r\n"]
    answers = {stage: reply} | ({"HELO": reply} if stage == "EHLO" else {})
    features = ("localhost", "STARTTLS", "AUTH PLAIN")
    with scripted(SmtpDialect(answers, features, greeting)) as opened:
        account = SmtpAccount(
            host=opened.host,
            port=opened.port,
            tls="starttls" if stage == "STARTTLS" else "none",
            user="referee" if stage == "AUTH" else None,
            password="secret",
            timeout=5,
        )
        with closing(SmtpTransport(account)) as transport, pytest.raises(TransportDown) as down:
            league.service.delivery.flush(transport, lambda: league.now)
    assert down.value.refused == refused
    assert said.split(" ", 1)[1] in str(down.value)
    assert set(states(league)) == {"queued"}
    assert sum(row.tries for row in league.store.all(Outgoing.select().order_by(Outgoing.id))) == 0
    assert ("server" in troubles(league)) == refused
    [failing] = examine(league.settings, league.store, league.now).failing
    assert said in failing


def test_a_letter_that_is_too_large_is_given_up_alone(
    league: League, people: tuple[Person, Person]
) -> None:
    queue(league, people)
    with server(MAIL="552 5.3.4 Message size exceeds fixed limit") as (_, transport):
        league.service.delivery.flush(transport, lambda: league.now)
    assert set(states(league)) == {"failed"}
    assert troubles(league) == {"given_up"}
    assert league.store.count(Bounce.select()) == 0


def test_pauses_grow_and_end_with_the_first_letter_taken(
    league: League, people: tuple[Person, Person]
) -> None:
    assert delivery.AFTER_REFUSAL.first == 300
    congestion = Congestion()
    pauses = list[timedelta]()
    for number in range(9):
        congestion.refused(f"p{number}@{number}.example", league.now)
        until = congestion.until("other@well.example", league.now)
        pauses.append(until - league.now if until else timedelta())
        league.now = until or league.now
    assert pauses[0] == timedelta()
    assert timedelta(minutes=5) <= pauses[1] <= pauses[-1] <= timedelta(hours=1)
    congestion.refused("z@x.example", league.now)
    congestion.took("y@y.example")
    assert congestion.until("z@x.example", league.now) is None
