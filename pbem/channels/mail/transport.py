"""Where letters go: the protocol of every transport, and SMTP over one kept connection.

TransportFault
├── Deferred      this letter, for now: try again later
├── Rejected      this letter, for good
└── TransportDown   every letter: the server cannot be used

A refusal for good must certainly name the recipient's address or the letter. Any other 5xx may be
about us, such as a quota that is used up, so the letter waits like after a 4xx.
"""

import re
import smtplib
import socket
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pbem.channels.mail.connections import (
    WRONG_LOGIN,
    Tls,
    TokenFault,
    TokenSource,
    fault,
    no_delay,
    tls_context,
)
from pbem.intake.status_codes import NO_SUCH_ADDRESS, TOO_LARGE, certainly, codes_in

DATA_GOES = 354
"""The reply to DATA when the letter may follow (RFC 5321)."""
_ADDRESS = re.compile(r"[!-;=?A-~]+@[!-;=?A-~]+")


class TransportFault(Exception):
    """A letter has not been taken; its text is a sentence for a person."""


class Deferred(TransportFault):
    """Not now: refused by a reply that may pass, or the connection was lost (code None).

    The reply may also be a 5xx, if it names neither the recipient's address nor the letter.
    """

    def __init__(self, sentence: str, code: int | None = None) -> None:
        super().__init__(sentence)
        self.code = code


class Rejected(TransportFault):
    """Never: the recipient's address is wrong (`bad_address`), or the letter is too large."""

    def __init__(self, sentence: str, code: int, *, bad_address: bool = False) -> None:
        super().__init__(sentence)
        self.code = code
        self.bad_address = bad_address


class TransportDown(TransportFault):
    """The server accepts nothing from us; `refused` when it refused the login."""

    def __init__(self, sentence: str, *, refused: bool = False) -> None:
        super().__init__(sentence)
        self.refused = refused


class Transport(Protocol):
    """A sink for letters."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand over one letter with CRLF lines; raise Deferred, Rejected or TransportDown."""

    def close(self) -> None:
        """Close the connection; the next `send` opens another."""


@runtime_checkable
class Probing(Protocol):
    """A transport that can be asked without a letter."""

    def probe(self, sender: str, recipient: str) -> None:
        """Ask whether a letter would be taken, and send none. Raises TransportFault."""


def check_envelope(sender: str, recipient: str) -> None:
    """Raise Rejected or TransportDown for an unsafe envelope address; "" is a valid sender."""
    if not _ADDRESS.fullmatch(recipient):
        raise Rejected(f"{recipient!r} is not an address to send to.", 553, bad_address=True)
    if sender and not _ADDRESS.fullmatch(sender):
        raise TransportDown(f"{sender!r} is not an address to send from.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpAccount:
    """Where an SMTP server is; `timeout` in seconds."""

    host: str
    port: int
    tls: Tls
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tokens: TokenSource | None = None
    ca_file: str | None = None
    timeout: float = 60


class SmtpTransport:
    """Sends over one SMTP connection (RFC 5321), opened when needed and kept."""

    def __init__(self, account: SmtpAccount) -> None:
        self._at = account
        self._smtp: smtplib.SMTP | None = None

    def connect(self) -> None:
        """Connect and log in, unless that is done. Raises TransportDown."""
        if self._smtp:
            return
        try:
            self._smtp = self._dial()
            self._greet()
        except TransportDown:
            self._drop()
            raise
        except OSError as error:
            self._drop()
            # A 5xx in place of a greeting is no broken link: trying again at once is no use.
            refused = isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500
            raise TransportDown(self._explain(error), refused=refused) from error

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one letter; a fault before the last 250 raises Deferred, and it counts as unsent."""
        check_envelope(sender, recipient)
        self._begin(sender, recipient, raw)
        self._data(recipient, raw)

    def probe(self, sender: str, recipient: str) -> None:
        """Ask whether a letter would be taken, up to RCPT, and send none. Raises TransportFault."""
        check_envelope(sender, recipient)
        self.connect()
        self._address(sender, recipient, "")
        self._reset(400)

    def close(self) -> None:
        """Send QUIT, without waiting long for an answer."""
        if self._smtp and self._smtp.sock:
            with suppress(OSError):
                self._smtp.sock.settimeout(2)
                self._smtp.quit()
        self._drop()

    @property
    def where(self) -> str:
        """The server and its port."""
        return f"{self._at.host}:{self._at.port}"

    @property
    def _live(self) -> smtplib.SMTP:
        if self._smtp is None:
            raise Deferred(f"The link to {self.where} is closed.")
        return self._smtp

    def _dial(self) -> smtplib.SMTP:
        at, name = self._at, own_name()
        if at.tls == "tls":
            context = tls_context(at.ca_file)
            return smtplib.SMTP_SSL(at.host, at.port, name, timeout=at.timeout, context=context)
        return smtplib.SMTP(at.host, at.port, name, timeout=at.timeout)

    def _greet(self) -> None:
        if self._live.sock:
            no_delay(self._live.sock)
        self._live.ehlo_or_helo_if_needed()
        if self._at.tls == "starttls":
            self._live.starttls(context=tls_context(self._at.ca_file))
            # After STARTTLS the server's first offers no longer count (RFC 3207, 4.2).
            self._live.ehlo_or_helo_if_needed()
        if self._at.user is not None and self._at.tokens is not None:
            self._log_in_by_token(self._at.user, self._at.tokens)
        elif self._at.user is not None:
            self._log_in(self._at.user, self._at.password or "")

    def _log_in(self, user: str, password: str) -> None:
        """Log in by password. Raises TransportDown.

        smtplib's PLAIN knows ASCII only, and its errors may quote the password: so PLAIN is sent
        here.
        """
        try:
            if "PLAIN" in self._live.esmtp_features.get("auth", "").split():
                secret = b64encode(f"\0{user}\0{password}".encode()).decode()
                code, text = self._live.docmd("AUTH", f"PLAIN {secret}")
            else:
                code, text = self._live.login(user, password)
        except smtplib.SMTPNotSupportedError:
            ways = 'tls = "starttls" (port 587) or tls = "tls" (465)'
            raise TransportDown(
                f"{self.where} takes no logins like this: try {ways}, or leave user empty."
            ) from None
        except smtplib.SMTPAuthenticationError as error:
            code, text = error.smtp_code, _octets(error.smtp_error)
        except UnicodeError:
            code, text = 535, b"it knows no way to take letters beyond ASCII"
        if code not in (235, 503):
            reply = _shown(code, text).replace(password or "\0", "***")
            sentence = f"{self.where} refused the login of {user}: {reply}."
            wrong = code == 535 and codes_in(_decoded(text)) <= {(5, 7, 8)}
            hint = f" {WRONG_LOGIN}" if wrong else ""
            raise TransportDown(sentence + hint, refused=code >= 500)

    def _log_in_by_token(self, user: str, tokens: TokenSource) -> None:
        """Log in by XOAUTH2, or by OAUTHBEARER (RFC 7628) if only that is offered."""
        try:
            bearer = f"auth=Bearer {tokens.get()}\x01\x01"
        except TokenFault as error:
            raise TransportDown(str(error), refused=error.refused) from None
        offered = self._live.esmtp_features.get("auth", "").split()
        mechanism, first = "XOAUTH2", f"user={user}\x01{bearer}"
        if mechanism not in offered and "OAUTHBEARER" in offered:
            # The name is in the form of RFC 5801, where "=" and "," are escaped.
            name = user.replace("=", "=3D").replace(",", "=2C")
            mechanism, first = "OAUTHBEARER", f"n,a={name},\x01{bearer}"
        code, text = self._live.docmd("AUTH", f"{mechanism} {b64encode(first.encode()).decode()}")
        if code == 334:  # the server reports its error, and expects a reply before it ends
            code, text = self._live.docmd("" if mechanism == "XOAUTH2" else "AQ==")
        if code not in (235, 503):
            tokens.forget()
            sentence = f"{self.where} refused the login of {user} by token: {_shown(code, text)}."
            raise TransportDown(sentence, refused=code >= 500)

    def _begin(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send MAIL, RCPT and DATA; a kept connection that has died is replaced once."""
        kept = self._smtp is not None
        self.connect()
        try:
            self._envelope(sender, recipient, raw)
        except Deferred:
            # Only a kept connection that was closed is worth a second try at once.
            if not kept or self._smtp:
                raise
            self.connect()
            self._envelope(sender, recipient, raw)

    def _envelope(self, sender: str, recipient: str, raw: bytes) -> None:
        options = f" SIZE={len(raw)}" if self._live.has_extn("size") else ""
        if not raw.isascii() and self._live.has_extn("8bitmime"):
            options += " BODY=8BITMIME"
        self._address(sender, recipient, options)
        code, text = self._ask("DATA")
        if code != DATA_GOES:
            self._refuse(code, text, recipient)

    def _address(self, sender: str, recipient: str, options: str) -> None:
        code, text = self._ask(f"MAIL FROM:<{sender}>{options}")
        # MAIL names us alone, but 552 may be about the letter's size (RFC 1870).
        if code >= 500 and code != 552:
            self._reset(code)
            sentence = f"{self.where} takes no letters from {sender}: {_shown(code, text)}."
            raise TransportDown(sentence, refused=True)
        self._judge(code, text, recipient, named=False)
        code, text = self._ask(f"RCPT TO:<{recipient}>")
        self._judge(code, text, recipient)

    def _data(self, recipient: str, raw: bytes) -> None:
        """Send the letter with its dots doubled, and judge the server's reply."""
        # A line with a single dot would end the letter (RFC 5321, 4.5.2).
        dotted = (b"\n" + raw).replace(b"\n.", b"\n..")[1:]
        try:
            self._live.send(dotted + (b".\r\n" if dotted.endswith(b"\r\n") else b"\r\n.\r\n"))
            code, text = self._live.getreply()
        except OSError as error:
            self._drop()
            raise Deferred(
                f"The link to {self.where} broke before the letter to {recipient} was confirmed; "
                f"it may have gone ({error})."
            ) from error
        self._judge(code, text, recipient)

    def _ask(self, command: str) -> tuple[int, bytes]:
        try:
            return self._live.docmd(command)
        except OSError as error:
            self._drop()
            raise Deferred(self._explain(error)) from error

    def _judge(self, code: int, text: bytes, recipient: str, *, named: bool = True) -> None:
        if not 200 <= code < 300:
            self._refuse(code, text, recipient, named=named)

    def _refuse(self, code: int, text: bytes, recipient: str, *, named: bool = True) -> None:
        """Raise the fault that a refusal means, and prepare the connection for the next letter.

        `named` is whether the server was told the recipient.
        """
        self._reset(code)
        sentence = f"{self.where} did not take the letter for {recipient}: {_shown(code, text)}."
        codes = codes_in(_decoded(text)) if code >= 500 else frozenset()
        if certainly(codes, TOO_LARGE):
            raise Rejected(sentence, code)
        if named and certainly(codes, NO_SUCH_ADDRESS):
            raise Rejected(sentence, code, bad_address=True)
        raise Deferred(sentence, code)

    def _reset(self, code: int) -> None:
        """Prepare the connection for the next letter, or close it if it no longer obeys."""
        with suppress(OSError):
            # 421 announces that the server closes the connection (RFC 5321, 3.8).
            if code >= 400 and code != 421 and self._live.rset()[0] == 250:
                return
        self._drop()

    def _drop(self) -> None:
        if self._smtp:
            self._smtp.close()
        self._smtp = None

    def _explain(self, error: Exception) -> str:
        if isinstance(error, smtplib.SMTPResponseException):
            reply = _shown(error.smtp_code, _octets(error.smtp_error))
            if error.smtp_code < 0:
                return f"{self.where} speaks no SMTP, but says {reply[3:63]!r}: is the port right?"
            return f"{self.where} does not want to talk: {reply}."
        if isinstance(error, smtplib.SMTPNotSupportedError):
            return f'{self.where} offers no STARTTLS: try tls = "tls", at its port for that.'
        return fault(error, self._at.host, self._at.port)[0]


def own_name() -> str:
    """Return what to say in EHLO: this machine's full name, else an address literal (RFC 5321)."""
    name = socket.gethostname()
    return name if "." in name and name.isascii() else "[127.0.0.1]"


def _octets(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _shown(code: int, text: bytes) -> str:
    return f"{code} {' '.join(_decoded(text).split())}"
