"""Players as their mail programs show them: letters with quotes, tokens and standing orders."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime

_SUBJECT = re.compile(rb"^Subject: ([^\r\n]*(?:\r\n [^\r\n]*)*)", re.M)
_REPLY_TO = re.compile(rb"^Reply-To:.*?<([^>]+)>", re.M | re.S)
_MESSAGE_ID = re.compile(rb"^Message-ID: (.*)\r", re.M)
_PLAIN = re.compile(rb"Content-Type: text/plain.*?\r\n\r\n(.*?)\r\n--=_", re.S)
_HTML = re.compile(rb"Content-Type: text/html.*?\r\n\r\n(.*?)\r\n--=_", re.S)

BEAMS = """STANDING
  IF UNDETECTED: SCAN
  IF STRUCTURE <= 0 AND SHOT AT: EJECT
  IF BEAMS <= 0 AND EXTREME: ESCAPE
  IF BEAMS <= 0 AND SPEED <= 0: SURRENDER
  IF BEAMS <= 0: OPEN
  IF EXTREME: CLOSE
  IF ADVANTAGE: FIRE
  IF LOCKED: FIRE
  IF FAR: CLOSE
  IF MANEUVER <= 0 AND ELECTRONICS <= 0: SURRENDER
  IF MANEUVER <= 0: TARGET
  ELSE: DOGFIGHT
END"""
MISSILES = (
    BEAMS.replace("BEAMS", "MISSILES")
    .replace("FIRE", "LAUNCH")
    .replace("IF FAR: CLOSE", "IF NEAR: OPEN")
)
"""Good standing orders for a Light fighter: to the weapon's range, the Advantage, and shoot."""
QUEUES = ("TARGET\nFIRE", "SCAN\nDOGFIGHT\nCLOSE", "CLOSE\nTARGET\nLAUNCH\nECM")
"""First orders of a duel, which go before the standing ones."""


@dataclass(frozen=True, slots=True)
class Received:
    """A letter from the referee, as far as a reply needs it."""

    raw: bytes

    def _find(self, pattern: re.Pattern[bytes]) -> str:
        match = pattern.search(self.raw)
        return "" if match is None else match[1].decode()

    @property
    def subject(self) -> str:
        """The Subject, unfolded."""
        return self._find(_SUBJECT).replace("\r\n", "")

    @property
    def reply_to(self) -> str:
        """The address that a reply goes to."""
        return self._find(_REPLY_TO)

    @property
    def message_id(self) -> str:
        """The Message-ID."""
        return self._find(_MESSAGE_ID)

    @property
    def text(self) -> str:
        """The text part."""
        return self._find(_PLAIN)

    @property
    def html(self) -> str:
        """The HTML part."""
        return self._find(_HTML)


@dataclass(slots=True)
class Player:
    """A person with a mail program; `webmail` writes HTML as well as text, as Gmail does."""

    name: str
    address: str
    webmail: bool = False
    written: int = field(default=0, init=False)

    def write(self, to: str, text: str, when: datetime) -> bytes:
        """Return a letter that answers no other."""
        head = self._header(to, "To the referee", when)
        return f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()

    def reply(self, to: Received, text: str, when: datetime) -> bytes:
        """Return a reply above the quoted letter."""
        head = self._header(to.reply_to, f"Re: {to.subject}", when)
        head += f"In-Reply-To: {to.message_id}\r\nReferences: {to.message_id}\r\n"
        write = _webmail if self.webmail else _plain
        said = f"On {format_datetime(when)}, the referee wrote:"
        return (head + write(text, to, said)).encode()

    def _header(self, to: str, subject: str, when: datetime) -> str:
        self.written += 1
        date = format_datetime(when)
        return (
            f"Return-Path: <{self.address}>\r\n"
            f"Delivered-To: {to}\r\n"
            "Received: from mail.example (mail.example [192.0.2.7]) by mx.league.example"
            f" with ESMTPS id 4F9{self.written:05} for <{to}>; {date}\r\n"
            f"From: {self.name} <{self.address}>\r\n"
            f"To: {to}\r\n"
            f"Subject: {subject}\r\n"
            f"Date: {date}\r\n"
            f"Message-ID: <{self.written}.{self.address}>\r\n"
            "MIME-Version: 1.0\r\n"
        )


def _quoted(text: str, to: Received, attribution: str) -> str:
    quote = "\r\n".join(f"> {line}" for line in to.text.splitlines())
    own = text.replace("\n", "\r\n")
    return f"{own}\r\n\r\n{attribution}\r\n{quote}\r\n"


def _plain(text: str, to: Received, attribution: str) -> str:
    return (
        "Content-Type: text/plain; charset=utf-8\r\n"
        "Content-Transfer-Encoding: 8bit\r\n"
        f"\r\n{_quoted(text, to, attribution)}"
    )


def _webmail(text: str, to: Received, attribution: str) -> str:
    own = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>\r\n")
    return (
        'Content-Type: multipart/alternative; boundary="0000000000001a2b"\r\n\r\n'
        f"--0000000000001a2b\r\n{_plain(text, to, attribution)}\r\n"
        "--0000000000001a2b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        f'<div dir="ltr">{own}</div><br><div class="gmail_quote"><div dir="ltr"'
        f' class="gmail_attr">{attribution}</div><blockquote class="gmail_quote">'
        f"{to.html}</blockquote></div>\r\n--0000000000001a2b--\r\n"
    )
