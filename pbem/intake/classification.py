"""What a letter is, by a table that is read from top to bottom: the first row that matches wins.

A row's finder returns why it takes a letter, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pbem.intake import bounces
from pbem.intake.charsets import one_line
from pbem.intake.letter import ParsedLetter, file_name
from pbem.intake.mime import message_ids, plain_line_ends, split_header
from pbem.intake.reading_result import Limits, Reading, TooMuchError

LIMITS = Limits()
MOST_HOPS = 50
SEALED = "-----BEGIN PGP MESSAGE-----"
SEALED_KINDS = frozenset(
    "multipart/encrypted application/pkcs7-mime application/x-pkcs7-mime"
    " application/x-microsoft-rpmsg-message".split()
)
AUTOMATIC = re.compile(r"x-(?:mail-)?auto-?(?:reply|generated|respon(?!se-suppress)).*")
"""The fields by which programs said that they answer, before RFC 3834 made one for all."""
LISTS = re.compile(r"list-.+|(?:x-)?mailing-list")
"""The fields of mailing lists (RFC 2369, RFC 2919), and those that some have written before."""
REPORT_FILE = re.compile(r"[\w.-]+![\w.-]+!\d{9,11}!\d{9,11}\b.*\.(?:xml|json|zip|gz)", re.I)
"""The file's name in a report of DMARC (RFC 7489, 7.2.1.1) or of TLS (RFC 8460, 5.1)."""


def status_part(letter: ParsedLetter) -> str | None:
    """Return why a letter is a delivery status report (RFC 3464), or None; not one of success."""
    found = letter.report_of("delivery-status")
    return None if found and bounces.of_success(letter) else found


def free_form(letter: ParsedLetter) -> str | None:
    """Return why a letter is a bounce of a form older than the standard, or None."""
    if "x-failed-recipients" in letter.headers:
        return None if bounces.of_success(letter) else "it names failed recipients"
    # An autoresponder may send from no path too, and name whoever answers for its owner.
    if not (bounces.from_daemon(letter) or (letter.null_path and auto_submitted(letter) is None)):
        return None
    found = bounces.bounce_of(letter)
    returns = (found.failed or found.returned_id) and not bounces.of_success(letter)
    return "a mail system names the address or the letter that it returns" if returns else None


def auto_submitted(letter: ParsedLetter) -> str | None:
    """Return the mark of RFC 3834, or None."""
    for value in letter.headers.all("auto-submitted"):
        said = value.partition(";")[0].partition("(")[0].strip().lower()
        if said and said != "no":
            return f"Auto-Submitted is {said[:40]}"
    return None


def automatic_header(letter: ParsedLetter) -> str | None:
    """Return the header field that an autoresponder has set, or None."""
    # Sorted, so that the same letter gets the same reason in each run.
    for name in sorted(filter(AUTOMATIC.fullmatch, letter.headers.names)):
        # Some programs set such a field to say that the letter is not automatic.
        if letter.headers.first(name).lower() not in ("", "no", "false"):
            return f"it has {name}"
    return None


def precedence(letter: ParsedLetter) -> str | None:
    """Return a Precedence other than that of a list, or None."""
    machines = ("bulk", "junk", "auto_reply", "auto-reply")[letter.by_our_list :]
    said = next((one for one in letter.precedences if one in machines), None)
    return f"Precedence is {said}" if said else None


def mail_system(letter: ParsedLetter) -> str | None:
    """Return why a letter must not be answered, by its empty return path or its sender, or None."""
    if bounces.from_daemon(letter):
        return "it comes from a mail system"
    return "its return path is empty" if letter.null_path else None


def calendar_reply(letter: ParsedLetter) -> str | None:
    """Return why a letter is a calendar's answer, or None."""
    for part in letter.parts:
        # An invitation (REQUEST) may come from a person; these are sent by a calendar.
        method = part.params.get("method", "").upper()
        if part.kind == "text/calendar" and method in ("REPLY", "COUNTER", "DECLINECOUNTER"):
            return f"it is a calendar's {method.lower()}"
    return None


def receipt(letter: ParsedLetter) -> str | None:
    """Return why a letter is a read receipt (RFC 8098), or None."""
    return letter.report_of("disposition-notification")


def report(letter: ParsedLetter) -> str | None:
    """Return why a letter is a program's report of whatever type (RFC 6522), or None."""
    return "it is a multipart/report" if letter.root.kind == "multipart/report" else None


def feedback(letter: ParsedLetter) -> str | None:
    """Return why a letter is a complaint by a mail provider (RFC 5965), or None."""
    if found := letter.report_of("feedback-report"):
        return found
    # Only an attached part has a name, and to find it takes long.
    names = (file_name(part) for part in letter.parts if part.attached)
    if any(map(REPORT_FILE.fullmatch, names)):
        return "its attached file is a report on a domain"
    return None


def mailing_list(letter: ParsedLetter) -> str | None:
    """Return why a letter is from a list or a newsletter, or None."""
    if letter.by_our_list:
        return None
    marks = sorted(filter(LISTS.fullmatch, letter.headers.names))
    if marks:
        return f"it has {marks[0]}"
    return "Precedence is list" if "list" in letter.precedences else None


def own_letter(letter: ParsedLetter) -> str | None:
    """Return why this is one of the league's own letters, or one in a mail loop, or None."""
    ours = frozenset(letter.limits.ours)
    if letter.sender and letter.sender.address in ours:
        return "it comes from the league's own address"
    for name in ("x-pbem-loop", "x-loop"):
        if any(own in value.lower() for value in letter.headers.all(name) for own in ours):
            return f"{name} names the league"
    # Each server on the way adds one such field (RFC 5321, 6.3).
    hops = len(letter.headers.all("received"))
    return f"it has come through {hops} servers" if hops >= MOST_HOPS else None


def bad_sender(letter: ParsedLetter) -> str | None:
    """Return why From does not hold exactly one clean address, or None."""
    if letter.sender:
        return None
    count = len(letter.headers.all("from"))
    if count != 1:
        return f"it has {count or 'no'} From fields"
    return "From does not hold exactly one clean address"


def too_long(letter: ParsedLetter) -> str | None:
    """Return the cap that the text exceeds, or None."""
    return letter.shown[1] or None


def sealed(letter: ParsedLetter) -> str | None:
    """Return why nobody here can open a letter, or None."""
    if SEALED_KINDS & letter.kinds:
        return "it is encrypted, protected or wrapped by S/MIME, so that no text can be read"
    return "it holds an encrypted message" if SEALED in letter.text else None


def person(letter: ParsedLetter) -> str | None:
    """Return why a letter is a person's: nothing else matched."""
    return "no other row took it"


@dataclass(frozen=True, slots=True)
class ClassRule:
    """One row: a name, a finder that returns why it takes a letter, and the resulting class."""

    name: str
    find: Callable[[ParsedLetter], str | None]
    klass: str


ROWS: tuple[ClassRule, ...] = (
    ClassRule("delivery status", status_part, "bounce"),
    ClassRule("feedback report", feedback, "feedback"),
    ClassRule("read receipt", receipt, "autoreply"),
    ClassRule("report", report, "autoreply"),
    ClassRule("own letter", own_letter, "autoreply"),
    ClassRule("bounce in free form", free_form, "bounce"),
    ClassRule("auto-submitted", auto_submitted, "autoreply"),
    ClassRule("autoresponder header", automatic_header, "autoreply"),
    ClassRule("calendar", calendar_reply, "autoreply"),
    ClassRule("list or newsletter", mailing_list, "list"),
    ClassRule("precedence", precedence, "autoreply"),
    ClassRule("empty return path", mail_system, "autoreply"),
    # After the machines' rows: a robot's long text is not a player's fault.
    ClassRule("text too long", too_long, "refused"),
    ClassRule("bad sender", bad_sender, "refused"),
    # A person wrote it, who must learn that nobody here can read it.
    ClassRule("encrypted", sealed, "human"),
    ClassRule("human", person, "human"),
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
        found = judge(ParsedLetter(head + b"\n\n", limits))
    except TooMuchError:
        return Reading(klass="refused", reason=why, too_much=True)
    klass = "refused" if found.klass == "human" else found.klass
    reason = why if found.klass == "human" else found.reason
    return replace(found, klass=klass, reason=reason, text="", unsure=(), below=(), too_much=True)


def opened(raw: bytes, limits: Limits = LIMITS) -> ParsedLetter:
    """Return the letter for the rows. Raise TooMuchError if it exceeds a cap."""
    if len(raw) > limits.letter:
        raise TooMuchError(f"more than {limits.letter} bytes")
    return ParsedLetter(raw, limits)


def rows_tried(letter: ParsedLetter) -> Iterator[tuple[ClassRule, str | None]]:
    """Yield the rows in order with their answers, up to the first that takes the letter."""
    for row in ROWS:
        why = row.find(letter)
        yield row, why
        if why is not None:
            return


def judge(letter: ParsedLetter) -> Reading:
    """Return the result of the first row that takes a letter."""
    for number, (row, why) in enumerate(rows_tried(letter), 1):
        if why is not None:
            return verdict(letter, row, one_line(f"row {number} {row.name}: {why}"))
    raise AssertionError("the last row takes every letter")


def verdict(letter: ParsedLetter, row: ClassRule, reason: str) -> Reading:
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
        date=headers.first("date"),
        subject=letter.subject,
        topic=letter.topic,
        message_id=ids[0] if ids else None,
        in_reply_to=message_ids(headers.first("in-reply-to")),
        references=message_ids(headers.first("references")),
        text=letter.text if readable else "",
        unsure=letter.unsure if readable else (),
        below=letter.own.below if readable else (),
        unread=letter.unread if readable else (),
        failed=bounce.failed,
        bounce_kind=bounce.kind,
        returned_id=bounce.returned_id,
        encrypted=row.find is sealed,
        too_much=row.find is too_long,
        authentication_results=headers.above("authentication-results", "from"),
    )
