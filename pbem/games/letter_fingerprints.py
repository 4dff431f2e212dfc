"""What a letter shows of the machine and the person that wrote it, for the audit."""

import email.policy
import ipaddress
import re
from collections.abc import Collection, Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import takewhile

from engine.i18n import say
from pbem.intake import Limits, read_letter
from pbem.intake.mime import decode_words

KINDS = {
    "client": say("a client's address"),
    "phone": say("a telephone number"),
    "signature": say("a signature"),
    "program": say("a mail program"),
    "host": say("the host of Message-IDs"),
    "zone": say("a time zone"),
}
"""The traits that few people share, and what they are called."""
SOLID = frozenset({"client", "phone", "signature"})
"""The traits that mean something by themselves."""

_HEAD, _LARGEST = 16 * 1024, 64 * 1024
"""How much of a header is read, and the size of a letter above which its text is not read."""
_ADDRESS = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f.:]{7,45})\]")
_WITHIN = tuple(
    ipaddress.ip_network(net)
    for net in ("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
"""Private networks, of homes or providers: their addresses are the same everywhere."""
_PHONE = re.compile(r"(?<![\w.-])(?:\+|00?)[1-9][\d ()/.-]{7,20}\d(?![\w-])")
_FEWEST_DIGITS, _FEWEST_LETTERS = 9, 24
_MOST_LINES = 6
"""A signature has no more lines than this."""
_PROGRAM_S = re.compile(r"(?i)\s*(?:sent|get|gesendet|von mein|envoy|enviad)")
"""The beginning of a line that a mail program adds as a signature of its own."""


def traits(content: bytes, homes: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield what a letter shows, by kind; `homes` are the domains of its writer's addresses."""
    if not content:
        return
    # Newer policies of the email package raise on headers that real letters hold.
    head = BytesHeaderParser(policy=email.policy.compat32).parsebytes(content[:_HEAD])
    yield from _machine(head)
    for name in ("X-Mailer", "User-Agent"):
        if head[name]:
            yield "program", decode_words(str(head[name]))[:80]
    host = str(head["Message-ID"] or "").rpartition("@")[2].strip("<> ").lower()
    # The host of the writer's own provider says no more than the address does.
    if host and not any(f".{host}".endswith(f".{home}") for home in homes):
        yield "host", host[:80]
    try:
        zone = parsedate_to_datetime(str(head["Date"])).strftime("%z")
    except (TypeError, ValueError, OverflowError):
        zone = ""
    # Many programs write UTC wherever they run.
    if zone not in ("", "+0000"):
        yield "zone", zone
    if len(content) <= _LARGEST:
        yield from _signed(read_letter(content, Limits()).whole)


def _machine(head: "Message[str, str]") -> Iterator[tuple[str, str]]:
    """Yield the address of the machine that sent the letter first, if a server recorded it."""
    # Each server adds its field at the top, so the last one is about the first machine.
    first = [*head.get_all("Received", []), *head.get_all("X-Originating-IP", [])][-1:]
    # What follows "by" is the server itself.
    handed_in = re.split(r"\sby\s", str(first[0]))[0] if first else ""
    for text in _ADDRESS.findall(handed_in)[-1:]:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        local = address.is_loopback or address.is_link_local
        if not local and not any(address in net for net in _WITHIN):
            yield "client", str(address)


def _signed(text: str) -> Iterator[tuple[str, str]]:
    """Yield the signature and the telephone numbers in the text that is not a quote."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith((">", "|"))]
    own = "\n".join(lines)
    for number in _PHONE.findall(own):
        digits = re.sub(r"\D", "", number).lstrip("0")
        if len(digits) >= _FEWEST_DIGITS:
            # Only the last digits, as the country code is sometimes left out.
            yield "phone", digits[-_FEWEST_DIGITS:]
    starts = [n for n, line in enumerate(lines) if line.rstrip() == "--"]
    below = " ".join(_block(lines[starts[-1] + 1 :]).split()) if starts else ""
    if sum(c.isalpha() for c in below) >= _FEWEST_LETTERS and not _PROGRAM_S.match(below):
        yield "signature", below[:60]


def _block(lines: list[str]) -> str:
    """Return the lines up to a blank one; a quote may begin after it."""
    return "\n".join(takewhile(str.strip, lines[:_MOST_LINES]))
