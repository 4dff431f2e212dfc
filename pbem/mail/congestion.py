"""Domains that defer letters, and how long no letters are sent there."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.mail.backoff import Backoff

PATIENCE = 2
"""When this many recipients of a domain in a row are deferred, the fault is the domain's."""

_PAUSE = Backoff(first=60, most=3600)
_LONGEST = timedelta(hours=1)


@dataclass(slots=True)
class _Domain:
    """A domain: recipients deferred since it last accepted a letter, and the end of its pause."""

    recipients: set[str] = field(default_factory=set)
    pauses: int = 0
    until: datetime | None = None


class Congestion:
    """What is known of recipients' domains since the program started."""

    def __init__(self) -> None:
        self._domains: dict[str, _Domain] = {}

    def until(self, recipient: str, now: datetime) -> datetime | None:
        """Return until when a recipient's domain is paused, None where it is not."""
        known = self._domains.get(_domain_of(recipient))
        if not known or not known.until or known.until - now > _LONGEST:  # the clock went back
            return None
        return known.until if known.until > now else None

    def put_off(self, recipient: str, now: datetime) -> None:
        """Note a letter that was deferred; after a few recipients the domain is paused."""
        name = _domain_of(recipient)
        known = self._domains.setdefault(name, _Domain())
        known.recipients.add(recipient)
        if len(known.recipients) >= PATIENCE:
            seconds = _PAUSE.next(known.pauses, random.Random(f"{name} {known.pauses}"))
            known.until = now + timedelta(seconds=seconds)
            known.pauses += 1

    def took(self, recipient: str) -> None:
        """Note a letter that was accepted: the domain works again."""
        self._domains.pop(_domain_of(recipient), None)


def _domain_of(recipient: str) -> str:
    return recipient.rpartition("@")[2].lower()
