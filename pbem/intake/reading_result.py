"""The result of reading a letter, and the caps on how much of one is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

CUT_MARKER = "##- please write above this line, or between quoted lines -##"
"""The line at the top of our letters; in other languages, other words between these signs."""

ANSWERING = re.compile(
    r"\s*(?:(?:re|aw|sv|vs|antw?|odp|ynt|rv|res|ref|enc|fwd?|wg|tr|vb|vl|doorst|i|r|回复|回覆|答复|转发|返信|"
    r"转寄|답장|회신|전달|отв|на|пер|απ|σχετ|تر|رد|תגובה|הועבר|השב|bls|továbbítás|válasz)"
    r"\s*(?:\[\d+\]|\(\d+\))?\s*[:：])",
    re.IGNORECASE,
)


class TooMuchError(ValueError):
    """A letter exceeds one of its caps."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The caps of one letter, and the addresses that are the league's own."""

    letter: int = 1 << 20
    header: int = 100 << 10
    parts: int = 1_000
    nesting: int = 20
    lines: int = 5_000
    tags: int = 30_000
    tag_nesting: int = 500
    ours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One letter as read: what it is, why, who wrote it, and what they wrote themselves.

    `topic` is the subject without its Re: and Fwd:, for counting letters of one subject.
    `unsure`: lines that may be the writer's or not, because they stand below bare dashes or right
    below a long quoted line, in only one of its plain and HTML parts, or behind quote marks in a
    letter with nothing else.
    `below`: the lines of a quote that has no marks.
    `unread`: names of attached files.
    """

    klass: str
    reason: str
    sender: str | None = None
    display_name: str = ""
    recipients: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    date: str = field(default="", compare=False)
    subject: str = ""
    topic: str = ""
    message_id: str | None = None
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    text: str = ""
    unsure: tuple[str, ...] = ()
    below: tuple[str, ...] = field(default=(), repr=False)
    unread: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    bounce_kind: str = ""
    returned_id: str | None = None
    encrypted: bool = False
    too_much: bool = False
    authentication_results: tuple[str, ...] = ()
