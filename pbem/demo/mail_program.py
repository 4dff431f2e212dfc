"""A player's mail program: it reads its inbox over IMAP, and replies by SMTP."""

import imaplib
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from html import escape

from pbem.demo.letter import ShownLetter
from pbem.demo.servers import Embedded

_PATIENCE = 20


class Mailer:
    """One person's account; a telephone writes HTML too, and signs what it sends."""

    def __init__(self, name: str, address: str, imap: imaplib.IMAP4, phone: bool) -> None:
        self.name, self.address, self.phone = name, address, phone
        self._imap = imap
        self._seen = 0

    def fresh(self) -> Iterator[ShownLetter]:
        """Yield the letters that came since the last look, oldest first."""
        # So the server announces what has come since (RFC 3501, 6.1.2).
        self._imap.noop()
        _, (found,) = self._imap.uid("SEARCH", f"UID {self._seen + 1}:*")
        for uid in map(int, (found or b"").split()):
            # `n:*` always holds the last letter, also where its UID is less than n.
            if uid > self._seen:
                _, answer = self._imap.uid("FETCH", str(uid), "(BODY.PEEK[])")
                self._seen = uid
                yield ShownLetter(next(part[1] for part in answer if isinstance(part, tuple)))

    def write(self, text: str, to: str, answering: ShownLetter | None = None) -> ShownLetter:
        """Write a new letter, or a reply as mail programs write it: quoted below."""
        # Python's own writer, since a player's mail program is not ours (decision 0001).
        message = EmailMessage()
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = to
        message["Subject"] = "Hello"
        message["Date"] = format_datetime(datetime.now(UTC))
        message["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        if self.phone:
            text += "\n\nSent from my phone"
        if answering is not None:
            _turn_around(message, answering)
        quoted = "" if answering is None else _attribution(answering) + _quoted(answering)
        message.set_content(f"{text}\n{quoted}")
        if self.phone:
            message.add_alternative(_as_html(text, answering), subtype="html")
        return ShownLetter(message.as_bytes())


def _turn_around(message: EmailMessage, letter: ShownLetter) -> None:
    """Address a reply, and thread it to the letter that it answers."""
    subject = letter.header("Subject")
    message.replace_header("To", letter.header("Reply-To") or letter.header("From"))
    message.replace_header("Subject", f"Re: {subject.removeprefix('Re: ')}")
    message["In-Reply-To"] = letter.header("Message-ID")
    message["References"] = f"{letter.header('References')} {letter.header('Message-ID')}".strip()


def _attribution(letter: ShownLetter) -> str:
    when = letter.message["Date"].datetime
    return f"\nOn {when:%a, %d %b %Y at %H:%M}, {letter.header('From')} wrote:\n"


def _quoted(letter: ShownLetter) -> str:
    return "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines()) + "\n"


def _as_html(text: str, answering: ShownLetter | None) -> str:
    lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.splitlines())
    if answering is not None:
        said = "<br>".join(escape(line) for line in answering.text.splitlines())
        # With Gmail's classes, as the quote of a real letter has them.
        said = f'<blockquote class="gmail_quote">{said}</blockquote>'
        head = f'<div class="gmail_attr">{escape(_attribution(answering).strip())}</div>'
        lines += f'<br><div class="gmail_quote">{head}{said}</div>'
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = "overflow-wrap: anywhere; font-family: sans-serif"
    return f'<html><head>{meta}</head><body style="{style}">{lines}</body></html>\n'


class Post:
    """The mail servers: accounts on one IMAP server, and one SMTP server for all letters."""

    def __init__(self, servers: Embedded) -> None:
        self._servers = servers

    @contextmanager
    def account(
        self, name: str, address: str, password: str, phone: bool = False
    ) -> Iterator[Mailer]:
        """Log a person in until the block ends."""
        with imaplib.IMAP4(*self._servers.imap, timeout=_PATIENCE) as imap:
            imap.login(address, password)
            imap.select("INBOX")
            yield Mailer(name, address, imap, phone)

    def send(self, letter: ShownLetter) -> None:
        """Hand a letter over."""
        with smtplib.SMTP(*self._servers.smtp, timeout=_PATIENCE) as smtp:
            smtp.send_message(letter.message)
