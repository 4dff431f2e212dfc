"""Letters that programs send for somebody: each finder returns why it thinks so."""

from __future__ import annotations

import re

from pbem.intake import robot_phrases as phrases
from pbem.intake.letter import Letter, file_name
from pbem.intake.phrase_tables import words
from pbem.intake.reading import ANSWERING

BRACKETED = re.compile(r"\s*(?:\[[^\]]{1,40}\]|\([^)]{1,40}\)|\*{1,9})\s*")
NOTES = frozenset(words(phrases.NOTE_HEADERS))
TRACKERS = tuple(words(phrases.TRACKERS))
LISTS = frozenset(words(phrases.LIST_HEADERS))
NEAR = 1_500


def auto_submitted(letter: Letter) -> str | None:
    """Return the mark of RFC 3834, or None."""
    for value in letter.headers.all("auto-submitted"):
        said = value.partition(";")[0].partition("(")[0].strip().lower()
        if said and said != "no":
            return f"Auto-Submitted is {said[:40]}"
    return None


def note_header(letter: Letter) -> str | None:
    """Return the header that an autoresponder or a ticket system has set, or None."""
    for name in sorted(NOTES & letter.headers.names):
        if letter.headers.first(name).lower() not in ("", "no", "false"):
            return f"it has {name}"
    if tracked := [name for name in letter.headers.names if name.startswith(TRACKERS)]:
        return f"it has {min(tracked)}"
    loops = " ".join(letter.headers.all("x-loop")).lower()
    if letter.sender and letter.sender.address in loops:
        return "X-Loop names its sender"
    if "autoresponder" in letter.headers.first("delivered-to").lower():
        return "it was delivered to an autoresponder"
    if "autorespond" in letter.headers.first("x-post-messageclass").lower():
        return "its message class is autoresponder"
    return None


def precedence(letter: Letter) -> str | None:
    """Return a Precedence other than that of a list, or None."""
    machines = ("bulk", "junk", "auto_reply", "auto-reply")
    said = next((one for one in precedences(letter) if one in machines), None)
    return f"Precedence is {said}" if said else None


def precedences(letter: Letter) -> list[str]:
    """Return what all Precedence lines of a letter say: each program on its way may add one.

    A comment or a parameter behind the word does not count.
    """
    lines = letter.headers.all("precedence")
    return [re.split(r"[;(]", value, maxsplit=1)[0].strip().lower() for value in lines]


def null_path(letter: Letter) -> str | None:
    """Return why a letter must not be answered, by its empty return path, or None."""
    return "its return path is empty" if letter.null_path else None


def vacation_subject(letter: Letter) -> str | None:
    """Return why a subject is an autoresponder's, not a person's words about holidays, or None."""
    subject = letter.subject[:300]
    while found := BRACKETED.match(subject):
        subject = subject[found.end() :]
    if found := phrases.AUTOMATIC_SUBJECT.match(subject):
        return f"its subject begins with {found[0]!r}"
    found = phrases.ABSENT_SUBJECT.match(subject)
    rest = subject[found.end() :].lstrip() if found else ""
    noted = rest.startswith((":", "：")) or ANSWERING.match(rest)
    found = found if noted else phrases.SOMEBODY_ABSENT.match(subject)
    if found and says_automatic(letter):
        return f"its subject begins with {found[0]!r} and its text speaks of absence"
    return None


def says_automatic(letter: Letter) -> bool:
    """Return whether the letter's own text calls itself automatic or mentions an absence."""
    return bool(phrases.SAYS_AUTOMATIC.search(letter.text[:NEAR].lower()))


def acknowledgement(letter: Letter) -> str | None:
    """Return why a letter is an acknowledgement or another program's notice, or None.

    The sign is a program's address, the statement that it is automatic, or two signs of a ticket
    system, a scanner or a responder that sets no headers.
    """
    local = letter.sender.address.partition("@")[0] if letter.sender else ""
    if phrases.ROBOTS.fullmatch(local):
        return "it comes from a program's address"
    said = " ".join(letter.text[:NEAR].lower().split())
    if not is_answer(letter):
        if phrases.ACCOUNTS.fullmatch(local) and is_account_name(letter):
            return "it comes from an account of a computer"
        if phrases.SURELY_AUTOMATIC.search(said):
            return "it says that it is automatic"
        if phrases.GREETS_CUSTOMERS.match(said):
            return "it greets a customer"
    signs = {
        "has X-Auto-Response-Suppress": "x-auto-response-suppress" in letter.headers,
        "has a ticket number": phrases.TICKET.search(letter.subject[:300]),
        "acknowledges a letter": phrases.ACKNOWLEDGES.search(f"{letter.subject[:300]} {said}"),
        "comes from a mail system": letter.from_daemon,
        "speaks of a virus or a quarantine": letter.from_daemon and phrases.FILTERED.search(said),
        "has the subject of a challenge": phrases.CHALLENGE.search(letter.subject[:300].lower())
        and not ANSWERING.match(letter.subject),
        "asks for proof of a person": phrases.CHALLENGE.search(said),
    }
    shown = [sign for sign, found in signs.items() if found]
    if shown and says_automatic(letter):
        shown.insert(0, "says that it is automatic")
    return "it " + " and ".join(shown) if len(shown) > 1 else None


def is_answer(letter: Letter) -> bool:
    """Return whether a letter answers one of ours, in which a player may speak for a machine."""
    tagged = any("+" in address.partition("@")[0] for address in letter.addressed)
    return tagged or "in-reply-to" in letter.headers


def is_account_name(letter: Letter) -> bool:
    """Return whether the name in From is no person's: none, an account's, or a program's."""
    name = letter.sender.name if letter.sender else ""
    return not name or "@" in name or bool(phrases.ACCOUNT_NAMES.fullmatch(name))


def calendar_reply(letter: Letter) -> str | None:
    """Return why a letter is a calendar's answer, or None."""
    for part in letter.root.walk():
        method = part.params.get("method", "").upper()
        if part.kind == "text/calendar" and method in ("REPLY", "COUNTER", "DECLINECOUNTER"):
            return f"it is a calendar's {method.lower()}"
    return None


def receipt(letter: Letter) -> str | None:
    """Return why a letter is a read receipt (RFC 8098, or one in free form), or None."""
    if "message/disposition-notification" in letter.kinds:
        return "it holds a disposition notification"
    if letter.root.params.get("report-type", "").lower() == "disposition-notification":
        return "its report type is disposition-notification"
    subject = phrases.READ_SUBJECT.match(letter.subject[:300])
    bare = letter.kinds == {"application/ms-tnef"}
    if subject and (bare or phrases.READ_NOTICE.search(letter.notice[:600])):
        return "its subject and its text are those of a read receipt"
    return None


def report(letter: Letter) -> str | None:
    """Return why a letter is a program's report of whatever type (RFC 6522), or None."""
    return "it is a multipart/report" if letter.root.kind == "multipart/report" else None


def feedback(letter: Letter) -> str | None:
    """Return why a letter is a complaint by a mail provider (RFC 5965), or None."""
    if "message/feedback-report" in letter.kinds:
        return "it holds a feedback report"
    if letter.root.params.get("report-type", "").lower() == "feedback-report":
        return "its report type is feedback-report"
    if phrases.COMPLAINT.match(letter.subject[:300]):
        return "its subject is that of a provider's report"
    if any(phrases.REPORT_FILE.fullmatch(file_name(part)) for part in letter.root.walk()):
        return "its attached file is a report on a domain"
    return None


def mailing_list(letter: Letter) -> str | None:
    """Return why a letter is from a list or a newsletter, or None."""
    marks = sorted(LISTS & letter.headers.names)
    if marks:
        return f"it has {marks[0]}"
    return "Precedence is list" if "list" in precedences(letter) else None
