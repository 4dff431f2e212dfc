"""Domains that defer letters, and servers that refuse us: how long no letters are sent there."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.channels.mail.backoff import REFUSED, Backoff

PATIENCE = 2
"""When this many recipients in a row are put off, the fault is their domain's, or the server's."""

_PAUSE = Backoff(first=60, most=3600)
_LONGEST = timedelta(hours=1)
_SERVER = ""
"""Stands in the place of a domain for the server that letters are handed to."""


@dataclass(slots=True)
class _Domain:
    """A domain: recipients put off since it last accepted a letter, and the end of its pause."""

    recipients: set[str] = field(default_factory=set)
    pauses: int = 0
    until: datetime | None = None


class Congestion:
    """What is known of recipients' domains, and of our server, since the program started."""

    def __init__(self) -> None:
        self._domains: dict[str, _Domain] = {}

    def until(self, recipient: str, now: datetime) -> datetime | None:
        """Return until when no letters are sent to a recipient's domain; None where they are."""
        known = [self._domains.get(name) for name in (_domain_of(recipient), _SERVER)]
        ends = [one.until for one in known if one and one.until]
        # A longer pause means that the clock went back.
        return max((end for end in ends if now < end <= now + _LONGEST), default=None)

    def put_off(self, recipient: str, now: datetime) -> None:
        """Note a letter that was deferred; after a few recipients the domain is paused."""
        self._put_off(_domain_of(recipient), recipient, now, _PAUSE)

    def refused(self, recipient: str, now: datetime) -> None:
        """Note a refusal that may be about us; after a few recipients no letter is sent at all."""
        self._put_off(_SERVER, recipient, now, REFUSED)

    def took(self, recipient: str) -> None:
        """Note a letter that was accepted: its domain and the server work again."""
        self._domains.pop(_domain_of(recipient), None)
        self._domains.pop(_SERVER, None)

    def _put_off(self, name: str, recipient: str, now: datetime, pause: Backoff) -> None:
        known = self._domains.setdefault(name, _Domain())
        known.recipients.add(recipient)
        if len(known.recipients) >= PATIENCE:
            seconds = pause.next(known.pauses, random.Random(f"{name} {known.pauses}"))
            known.until = now + timedelta(seconds=seconds)
            known.pauses += 1


def _domain_of(recipient: str) -> str:
    return recipient.rpartition("@")[2].lower()
