"""The mail servers that the other tests rely on do what a mailbox program needs of them."""

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from tests.servers.dovecot import Dovecot
from tests.servers.host import MailHost
from tests.servers.installed import tls_only
from tests.servers.postfix import Postfix
from tests.servers.sink import smtp_sink

REFEREE = "referee@league.example"
ANN = "ann@league.example"


def letter(number: int = 1) -> bytes:
    lines = [
        f"From: {ANN}",
        f"To: {REFEREE}",
        f"Subject: letter {number}",
        f"Message-ID: <{number}@test.example>",
        "",
        ".leading dot",
        "Grüße",
        "",
    ]
    return "\r\n".join(lines).encode()


@contextmanager
def inbox(host: MailHost, user: str = REFEREE) -> Iterator[IMAPClient]:
    with host.reader(user) as client:
        client.select_folder("INBOX")
        yield client


def test_a_letter_by_smtp_is_pushed_into_idle(mail_servers: MailHost) -> None:
    with inbox(mail_servers) as client, mail_servers.writer(ANN) as smtp:
        client.idle()
        smtp.sendmail(ANN, ["referee+TOK7@league.example"], letter())
        assert (1, b"EXISTS") in client.idle_check(timeout=5)
        client.idle_done()
        [uid] = client.search()
        raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
    assert raw.endswith(letter())
    assert raw.startswith(f"Return-Path: <{ANN}>\r\n".encode())
    assert b"Delivered-To: referee+TOK7@league.example\r\n" in raw


def test_mail_before_idle_is_told_of_in_idle(mail_servers: MailHost) -> None:
    with inbox(mail_servers) as client:
        mail_servers.deliver(letter(), REFEREE)
        client.idle()
        pushed = client.idle_check(timeout=0.1)
        pushed += client.idle_done()[1]
    assert (1, b"EXISTS") in pushed


def test_search_sees_what_came_before_noop(mail_servers: MailHost) -> None:
    with inbox(mail_servers) as client:
        mail_servers.deliver(letter(), REFEREE)
        client.noop()
        assert len(client.search()) == 1


def test_fetching_tells_size_and_date_and_leaves_unread(mail_servers: MailHost) -> None:
    mail_servers.deliver(letter(), REFEREE)
    with inbox(mail_servers) as client:
        [uid] = client.search()
        facts = client.fetch([uid], ["BODY.PEEK[]", "RFC822.SIZE", "INTERNALDATE"])[uid]
        assert facts[b"RFC822.SIZE"] == len(facts[b"BODY[]"])
        assert facts[b"INTERNALDATE"].year > 2000
        assert client.search("UNSEEN") == [uid]


def test_uids_grow_and_uidvalidity_stays(mail_servers: MailHost) -> None:
    mail_servers.deliver(letter(1), REFEREE)
    with inbox(mail_servers) as client:
        before = client.folder_status("INBOX", ["UIDVALIDITY", "UIDNEXT"])
    mail_servers.deliver(letter(2), REFEREE)
    with inbox(mail_servers) as client:
        after = client.folder_status("INBOX", ["UIDVALIDITY", "UIDNEXT"])
        assert client.search(["UID", f"{before[b'UIDNEXT']}:*"]) == [before[b"UIDNEXT"]]
    assert after[b"UIDVALIDITY"] == before[b"UIDVALIDITY"]
    assert after[b"UIDNEXT"] == before[b"UIDNEXT"] + 1


def test_move_and_copy_with_uid_expunge(mail_servers: MailHost) -> None:
    for number in (1, 2):
        mail_servers.deliver(letter(number), REFEREE)
    with inbox(mail_servers) as client:
        first, second = client.search()
        client.create_folder("Done")
        client.move([first], "Done")
        client.copy([second], "Done")
        client.delete_messages([second])
        client.uid_expunge([second])
        assert client.search() == []
    assert len(mail_servers.inbox(REFEREE, folder="Done")) == 2


def test_unknown_recipients_get_550(mail_servers: MailHost) -> None:
    with mail_servers.writer(ANN) as smtp, pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        smtp.sendmail(ANN, ["nobody@league.example"], letter())
    assert refused.value.recipients["nobody@league.example"][0] == 550


def test_each_recipient_gets_a_copy(mail_servers: MailHost) -> None:
    with mail_servers.writer(ANN) as smtp:
        smtp.sendmail("", [REFEREE, "bob+x@league.example"], letter())
    for user in (REFEREE, "bob@league.example"):
        [raw] = mail_servers.wait_for_letters(user, 1)
        assert raw.startswith(b"Return-Path: <>\r\n")


def test_a_wrong_password_is_refused(mail_servers: MailHost) -> None:
    with IMAPClient(*mail_servers.imap, ssl=False) as client, pytest.raises(LoginError):
        client.login(ANN, "wrong")


def test_a_session_cut_off_in_idle_harms_nobody(mail_servers: MailHost) -> None:
    with mail_servers.reader(REFEREE) as cut:
        cut.select_folder("INBOX")
        cut.idle()
        cut.socket().shutdown(socket.SHUT_RDWR)
        mail_servers.deliver(letter(), REFEREE)
        assert len(mail_servers.inbox(REFEREE)) == 1
        cut.shutdown()


def test_a_letter_nested_too_deeply_is_refused(embedded: MailHost) -> None:
    parts = (
        f"Content-Type: multipart/mixed; boundary=b{depth}\r\n\r\n--b{depth}\r\n"
        for depth in range(2000)
    )
    with pytest.raises(smtplib.SMTPDataError, match="554"):
        embedded.deliver("".join(parts).encode(), REFEREE)
    embedded.deliver(letter(), REFEREE)
    assert len(embedded.inbox(REFEREE)) == 1


@pytest.mark.services
def test_tls_from_the_first_byte(installed: MailHost, dovecot: Dovecot, postfix: Postfix) -> None:
    host = tls_only(dovecot, postfix)
    with host.writer(ANN) as smtp:
        smtp.sendmail(ANN, [REFEREE], letter())
    assert len(host.wait_for_letters(REFEREE, 1)) == 1


@pytest.mark.services
def test_mail_waits_in_postfix_while_dovecot_is_down(
    installed: MailHost, dovecot: Dovecot, postfix: Postfix
) -> None:
    installed.deliver(letter(1), REFEREE)
    with dovecot.stopped(), smtplib.SMTP(*postfix.mx) as smtp:
        smtp.sendmail(ANN, [REFEREE], letter(2))
    assert len(installed.wait_for_letters(REFEREE, 2)) == 2


@pytest.mark.services
def test_uidvalidity_can_be_reset(installed: MailHost, dovecot: Dovecot) -> None:
    for number in (1, 2):
        installed.deliver(letter(number), REFEREE)
    with inbox(installed) as client:
        client.delete_messages(client.search()[:1])
        client.expunge()
        old = client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"]
    dovecot.reset_uidvalidity(REFEREE)
    with inbox(installed) as client:
        assert client.search() == [1]
        assert client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"] != old


@pytest.mark.services
def test_postfix_takes_strangers_mail_only_for_the_league(
    installed: MailHost, postfix: Postfix
) -> None:
    stranger = "stranger@elsewhere.example"
    with smtplib.SMTP(*postfix.mx) as smtp:
        smtp.sendmail(stranger, [REFEREE], letter())
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            smtp.sendmail(ANN, [stranger], letter())
    assert len(installed.wait_for_letters(REFEREE, 1)) == 1


@pytest.mark.services
def test_the_sink_swallows(smtp_tools: None) -> None:
    with smtp_sink() as sink, smtplib.SMTP(*sink.address) as smtp:
        smtp.sendmail(ANN, [REFEREE], letter())
        assert len(sink.letters()) == 1


@pytest.mark.services
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["-r", "data", "-b", "451 4.3.0 Later"], 451),
        (["-f", "data", "-B", "552 5.2.2 Full"], 552),
    ],
)
def test_the_sink_refuses(smtp_tools: None, options: list[str], code: int) -> None:
    with (
        smtp_sink(*options) as sink,
        smtplib.SMTP(*sink.address) as smtp,
        pytest.raises(smtplib.SMTPDataError) as refused,
    ):
        smtp.sendmail(ANN, [REFEREE], letter())
    assert refused.value.smtp_code == code
