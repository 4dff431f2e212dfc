"""Letters as bytes: a composed letter parses back to the same, whatever a player wrote."""

import email
import email.policy
import re
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from typing import Any

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.channels.mail.mime_writer import (
    LONGEST_VALUE,
    Attachment,
    Envelope,
    cleaned,
    compose,
    mailbox,
)
from pbem.outgoing.calendar_files import Appointment, calendar

WHEN = datetime(2026, 11, 24, 20, 0, tzinfo=timezone(timedelta(hours=1)))
CORE: dict[str, Any] = {
    "league": "Avalon League",
    "address": "referee@avalon.example",
    "to": "anna@home.example",
    "to_name": "Anna",
    "reply_to": "referee+abcdefgh@avalon.example",
    "date": WHEN,
    "message_id": "<one@avalon.example>",
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


def envelope(**changes: Any) -> Envelope:
    return Envelope(**(CORE | changes))


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    for part in message.walk():
        assert part.defects == []
    return message


def bodies(raw: bytes) -> tuple[str, str]:
    message = parsed(raw)
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    plain_text, html_text = plain.get_content(), html.get_content()
    return plain_text.replace("\r\n", "\n"), html_text.replace("\r\n", "\n")


def lined(text: str) -> str:
    return re.sub("\r\n|\r", "\n", text).rstrip("\n") + "\n"


def test_the_header_says_all_that_a_letter_needs() -> None:
    raw = compose(
        envelope(answers="<two@home.example>", thread=["<zero@x.example>", "<two@home.example>"]),
        "[G1-T2 tok] Hawk against Kestrel",
        "text",
        "<p>text",
    )
    message = parsed(raw)
    assert dict(message.items()) == {
        "From": "Avalon League <referee@avalon.example>",
        "To": "Anna <anna@home.example>",
        "Reply-To": "Avalon League <referee+abcdefgh@avalon.example>",
        "Subject": "[G1-T2 tok] Hawk against Kestrel",
        "Date": "Tue, 24 Nov 2026 19:00:00 +0000",
        "Message-ID": "<one@avalon.example>",
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "OOF, AutoReply",
        "X-PBEM-Loop": "referee@avalon.example",
        "In-Reply-To": "<two@home.example>",
        "References": "<zero@x.example> <two@home.example>",
        "MIME-Version": "1.0",
        "Content-Type": message["Content-Type"],
    }


def test_the_same_letter_has_the_same_bytes() -> None:
    made = [compose(envelope(), "Subject", "text", "<p>text") for _ in range(2)]
    assert made[0] == made[1]


def test_attachments_stand_beside_both_parts() -> None:
    files = [
        Attachment("deadline.ics", "text/calendar; method=PUBLISH; charset=utf-8", b"BEGIN\r\n"),
        Attachment("verify\r\nX: y.py", "text/x-python", bytes(range(256)) * 3),
        Attachment("empty", "text/plain", b""),
    ]
    message = parsed(compose(envelope(), "Subject", "täxt", "<p>täxt", files))
    assert message.get_content_type() == "multipart/mixed"
    assert [part.get_content_type() for part in message.iter_parts()] == [
        "multipart/alternative",
        "text/calendar",
        "text/x-python",
        "text/plain",
    ]
    found = list(message.iter_attachments())
    assert [part.get_payload(decode=True) for part in found] == [file.data for file in files]
    assert found[1].get_filename() == "verify--X--y.py"
    assert found[0].get_content_type() == "text/calendar"


@pytest.mark.parametrize(
    ("text", "coding"),
    [
        ("plain words\n" * 99, "7bit"),
        ("é", "quoted-printable"),
        ("x" * 998, "7bit"),
        ("x" * 999, "quoted-printable"),
        ("nul\x00", "quoted-printable"),
        ("form\x0cfeed", "quoted-printable"),
    ],
)
def test_text_is_coded_only_where_it_must_be(text: str, coding: str) -> None:
    raw = compose(envelope(), "Subject", text, "<p>")
    plain = parsed(raw).get_body(("plain",))
    assert plain is not None
    assert plain["Content-Transfer-Encoding"] == coding


@given(TEXTS, TEXTS)
def test_bodies_parse_back_to_the_same(text: str, html: str) -> None:
    raw = compose(envelope(), "Subject", text, html, [Attachment("a", "text/plain", b"a")])
    assert bodies(raw) == (lined(text), lined(html))


@given(TEXTS, TEXTS, TEXTS)
def test_any_letter_is_ascii_in_short_lines_that_end_in_crlf(
    subject: str, text: str, name: str
) -> None:
    raw = compose(envelope(to_name=name, league=name), subject, text, text)
    assert raw.isascii()
    assert b"\0" not in raw
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert b"\n" not in raw.replace(b"\r\n", b"")


@given(TEXTS)
def test_a_subject_parses_back_to_the_same(subject: str) -> None:
    raw = compose(envelope(), subject, "text", "<p>")
    head = raw.partition(b"\r\n\r\n")[0]
    assert all(len(line) <= 78 for line in head.split(b"\r\n"))
    assert parsed(raw)["Subject"] == cleaned(subject)


@given(TEXTS)
def test_names_parse_back_to_the_same(name: str) -> None:
    message = parsed(compose(envelope(to_name=name), "Subject", "text", "<p>"))
    (to,) = message["To"].addresses
    assert to.addr_spec == "anna@home.example"
    # Python's own parser leaves a space between the encoded words of a long name.
    assert to.display_name.replace(" ", "") == cleaned(name).replace(" ", "")


@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r", "\x00", "\x85", "\u2028", "\x0b", "\x1c"])
def test_fault_37_nobody_writes_a_header_of_their_own(ending: str) -> None:
    evil = f"Hawk{ending}Bcc: victim@x.example{ending}{ending}body"
    raw = compose(
        envelope(to_name=evil, league=evil, answers=f"<a@b>{ending}Bcc: x", thread=[evil]),
        evil,
        "text",
        "<p>",
        [Attachment(evil, f"text/plain{ending}Bcc: x@y", b"")],
    )
    message = parsed(raw)
    assert "Bcc" not in message
    assert all("Bcc" not in part for part in message.walk())
    assert message["Subject"] == "Hawk Bcc: victim@x.example body"
    assert message["In-Reply-To"] == "<a@b>"


def test_what_reads_as_an_encoded_word_is_not_decoded() -> None:
    trap = "=?utf-8?q?Hawk=0D=0ABcc:_x?="
    message = parsed(compose(envelope(to_name=trap), trap, "text", "<p>"))
    assert message["Subject"] == trap
    assert message["To"].addresses[0].display_name == trap


@pytest.mark.parametrize(
    "address", ["", "anna", "a@b\r\nBcc: c@d", "a b@c", "<a@b>", "a@b, c@d", "å@b.example"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not a mail address"):
        compose(envelope(to=address), "Subject", "text", "<p>")


@pytest.mark.parametrize("message_id", ["", "one@x", "<a b@c>", "<a@b>\r\nBcc: c@d"])
def test_what_is_no_message_id_is_refused(message_id: str) -> None:
    with pytest.raises(ValueError, match="not a Message-ID"):
        compose(envelope(message_id=message_id), "Subject", "text", "<p>")


def test_a_long_thread_keeps_its_first_letter_and_its_latest() -> None:
    thread = [f"<{n}@x.example>" for n in range(50)]
    found = parsed(compose(envelope(thread=thread), "Subject", "text", "<p>"))["References"]
    assert found.split() == [thread[0], *thread[-19:]]


def test_a_body_that_holds_the_boundary_gets_another() -> None:
    raw = compose(envelope(), "Subject", "text", "<p>")
    boundary = re.search(rb'boundary="([^"]+)"', raw)
    assert boundary is not None
    text = f"--{boundary[1].decode()}\nContent-Type: text/html\n\nevil"
    assert bodies(compose(envelope(), "Subject", text, "<p>")) == (lined(text), "<p>\n")


def test_values_are_cut_at_a_length() -> None:
    assert len(cleaned("x" * 9999)) == LONGEST_VALUE
    assert mailbox("", "a@b.example") == "a@b.example"


def test_a_deadline_is_an_event_that_a_later_one_replaces() -> None:
    raw = calendar(
        Appointment(
            uid="G12@avalon.example",
            when=WHEN.astimezone(UTC),
            sequence=3,
            made=WHEN.astimezone(UTC) - timedelta(hours=72),
            organizer="referee@avalon.example",
            title="Orders; due,\nnow",
            text="Game 12\r\nBEGIN:X",
        )
    )
    assert b"\r\nMETHOD:PUBLISH\r\n" in raw
    assert b"\r\nDTSTAMP:20261121T190000Z\r\n" in raw
    assert b"\r\nDTSTART:20261124T190000Z\r\n" in raw
    (event,) = icalendar.Calendar.from_ical(raw).walk("VEVENT")
    assert str(event["UID"]) == "G12@avalon.example"
    assert event["SEQUENCE"] == 3
    assert str(event["SUMMARY"]) == "Orders; due, now"
    assert str(event["DESCRIPTION"]) == "Game 12 BEGIN:X"
