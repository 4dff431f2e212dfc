"""Letters that say that a letter did not arrive: whose, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.intake.addresses import addresses_in
from pbem.intake.headers import Headers, message_ids, split_header
from pbem.intake.letter import Letter
from pbem.intake.mime import Part

SUBJECTS = re.compile(
    r"undeliver(?:ed|able)|delivery (?:status )?notification|delivery[- ](?:failure|failed|error|"
    r"report|problem)|mail delivery|failure notice|failed (?:mail|delivery|message)|returned mail|"
    r"returned message|non[- ]?delivery|nondeliverable|could not (?:be delivered|send message)|"
    r"mail (?:system )?error|warning: (?:could not send|message|e?-?mail)|message (?:not|un)deliver|"
    r"not delivered|delivery delayed|delayed mail|unable to deliver|mail failure|bounced mail|"
    r"message status - undeliverable|user unknown|unzustellbar|nicht zustellbar|zustellung|"
    r"non remis|échec de la remise|no se (?:puede|pudo) entregar|no se ha podido entregar|"
    r"impossibile recapitare|mancato recapito|não (?:foi )?(?:entregue|é possível)|onbestelbaar|"
    r"kunde inte levereras|kunne ikke leveres|nie można dostarczyć|niedostarczon|nedoručiteln|"
    r"не удалось доставить|не доставлен|недоставлен|配信不能|配信できません|送信できません|エラーメール|"
    r"未送达|退信|无法送达|無法傳遞|배달되지 않음|배달 실패|delivery has failed|rejected:|"
    r"rejet|notificat.{1,6} d.{0,3}échec|error sending|there was an error sending|failure delivering",
    re.IGNORECASE,
)
NOTICES = re.compile(
    r"this is the qmail-send program|this message was created automatically by (?:the )?mail delivery"
    r"|this is the (?:mail system|postfix program)|the original message was received at"
    r"|delivery has failed to these recipients|delivery to the following recipients? "
    r"|your message (?:to [^ ]{1,200} )?(?:did not reach|wasn'?t delivered|could ?n.t be delivered|was not delivered)"
    r"|(?:unable|not able) to (?:deliver|send) (?:your |the |this )?(?:following )?(?:e-?mail|message|mail)"
    r"|could not be delivered|couldn't be delivered|cannot be delivered|was undeliverable|is undeliverable"
    r"|not be delivered to|returned to (?:the )?sender|permanent(?:ly)? (?:fatal )?(?:error|failed)|delivery failed"
    r"|failed to deliver|undelivered message|message (?:was )?undeliver|mailbox unavailable|user unknown"
    r"|no such (?:user|mailbox|recipient)|unknown (?:user|recipient)|mailbox (?:is )?full|over quota"
    r"|(?:has been|been|is) delayed|will continue to (?:try|be)|could not deliver|kann nicht zugestellt werden"
    r"|konnte nicht zugestellt|nicht zugestellt|n'a pas pu être|n'a pas été remis|no se pudo entregar"
    r"|not accept(?:ed|ing)|recipient(?:'s)? (?:address )?(?:rejected|not found)|unrouteable|not listed in"
    r"|invalid recipient|delivery (?:error|failure|problem)|rejected (?:your|the) message|has been rejected"
    r"|送信できませんでした|届けることができません|配信できません|could not send|delivery attempt|returned message|undeliverable",
    re.IGNORECASE,
)
SURE_NOTICES = re.compile(
    r"this is the qmail-send program|this message was created automatically by (?:the )?mail delivery"
    r"|this is the (?:mail system|postfix program) at|delivery has failed to these recipients or"
    r"|-----\s?the following addresses had permanent|your message did not reach some or all of"
)
COPY_BELOW = re.compile(
    r"^[-=_* ]*(?:below this line is a copy|this is a copy of|original message|the original message"
    r"|included is a copy|undelivered message|unsent message|message (?:header|content|text)"
    r"|returned message|your (?:original )?message (?:follows|reads|is)|(?:begin|start) of (?:original|ret)"
    r"|the (?:header|body|first \d+ )|original-message|message headers? follow|the message (?:header|id)"
    r"|return-path:|received: |headers? of (?:the )?(?:original|mes)).*$",
    re.IGNORECASE | re.MULTILINE,
)
PASSING = re.compile(
    r"\b4\.\d+\.\d+\b|(?:mailbox|inbox|account) (?:is |was )?(?:full|exceed|over)|quota|try again later|tempor"
    r"|delayed|will (?:keep|be) (?:trying|retr)|will continue|still (?:being )?retried|5\.2\.2"
    r"|not yet (?:been )?deliver|4\d\d[ -]"
)
POLICY = re.compile(
    r"\b5\.7\.\d+\b|spam|blocked|blacklist|blocklist|policy|dmarc|\bspf\b|dkim|reputation|virus"
    r"|5\.3\.4|too (?:big|large)|maximum (?:message )?size|content (?:rejected|filter)|5\.6\.\d"
)
GONE = re.compile(
    r"\b5\.1\.\d+\b|user unknown|unknown (?:user|recipient|address|local)|no such (?:user|mailbox|person)"
    r"|does ?n.t (?:exist|have)|does not exist|no mailbox|not found|invalid (?:recipient|mailbox|address)"
    r"|disabled|unrouteable|inactive"
)
LAST_WORDS = frozenset({"delivered", "relayed", "expanded"})


@dataclass(frozen=True, slots=True)
class Bounce:
    """Who could not be reached, how it failed (hard, soft or policy), and which letter it was."""

    failed: tuple[str, ...]
    kind: str
    returned_id: str | None


def status_part(letter: Letter) -> str | None:
    """A delivery status report (RFC 3464)."""
    _, params = letter.root.kind, letter.root.params
    if "message/delivery-status" in letter.kinds:
        return "it holds a delivery status"
    if params.get("report-type", "").lower() == "delivery-status":
        return "its report type is delivery-status"
    return None


def free_form(letter: Letter) -> str | None:
    """A bounce in one of the many forms that came before the standard."""
    if "x-failed-recipients" in letter.headers:
        return "it names failed recipients"
    subject = bool(SUBJECTS.search(letter.subject[:300])) and not letter.subject.lower().startswith(
        "re:"
    )
    notice = bool(NOTICES.search(letter.notice))
    if letter.from_daemon and (subject or notice):
        return "a mail system writes that delivery failed"
    if letter.null_path and (subject or notice):
        return "its return path is empty and it tells of a failed delivery"
    if SURE_NOTICES.search(letter.notice[:600]) and "in-reply-to" not in letter.headers:
        return "it has the words of a mail system's bounce"
    return None


def bounce_of(letter: Letter) -> Bounce:
    """What a bounce says."""
    groups = list(recipient_groups(letter.root))
    failed = addresses_in(failed_by(groups)) or addresses_in(
        letter.headers.all("x-failed-recipients")
    )
    returned = next(returned_headers(letter.root), None)
    ids = message_ids(returned.first("message-id")) if returned else ()
    kind = kind_by_status(groups) or kind_by_words(letter.notice)
    return Bounce(failed or named_in(letter), kind, ids[0] if ids else None)


def recipient_groups(root: Part) -> Iterator[Headers]:
    """The groups of fields of every delivery status, one a recipient."""
    for part in root.walk():
        if part.kind == "message/delivery-status":
            for group in re.split(rb"\n[ \t]*\n", part.content()):
                yield Headers(group.strip())


def failed_by(groups: Iterable[Headers]) -> Iterator[str]:
    """The final recipients that a delivery status does not report as reached."""
    for group in groups:
        if group.first("action").lower() not in LAST_WORDS:
            value = group.first("final-recipient") or group.first("original-recipient")
            yield value.rpartition(";")[2]


def kind_by_status(groups: Iterable[Headers]) -> str | None:
    """How a delivery failed, by the words of its status."""
    for group in groups:
        status = group.first("status")
        if group.first("action").lower().startswith("delayed") or status.startswith("4"):
            return "soft"
        if status.startswith("5"):
            return kind_by_words(f"{status} {group.first('diagnostic-code')}".casefold())
    return None


def kind_by_words(said: str) -> str:
    """How a delivery failed, by what is said of it."""
    if GONE.search(said):
        return "hard"
    if POLICY.search(said):
        return "policy"
    return "soft" if PASSING.search(said) else "hard"


def returned_headers(root: Part) -> Iterator[Headers]:
    """The headers of the letters that a bounce gives back."""
    for part in root.walk():
        if part.kind in (
            "message/rfc822",
            "text/rfc822-headers",
            "message/global",
            "message/rfc822-headers",
        ):
            yield Headers(split_header(part.content().lstrip(b"\n") + b"\n\n")[0])


def named_in(letter: Letter) -> tuple[str, ...]:
    """The addresses that a bounce's own words name, apart from those it comes from and goes to."""
    said = COPY_BELOW.split(letter.whole[:50_000], maxsplit=1)[0]
    others = {*letter.recipients, letter.sender.address if letter.sender else ""}
    return tuple(
        each
        for each in addresses_in(said.split("\n"))
        if each not in others and not each.startswith(("postmaster@", "mailer-daemon@"))
    )
