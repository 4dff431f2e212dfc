"""Bounces: letters that report that a letter did not arrive. Whose, and for how long?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.intake.addresses import addresses_in, clean_address
from pbem.intake.bounce_phrases import (
    COPY_BELOW,
    GONE,
    PASSING,
    POLICY,
)
from pbem.intake.letter import Letter
from pbem.intake.mime import Headers, message_ids, split_header

LAST_WORDS = frozenset({"delivered", "relayed", "expanded"})
RETURNED = frozenset({"message/rfc822", "message/global", "text/rfc822-headers"})
STATUS = 50_000


@dataclass(frozen=True, slots=True)
class Bounce:
    """Who could not be reached, how it failed (hard, soft or policy), and which letter it was."""

    failed: tuple[str, ...]
    kind: str
    returned_id: str | None


def bounce_of(letter: Letter) -> Bounce:
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
    kind = kind_by_status(groups) or kind_by_words(letter.notice)
    return Bounce(failed, kind, ids[0] if ids else None)


def recipient_groups(letter: Letter) -> Iterator[Headers]:
    """Yield the groups of fields of every delivery status, one for each recipient."""
    parts = [part for part in letter.parts if part.kind == "message/delivery-status"]
    # Some servers write the fields of a delivery status into plain text.
    bodies = [part.content() for part in parts] or [letter.whole[:STATUS].encode()]
    for group in re.split(rb"\n[ \t]*\n", b"\n\n".join(bodies)):
        fields = Headers(group.strip())
        if fields.first("final-recipient") or fields.first("original-recipient"):
            yield fields


def failed_by(groups: Iterable[Headers]) -> Iterator[str]:
    """Yield the final recipients that a delivery status does not report as reached."""
    for group in groups:
        if group.first("action").lower() not in LAST_WORDS:
            value = group.first("final-recipient") or group.first("original-recipient")
            address = clean_address(value.rpartition(";")[2].strip(" <>"))
            yield from [address] if address else addresses_in([value])


def kind_by_status(groups: Iterable[Headers]) -> str | None:
    """Return how a delivery failed, by its status code and diagnostic text."""
    for group in groups:
        status = group.first("status")
        # A server that has only delayed a letter goes on trying.
        if group.first("action").lower().startswith("delayed") or status.startswith("4"):
            return "soft"
        if status.startswith("5"):
            return kind_by_words(f"{status} {group.first('diagnostic-code')}".casefold())
    return None


def kind_by_words(said: str) -> str:
    """Return how a delivery failed, by the words of the report."""
    if GONE.search(said):
        return "hard"
    if POLICY.search(said):
        return "policy"
    return "soft" if PASSING.search(said) else "hard"


def returned_headers(letter: Letter) -> Iterator[Headers]:
    """Yield the headers of the letters that a bounce returns."""
    for part in letter.parts:
        if part.kind in RETURNED:
            yield Headers(split_header(part.content().lstrip(b"\n") + b"\n\n")[0])
    if found := COPY_BELOW.search(letter.whole[:STATUS]):
        copy = letter.whole[found.start() : found.start() + STATUS].encode()
        yield Headers(copy)


def named_in(letter: Letter) -> tuple[str, ...]:
    """Return the addresses in a bounce's own text, apart from those in its From and To."""
    said = COPY_BELOW.split(letter.whole[:STATUS], maxsplit=1)[0]
    others = {*addresses_in(letter.headers.all("to")), *addresses_in(letter.headers.all("from"))}
    return tuple(
        each
        for each in addresses_in(said.split("\n"))
        if each not in others and not each.startswith(("postmaster@", "mailer-daemon@"))
    )
