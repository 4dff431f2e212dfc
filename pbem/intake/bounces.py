"""Bounces: letters that report that a letter did not arrive. Whose, and for how long?

Words never say that an address is dead: only a delivery that failed with a status code of its
own for that, and without another code, is hard. All else is soft, or policy, and counts against
nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.intake.addresses import addresses_in, clean_address
from pbem.intake.letter import ParsedLetter
from pbem.intake.mime import Headers, message_ids, split_header
from pbem.intake.status_codes import (
    CONTENT,
    NO_SUCH_ADDRESS,
    POLICY,
    TOO_LARGE,
    Status,
    certainly,
    codes_in,
)

STATUSES = frozenset({"message/delivery-status", "message/global-delivery-status"})
"""The kinds of a delivery status (RFC 3464); the second may hold UTF-8 (RFC 6533)."""
SUCCESSES = frozenset({"delivered", "relayed", "expanded"})
RETURNED = frozenset(
    {"message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers"}
)
GENERAL = frozenset({(5, 0, 0), (4, 0, 0)})
"""Codes that say no more than that it failed."""
STATUS = 50_000
DAEMON = re.compile(r"(?:^|<)\s*\"?mailer-?daemon\b", re.I)
COPY_BELOW = re.compile(r"^(?:return-path|received|message-id): ?", re.I | re.M)
"""Where the header begins of the letter that a mail system returns below its own text."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """Who could not be reached, how it failed (hard, soft or policy), and which letter it was."""

    failed: tuple[str, ...]
    kind: str
    returned_id: str | None


def bounce_of(letter: ParsedLetter) -> Bounce:
    """Return what a bounce reports."""
    groups = list(recipient_groups(letter))
    returned = list(returned_headers(letter))
    ids = [each for headers in returned for each in message_ids(headers.first("message-id"))]
    # The surest first: fields for machines, and the words of the report only without them.
    failed = (
        tuple(dict.fromkeys(failed_by(groups)))
        or addresses_in(letter.headers.all("x-failed-recipients"))
        or named_in(letter)
        or addresses_in(value for headers in returned for value in headers.all("to"))
    )
    said = COPY_BELOW.split(letter.whole[:STATUS], maxsplit=1)[0]
    kind = kind_by_status(groups) if groups else kind_by_codes(codes_in(said))
    return Bounce(failed, kind, ids[0] if ids else None)


def from_daemon(letter: ParsedLetter) -> bool:
    """Return whether the sender is a mail system, by the name that all of them use or by none."""
    # Some write `MAILER-DAEMON (Mail Delivery System)`, which is not an address.
    said = letter.headers.all("from")
    return any(DAEMON.search(value) or value.strip() == "<>" for value in said)


def of_success(letter: ParsedLetter) -> bool:
    """Return whether a delivery status reports for all recipients that they were reached.

    To be asked of a bounce alone: to look for such fields in each text takes long.
    """
    groups = list(recipient_groups(letter))
    return bool(groups) and all(action_of(group) in SUCCESSES for group in groups)


def recipient_groups(letter: ParsedLetter) -> Iterator[Headers]:
    """Yield the groups of fields of every delivery status, one for each recipient."""
    parts = [part for part in letter.parts if part.kind in STATUSES]
    # Some servers write the fields of a delivery status into plain text.
    bodies = [part.content() for part in parts] or [letter.whole[:STATUS].encode()]
    for group in re.split(rb"\n[ \t]*\n", b"\n\n".join(bodies)):
        fields = Headers(group.strip())
        if fields.first("final-recipient") or fields.first("original-recipient"):
            yield fields


def action_of(group: Headers) -> str:
    """Return what was done for a recipient: failed, delayed, or another word of RFC 3464."""
    # Some add a comment: "failed (no such user)".
    return group.first("action").partition("(")[0].strip().lower()


def failed_by(groups: Iterable[Headers]) -> Iterator[str]:
    """Yield the final recipients that a delivery status does not report as reached."""
    for group in groups:
        if action_of(group) not in SUCCESSES:
            value = group.first("final-recipient") or group.first("original-recipient")
            address = clean_address(value.rpartition(";")[2].strip(" <>"))
            yield from [address] if address else addresses_in([value])


def kind_by_status(groups: Iterable[Headers]) -> str:
    """Return how the first delivery that failed did so; soft where none failed for good."""
    for group in groups:
        if action_of(group) == "failed":
            said = f"{group.first('status')} {group.first('diagnostic-code')}"
            return kind_by_codes(codes_in(said))
    return "soft"


def kind_by_codes(codes: frozenset[Status]) -> str:
    """Return how a delivery failed, by all the status codes that report it."""
    if certainly(codes - GENERAL, NO_SUCH_ADDRESS):
        return "hard"
    if codes & TOO_LARGE or any(one[:2] in ((5, CONTENT), (5, POLICY)) for one in codes):
        return "policy"
    return "soft"


def returned_headers(letter: ParsedLetter) -> Iterator[Headers]:
    """Yield the headers of the letters that a bounce returns."""
    for part in letter.parts:
        if part.kind in RETURNED:
            yield Headers(split_header(part.content().lstrip(b"\n") + b"\n\n")[0])
    if found := COPY_BELOW.search(letter.whole[:STATUS]):
        copy = letter.whole[found.start() : found.start() + STATUS].encode()
        yield Headers(copy)


def named_in(letter: ParsedLetter) -> tuple[str, ...]:
    """Return the addresses in a bounce's own text, apart from those in its From and To."""
    said = COPY_BELOW.split(letter.whole[:STATUS], maxsplit=1)[0]
    others = {*addresses_in(letter.headers.all("to")), *addresses_in(letter.headers.all("from"))}
    return tuple(
        each
        for each in addresses_in(said.split("\n"))
        if each not in others and not each.startswith(("postmaster@", "mailer-daemon@"))
    )
