"""Outgoing letters: words and attachments to bytes, the same bytes each time.

This does not use the email package for writing, which takes at least four times as long
(docs/decisions/0023). The result is plain RFC 5322 and 2045 to 2047, entirely in ASCII.
"""

import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from typing import Literal

LONGEST_LINE = 998
LONGEST_VALUE = 400
KEPT_REFERENCES = 20

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,200}@[A-Za-z0-9.-]{1,253}")
_IDENTITY = re.compile(r"<[!-;=?-~]{1,900}>")
_LONG = re.compile(f".{{{LONGEST_LINE + 1}}}")
_PLAIN = bytes([*b"\t\r\n", *range(32, 127)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """All that a letter's header says except its Subject.

    `answers` are the Message-IDs of In-Reply-To, `thread` those of References. An article needs no
    `reply_to`, and one for newsgroups no `to`. `fields` are additional ones, by their names.
    """

    league: str
    address: str
    to: str = ""
    to_name: str = ""
    reply_to: str = ""
    date: datetime
    message_id: str
    answers: str = ""
    thread: Sequence[str] = ()
    automatic: Literal["auto-replied", "auto-generated"] = "auto-replied"
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to a letter; `kind` is its full Content-Type, such as text/plain."""

    name: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Inline:
    """A PNG that the HTML part shows, as `cid:` and its name there (RFC 2392)."""

    cid: str
    data: bytes


def compose(
    envelope: Envelope,
    subject: str,
    text: str,
    html: str | None,
    attachments: Sequence[Attachment] = (),
    pictures: Sequence[Inline] = (),
) -> bytes:
    """Return a letter, as text alone if `html` is None; pictures go with the HTML (RFC 2387).

    Raise ValueError if an address or Message-ID is invalid.
    """
    # Boundaries follow from the Message-ID, because a letter made twice must have equal bytes.
    seed = sha256(envelope.message_id.encode()).hexdigest()[:24]
    body = _words("plain", text)
    if html is not None:
        shown = _words("html", html)
        if pictures:
            shown = _parts("related", f"=_r{seed}", [shown, *map(_inline, pictures)])
        body = _parts("alternative", f"=_a{seed}", [body, shown])
    if attachments:
        body = _parts("mixed", f"=_m{seed}", [body, *map(_attached, attachments)])
    to = f"To: {mailbox(envelope.to_name, envelope.to)}"
    reply_to = f"Reply-To: {mailbox(envelope.league, envelope.reply_to)}"
    return _header(envelope, subject, to, reply_to) + body


def article(envelope: Envelope, subject: str, text: str, newsgroups: str = "") -> bytes:
    """Return a text for many: for a list's address, or for newsgroups (RFC 5536)."""
    to = f"Newsgroups: {cleaned(newsgroups)}" if newsgroups else f"To: {_address(envelope.to)}"
    return _header(envelope, subject, to) + _words("plain", text)


def _header(envelope: Envelope, subject: str, *addressed: str) -> bytes:
    """Return all fields but those of the body's first part, in an order that never changes."""
    lines = [
        f"From: {mailbox(envelope.league, envelope.address)}",
        *addressed,
        # With the name and its colon a line stays below 78 columns (RFC 5322, 2.1.1).
        "Subject: " + "\r\n ".join(_folded(subject, 66)),
        f"Date: {_date(envelope.date)}",
        f"Message-ID: {_identity(envelope.message_id)}",
        f"Auto-Submitted: {envelope.automatic}",
        "X-Auto-Response-Suppress: OOF, AutoReply",
        f"X-PBEM-Loop: {_address(envelope.address)}",
    ]
    lines += [f"{name}: {cleaned(value)}" for name, value in envelope.fields.items()]
    # In-Reply-To names one letter, although the field of the answered letter may name several.
    answers, thread = _identities([envelope.answers])[-1:], _identities(envelope.thread)
    lines += [f"In-Reply-To: {one}" for one in answers]
    if thread:
        lines.append("References: " + "\r\n ".join(_shortened(thread)))
    return "\r\n".join([*lines, "MIME-Version: 1.0", ""]).encode("ascii")


@lru_cache(maxsize=16)
def _date(when: datetime) -> str:
    return format_datetime(when.astimezone(UTC))


def visible(value: str) -> str:
    """Return text as one line: no controls, no line ends, nothing that changes the direction."""
    return value if value.isprintable() else _UNSEEN.sub(" ", value)


def cleaned(value: str) -> str:
    """Return text as a valid header value, shortened to a length that a header allows."""
    return " ".join(visible(value).split())[:LONGEST_VALUE].rstrip()


@lru_cache(maxsize=256)
def mailbox(name: str, address: str) -> str:
    """Return a name and an address in the form for From or To."""
    name = cleaned(name)
    if not name:
        return _address(address)
    if _is_plain(name):
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        words = f'"{escaped}"'
    else:
        words = "\r\n ".join(_encoded(name))
    # So that the line with the field's name stays below 78 columns.
    gap = "\r\n " if len(words) + len(address) > 60 else " "
    return f"{words}{gap}<{_address(address)}>"


def is_address(text: str) -> bool:
    """Return whether a text is a mail address in plain ASCII."""
    return _ADDRESS.fullmatch(text) is not None


def _address(address: str) -> str:
    if not is_address(address):
        raise ValueError(f"{address!r} is not a mail address")
    return address


def _identity(message_id: str) -> str:
    if not _IDENTITY.fullmatch(message_id):
        raise ValueError(f"{message_id!r} is not a Message-ID")
    return message_id


def _identities(values: Sequence[str]) -> list[str]:
    """Return the Message-IDs in values from another's letter, each once."""
    return list(dict.fromkeys(one for value in values for one in _IDENTITY.findall(value)))


def _shortened(thread: list[str]) -> list[str]:
    """Return a thread's first letter and its latest (as RFC 5537 does with long References)."""
    if len(thread) <= KEPT_REFERENCES:
        return thread
    return [thread[0], *thread[1 - KEPT_REFERENCES :]]


def _is_plain(value: str) -> bool:
    """Return whether a value needs no encoding: ASCII, and nothing that looks encoded."""
    return value.isascii() and "=?" not in value and len(value) <= 70


def _folded(value: str, room: int) -> list[str]:
    """Return a value broken into a header's lines, in encoded words if it is not plain."""
    value = cleaned(value)
    words = value.split(" ")
    if not value.isascii() or "=?" in value or max(map(len, words)) > room:
        return _encoded(value)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < room:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _encoded(value: str) -> list[str]:
    """Return encoded words (RFC 2047) of at most 75 characters, never splitting a character."""
    chunks: list[bytes] = [b""]
    for character in value:
        data = character.encode("utf-8", "replace")
        # 42 bytes are 56 characters of base64, which with =?utf-8?b?…?= stay below 75.
        if len(chunks[-1]) + len(data) > 42:
            chunks.append(b"")
        chunks[-1] += data
    return [
        f"=?utf-8?b?{binascii.b2a_base64(chunk, newline=False).decode('ascii')}?="
        for chunk in chunks
    ]


def _words(kind: str, text: str) -> bytes:
    """Return a text part: as it is if it is ASCII with short lines, else quoted-printable."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    data = text.replace("\n", "\r\n").encode("utf-8", "replace")
    coding = "7bit"
    # Longer lines than 998 may not be sent as they are (RFC 5322, 2.1.1).
    if data.translate(None, _PLAIN) or _LONG.search(text):
        data, coding = binascii.b2a_qp(data, istext=True), "quoted-printable"
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: {coding}"
    return head.encode("ascii") + b"\r\n\r\n" + data


def _inline(picture: Inline) -> bytes:
    head = (
        f"Content-Type: image/png\r\nContent-ID: <{picture.cid}>\r\nContent-Disposition: inline\r\n"
    )
    return _base64(head, picture.data)


def _attached(attachment: Attachment) -> bytes:
    name = re.sub(r"[^A-Za-z0-9._-]", "-", attachment.name)
    head = (
        f"Content-Type: {cleaned(attachment.kind)}\r\n"
        f'Content-Disposition: attachment; filename="{name}"\r\n'
    )
    return _base64(head, attachment.data)


def _base64(head: str, content: bytes) -> bytes:
    """Return a part of bytes below its header."""
    head += "Content-Transfer-Encoding: base64\r\n\r\n"
    coded = binascii.b2a_base64(content, newline=False)
    lines = b"\r\n".join([coded[at : at + 76] for at in range(0, len(coded), 76)])
    return head.encode("ascii") + lines + b"\r\n"


def _parts(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    """Return parts between boundaries; the boundary grows if a part contains it."""
    while any(boundary.encode("ascii") in part for part in parts):
        boundary += "x"
    line = f"--{boundary}".encode("ascii")
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode("ascii")
    return head + b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


def attached(raw: bytes, kind: str) -> list[tuple[str, bytes]]:
    """Return the files of a kind, such as text/plain, that are attached to a letter, and names."""
    found = message_from_bytes(raw, policy=default).iter_attachments()
    files = [one for one in found if one.get_content_type() == kind]
    data = [(one.get_filename() or "", one.get_payload(decode=True)) for one in files]
    return [(name, each) for name, each in data if isinstance(each, bytes)]


def plain_text(raw: bytes) -> str:
    """Return the text part of a letter that `compose` wrote."""
    part = message_from_bytes(raw, policy=default).get_body(("plain",))
    return str(part.get_content()) if part is not None else ""


def title(raw: bytes) -> str:
    """Return the Subject of a letter that `compose` wrote, without the tag in brackets."""
    subject = str(message_from_bytes(raw, policy=default)["Subject"])
    return subject.partition("] ")[2] or subject
