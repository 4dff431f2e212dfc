"""The table that decides what a letter is, read from top to bottom: the first match wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pbem.intake import bounces, robots
from pbem.intake.charsets import one_line
from pbem.intake.headers import message_ids, split_header
from pbem.intake.letter import Letter
from pbem.intake.mime import plain_line_ends
from pbem.intake.reading import Limits, Reading, TooMuchError

LIMITS = Limits()
MOST_HOPS = 50
SEALED = "-----BEGIN PGP MESSAGE-----"
SEALED_KINDS = frozenset(
    {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a name, a finder that returns why it takes a letter, and the resulting class."""

    name: str
    find: Callable[[Letter], str | None]
    klass: str


def own_letter(letter: Letter) -> str | None:
    """Return why this is one of the league's own letters, or one in a mail loop, or None."""
    ours = frozenset(letter.limits.ours)
    if letter.sender and letter.sender.address in ours:
        return "it comes from the league's own address"
    for name in ("x-pbem-loop", "x-loop", "list-id"):
        if any(own in value.lower() for value in letter.headers.all(name) for own in ours):
            return f"{name} names the league"
    hops = len(letter.headers.all("received"))
    return f"it has come through {hops} servers" if hops >= MOST_HOPS else None


def bad_sender(letter: Letter) -> str | None:
    """Return why From does not hold exactly one clean address, or None."""
    if letter.sender:
        return None
    count = len(letter.headers.all("from"))
    if count != 1:
        return f"it has {count or 'no'} From fields"
    return "From does not hold exactly one clean address"


def too_long(letter: Letter) -> str | None:
    """Return the cap that the text exceeds, or None."""
    return letter.shown[1] or None


def sealed(letter: Letter) -> str | None:
    """Return why nobody here can open a letter, or None."""
    if SEALED_KINDS & letter.kinds:
        return "it is encrypted or wrapped by S/MIME, so that no text can be read"
    return "it holds an encrypted message" if SEALED in letter.text else None


def person(letter: Letter) -> str | None:
    """Return why a letter is a person's: nothing else matched."""
    return "no other row took it"


ROWS: tuple[Row, ...] = (
    # What a machine says of itself in a standard form comes first, and guesses by words last.
    Row("delivery status", bounces.status_part, "bounce"),
    Row("feedback report", robots.feedback, "feedback"),
    Row("read receipt", robots.receipt, "autoreply"),
    Row("report", robots.report, "autoreply"),
    Row("own letter", own_letter, "autoreply"),
    Row("bounce in free form", bounces.free_form, "bounce"),
    Row("auto-submitted", robots.auto_submitted, "autoreply"),
    Row("autoresponder header", robots.note_header, "autoreply"),
    Row("calendar", robots.calendar_reply, "autoreply"),
    Row("vacation subject", robots.vacation_subject, "autoreply"),
    Row("list or newsletter", robots.mailing_list, "list"),
    Row("precedence", robots.precedence, "autoreply"),
    Row("empty return path", robots.null_path, "autoreply"),
    Row("acknowledgement", robots.acknowledgement, "autoreply"),
    # After the machines' rows: a robot's long text is no player's fault.
    Row("text too long", too_long, "refused"),
    Row("bad sender", bad_sender, "refused"),
    # A person wrote it, who must learn that nobody here can read it.
    Row("encrypted", sealed, "human"),
    Row("human", person, "human"),
)


def read_letter(raw: bytes, limits: Limits = LIMITS) -> Reading:
    """Parse any bytes as a letter. This never raises, and never takes long."""
    try:
        return judge(opened(raw, limits))
    except TooMuchError as error:
        return beyond(raw, limits, f"row 0 over a cap: {error}")


def beyond(raw: bytes, limits: Limits, why: str) -> Reading:
    """Return what the header shows of a letter that exceeds a cap."""
    head = split_header(plain_line_ends(raw[: limits.header]))[0]
    # A machine's letter that is too large must still count as a machine's, and get no answer.
    try:
        found = judge(Letter(head + b"\n\n", limits))
    except TooMuchError:
        return Reading(klass="refused", reason=why, too_much=True)
    klass = "refused" if found.klass == "human" else found.klass
    reason = why if found.klass == "human" else found.reason
    return replace(found, klass=klass, reason=reason, text="", whole="", too_much=True)


def opened(raw: bytes, limits: Limits = LIMITS) -> Letter:
    """Return the letter for the rows. Raise TooMuchError if it exceeds a cap."""
    if len(raw) > limits.letter:
        raise TooMuchError(f"more than {limits.letter} bytes")
    return Letter(raw, limits)


def looks(letter: Letter) -> Iterator[tuple[Row, str | None]]:
    """Yield the rows in order with their answers, up to the first that takes the letter."""
    for row in ROWS:
        why = row.find(letter)
        yield row, why
        if why is not None:
            return


def judge(letter: Letter) -> Reading:
    """Return the result of the first row that takes a letter."""
    for number, (row, why) in enumerate(looks(letter), 1):
        if why is not None:
            return verdict(letter, row, one_line(f"row {number} {row.name}: {why}"))
    raise AssertionError("the last row takes every letter")


def verdict(letter: Letter, row: Row, reason: str) -> Reading:
    """Return all that is known of a letter, by the row that took it."""
    headers = letter.headers
    ids = message_ids(headers.first("message-id"))
    readable = row.klass == "human" and row.find is not sealed
    bounce = bounces.bounce_of(letter) if row.klass == "bounce" else bounces.Bounce((), "", None)
    return Reading(
        klass=row.klass,
        reason=reason,
        sender=letter.sender.address if letter.sender else None,
        display_name=letter.sender.name if letter.sender else "",
        recipients=letter.recipients,
        addressed=letter.addressed,
        subject=letter.subject,
        topic=letter.topic,
        message_id=ids[0] if ids else None,
        in_reply_to=message_ids(headers.first("in-reply-to")),
        references=message_ids(headers.first("references")),
        text=letter.text if readable else "",
        differing=letter.weighed.differing if readable else (),
        doubtful=letter.own.doubtful if readable else (),
        unread=letter.unread if readable else (),
        whole=letter.whole if readable else "",
        quotes_bare=readable and letter.quotes_bare,
        failed=bounce.failed,
        bounce_kind=bounce.kind,
        returned_id=bounce.returned_id,
        encrypted=row.find is sealed,
        too_much=row.find is too_long,
        authentication_results=headers.above("authentication-results", "from"),
    )
