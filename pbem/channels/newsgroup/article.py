"""An article of a group, kept with what the server told besides, and what it says.

Above the article as the server sent it, and a blank line, stand fields of our own: when it arrived
(`Arrived`), and the number of its first form where it replaces or cancels another (`First`). Of an
article that is gone, these are all: its own id (`Gone`), and its writer where known (`Account`).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pbem.channels.channel import Message
from pbem.intake.addresses import one_mailbox
from pbem.intake.charsets import one_line
from pbem.intake.classification import auto_submitted, opened
from pbem.intake.letter import ParsedLetter
from pbem.intake.mime import (
    Headers,
    decode_words,
    message_ids,
    parameters,
    plain_line_ends,
    split_header,
)
from pbem.intake.post_text import orders_unmarked
from pbem.intake.reading_result import TooMuchError

MOST_THREADS = 50
"""The most articles that one is said to answer: the first of its thread, and the latest."""
_IDENT = re.compile(r"<[!-;=?-~]{1,248}>")
_NOTE_OF_TIME = "%Y%m%d%H%M%S"


@dataclass(frozen=True, slots=True)
class Article:
    """What the header of an article says.

    `ident` is its Message-ID, `changes` that of the one which it replaces or cancels, or "".
    `account` is that of its writer, for which the server vouches, or "". `dated` is the time that
    its writer gives (UTC), or None.
    """

    ident: str
    changes: str
    cancels: bool
    account: str
    dated: datetime | None
    headers: Headers

    def number(self, group: str) -> int:
        """Return the number in a group that the server gave it, or 0."""
        found = re.search(
            rf"\s{re.escape(group)}:([0-9]{{1,18}})(?!\S)", self.headers.first("xref")
        )
        return int(found[1]) if found else 0


def read(raw: bytes) -> Article:
    """Return what the header of an article says. Raises ValueError."""
    headers = _headers(raw)
    account = _account(headers)
    control = re.fullmatch(r"cancel\s+(\S+)", headers.first("control"))
    # Nobody may change what others wrote, and without an account nobody knows who asks for it.
    changes = headers.first("supersedes") or (control[1] if control else "")
    return Article(
        ident=_ident(headers),
        changes=changes if account and is_ident(changes) else "",
        cancels=control is not None,
        account=account,
        dated=_date(headers),
        headers=headers,
    )


def is_ident(text: str) -> bool:
    """Return whether a text is a Message-ID that a news server takes (RFC 3977, 3.6)."""
    return _IDENT.fullmatch(text) is not None


def names_account(raw: bytes) -> bool:
    """Return whether the header of an article names the account of its writer."""
    return bool(_account(_headers(raw)))


def kept(raw: bytes, arrived: datetime, first: str) -> bytes:
    """Return an article as it is kept; `first` is the number of its first form, or ""."""
    return _fields(arrived, First=first) + raw


def gone(ident: str, first: str, account: str, noticed: datetime) -> bytes:
    """Return what is kept of an article that the server no longer has."""
    return _fields(noticed, First=first, Gone=ident, Account=account)


def message(raw: bytes, room: str, us: Collection[str]) -> Message:
    """Return what a kept article says; `us` names the referee's account. Raises ValueError."""
    block, _, article = raw.partition(b"\r\n\r\n")
    ours = Headers(plain_line_ends(block))
    try:
        at = server_time(ours.first("arrived"))
    except ValueError:
        raise ValueError("above the article stands no time of arrival") from None
    first, lost = ours.first("first"), ours.first("gone")
    if lost:
        account = ours.first("account")
        version = f"gone {lost}"
        return Message(
            room=room, number=first, version=version, at=at, account=account, deleted=True
        )
    found = read(article)
    headers = found.headers
    changed = bool(found.changes and first)
    answered = (
        *message_ids(headers.first("references")),
        *message_ids(headers.first("in-reply-to")),
    )
    threads = tuple(dict.fromkeys(answered))
    return Message(
        room=room,
        number=first if changed else found.ident,
        version=found.ident if changed else "",
        at=at,
        account=found.account,
        name=_name(headers.first("from")),
        threads=threads[:1] + threads[1:][1 - MOST_THREADS :],
        text="" if found.cancels else _words(article, us),
        deleted=found.cancels and changed,
    )


def server_time(text: str) -> datetime:
    """Return a time as servers write it (RFC 3977, 7.1), in UTC. Raises ValueError."""
    if not re.fullmatch(r"[0-9]{14}", text):
        raise ValueError(f"{text!r} is not a time such as 20300105181500")
    return datetime.strptime(text, _NOTE_OF_TIME).replace(tzinfo=UTC)


def time_note(moment: datetime) -> str:
    """Return a time as servers write it."""
    return moment.astimezone(UTC).strftime(_NOTE_OF_TIME)


def _fields(arrived: datetime, **fields: str) -> bytes:
    lines = [f"Arrived: {time_note(arrived)}"]
    lines += [f"{name}: {one_line(value)}" for name, value in fields.items() if value]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("utf-8", "replace")


def _headers(raw: bytes) -> Headers:
    return Headers(split_header(plain_line_ends(raw))[0])


def _ident(headers: Headers) -> str:
    idents = headers.all("message-id")
    if len(idents) != 1 or not is_ident(idents[0]):
        raise ValueError("the article has not exactly one Message-ID")
    return idents[0]


def _account(headers: Headers) -> str:
    """Return the account that our server names as the writer's, or "".

    A server refuses what has been injected before (RFC 5537, 3.5), so Injection-Info is its own
    where Path shows that it took the article from its writer. Its name in Path is the one in Xref,
    which each server writes anew; in Injection-Info it may have another one.
    """
    infos, paths, places = map(headers.all, ("injection-info", "path", "xref"))
    if not len(infos) == len(paths) == len(places) == 1:
        return ""
    server = re.escape(places[0].split(" ", 1)[0])
    path = re.sub(r"\s", "", paths[0])
    if not server or not re.match(rf"{server}!\.POSTED(?:\.[^!]*)?!", path):
        return ""
    return one_line(parameters(infos[0])[1].get("posting-account", ""))


def _date(headers: Headers) -> datetime | None:
    text = headers.first("injection-date") or headers.first("date")
    try:
        dated = parsedate_to_datetime(text)
        # "-0000" says that it is in UTC, of whatever zone (RFC 5322, 3.3).
        return dated.astimezone(UTC) if dated.tzinfo else dated.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _name(value: str) -> str:
    """Return the name that newsreaders show for a From."""
    mailbox = one_mailbox(value)
    return (mailbox.name or mailbox.address) if mailbox else decode_words(value)


def _words(article: bytes, us: Collection[str]) -> str:
    """Return the new words of an article, or "" if a program wrote it or nobody can read it."""
    try:
        letter: ParsedLetter = opened(article)
    except TooMuchError:
        return ""
    lines = "" if auto_submitted(letter) else letter.text
    return "\n".join(orders_unmarked(line, us) for line in lines.split("\n"))
