"""`pbem check --send`: letters to oneself, and what their headers say when they come back."""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from pbem.channels.mail.mailbox import Mailbox
from pbem.channels.mail.mime_writer import Envelope, compose, plain_text
from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.channels.mail.transport import Transport, TransportFault
from pbem.intake import Reading, read_letter, results, tokens_and_keys
from pbem.maintenance.checkup import Finding
from pbem.service.lock import Occupied, only_one
from pbem.settings import Settings
from pbem.storage import Letter, Store, stored_letters

WAIT = 120.0
"""Seconds to wait for the letters."""

_TEXT = "This letter was sent by `pbem check --send` to see whether it comes back. Nothing to do."
_VERDICT = re.compile(r"\b(spf|dkim|dmarc)=([a-z]+)", re.I)
_RETURN_PATH = re.compile(rb"^return-path:\s*<([^>\r\n]*)>", re.I | re.M)

Arrivals = Callable[[], Iterable[tuple[bytes, Callable[[], object]]]]
"""Something that returns the raw letters that came since the last call, and what files each."""


@dataclass(slots=True)
class Probe:
    """A letter to oneself: its envelope, why it was refused, or how it came back (seconds)."""

    home: str
    message_id: str
    sender: str
    recipient: str
    refused: str = ""
    back: bytes = b""
    seconds: float = 0

    @property
    def raw(self) -> bytes:
        """Return the letter as it is sent: from the league's own address, so nothing answers it."""
        envelope = Envelope(
            league="pbem",
            address=self.home,
            to=self.recipient,
            reply_to=self.home,
            date=datetime.now(UTC),
            message_id=self.message_id,
            automatic="auto-generated",
        )
        return compose(envelope, "[PBEM] A test of the mailbox", _TEXT, None)


def check(settings: Settings, wait: float = WAIT) -> Iterator[Finding]:
    """Send a plain letter and one with a tag in both addresses, and yield how they came back.

    Those that came back go to the folder for handled letters. This works next to a daemon too,
    which stores them like any other letter. Raises what opening mailbox and transport raises.
    """
    plain, tagged = _probes(settings.league.address)
    with _arriving(settings) as arrivals:
        with closing(settings.transport()) as transport:
            _send(transport, plain)
            _send(transport, tagged)
        _wait([one for one in (plain, tagged) if not one.refused], arrivals, wait)
    yield from _on_the_way(plain, wait)
    yield _plus(settings, tagged, wait)
    yield _verp(settings, tagged)
    if plain.back:
        yield from _looks(settings, plain)


def _probes(address: str) -> tuple[Probe, Probe]:
    # Not the league's: a token that is not in the database acts for nobody.
    secret = secrets.token_bytes(32)
    local, _, host = address.rpartition("@")
    own = f"{local}+{tokens_and_keys.token(secret)}@{host}"
    return (
        Probe(address, tokens_and_keys.message_id(secret, address, "plain"), address, address),
        Probe(address, tokens_and_keys.message_id(secret, address, "tagged"), own, own),
    )


def _send(transport: Transport, probe: Probe) -> None:
    """Send a letter. If its tagged sender is refused, send it with the plain one."""
    try:
        transport.send(probe.sender, probe.recipient, probe.raw)
    except TransportFault as error:
        if probe.sender == probe.home:
            probe.refused = str(error)
            return
        probe.sender = probe.home
        _send(transport, probe)


@contextmanager
def _arriving(settings: Settings) -> Iterator[Arrivals]:
    """Watch the mailbox; or, if a daemon does so already, the letters that it stores."""
    try:
        with only_one(settings):
            with closing(settings.mailbox()) as mailbox:
                mailbox.connect()
                yield _mailbox(mailbox)
            return
    except Occupied:
        pass  # the daemon stores what comes, so the letters are looked for there
    with closing(Store(settings.store_url())) as store:
        yield _kept(store)


def _mailbox(mailbox: Mailbox) -> Arrivals:
    """Return a function that returns new letters in the mailbox."""
    # The letters that are there already are left to the daemon.
    known = mailbox.places()

    def arrivals() -> Iterator[tuple[bytes, Callable[[], object]]]:
        mailbox.wait(2)
        for batch in mailbox.arrivals(known.intersection):
            known.update(one.place for one in batch)
            for one in batch:
                yield one.raw, partial(mailbox.file, [one.place])

    return arrivals


def _kept(store: Store) -> Arrivals:
    """Return a function that returns the letters that a daemon stores from now on."""
    last = store.newest(Letter)

    def arrivals() -> Iterator[tuple[bytes, Callable[[], object]]]:
        nonlocal last
        time.sleep(1)
        for letter in stored_letters.letters(store, id__gt=last):
            last = letter.id
            # The daemon files it itself.
            yield letter.content, lambda: None

    return arrivals


def _wait(probes: list[Probe], arrivals: Arrivals, wait: float) -> None:
    began = time.monotonic()
    while any(not one.back for one in probes) and time.monotonic() < began + wait:
        for raw, file in arrivals():
            for one in probes:
                if read_letter(raw).message_id == one.message_id:
                    one.back, one.seconds = raw, time.monotonic() - began
                    # Or the next check would take it for a letter of before the league began.
                    file()


def _on_the_way(plain: Probe, wait: float) -> Iterator[Finding]:
    if plain.refused:
        yield Finding("send", False, plain.refused)
        return
    yield Finding("send", True, f"the server took a letter to {plain.recipient}")
    if plain.back:
        yield Finding("return", True, f"it came back after {plain.seconds:.0f} s")
        return
    yield Finding(
        "return",
        False,
        f"it did not come back within {wait:.0f} s; is the address right, is the letter in the"
        " spam, and does [imap] folder name where letters arrive?",
    )


def _plus(settings: Settings, tagged: Probe, wait: float) -> Finding:
    if tagged.back:
        advice = "" if settings.league.plus_addresses else "; you may set plus_addresses = true"
        text = f"a letter to an address with +TOKEN arrived after {tagged.seconds:.0f} s{advice}"
        return Finding("plus addresses", True, text)
    why = tagged.refused or f"none arrived within {wait:.0f} s"
    if settings.league.plus_addresses:
        return Finding("plus addresses", False, f"{why}; set plus_addresses = false")
    return Finding("plus addresses", True, f"they do not work here ({why}), and are not used")


def _verp(settings: Settings, tagged: Probe) -> Finding:
    """Return whether the envelope sender may carry a token, as the Return-Path shows."""
    # The header ends at the first blank line; the text may contain anything.
    found = _RETURN_PATH.search(tagged.back.partition(b"\r\n\r\n")[0])
    used = settings.league.verp
    if tagged.sender == tagged.home:
        text = "the server takes no envelope sender with a token"
        return Finding("verp", not used, f"{text}; set verp = false" if used else text)
    if not tagged.back:
        return Finding("verp", not used, "this is not known, because no such letter came back")
    if found and b"+" not in found[1]:
        text = "the server takes the token out of the envelope sender"
        return Finding("verp", not used, f"{text}; set verp = false" if used else text)
    advice = "" if used else "; you may set verp = true"
    return Finding("verp", True, f"the envelope sender may carry a token{advice}")


def _looks(settings: Settings, plain: Probe) -> Iterator[Finding]:
    """Yield what the letter looks like now that it has come back."""
    whole = plain_text(plain.back).strip() == _TEXT
    yield Finding("text", whole, "as it was sent" if whole else "it was changed on the way")
    yield authentication(read_letter(plain.back), settings.authentication)


def authentication(reading: Reading, believed: AuthenticationSettings) -> Finding:
    """Return what our server found for SPF, DKIM and DMARC: only the topmost header is its own."""
    top = reading.authentication_results[:1]
    read = results(top[0]) if top else None
    own = read.server if read else ""
    if believed.server and own != believed.server.lower():
        text = f"the topmost Authentication-Results is by {own or 'nobody'}, not {believed.server}"
        return Finding("authentication", not top, f"{text}, as [authentication] server says")
    found = {one.lower(): verdict.lower() for one, verdict in _VERDICT.findall(" ".join(top))}
    if not found:
        text = (
            "the server says nothing of SPF, DKIM and DMARC, as is usual for letters to oneself;"
            " send one to another provider, and look at its Authentication-Results"
        )
        return Finding("authentication", True, text)
    bad = [one for one, verdict in found.items() if verdict in ("fail", "permerror", "softfail")]
    text = ", ".join(f"{one.upper()} {verdict}" for one, verdict in found.items())
    text = f"{own or 'a server without a name'} says {text}"
    advice = (
        f"; mend {', '.join(one.upper() for one in bad)} in the domain's DNS or in the mail server"
    )
    return Finding("authentication", not bad, text + (advice if bad else ""))
