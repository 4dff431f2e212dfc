"""Replacing a person's name and addresses in what others wrote; their other words stay."""

import email
import email.policy
import json
from email.header import Header
from email.message import Message

from pbem.intake.mime import decode_words
from pbem.people.personal_identifiers import Traces

_MOST_PARTS = 50
"""A letter with more parts is not parsed: the time to parse it grows faster than its size."""


def redacted(content: bytes, traces: Traces, pseudonym: str) -> bytes:
    """Return a letter with a pseudonym in place of each trace, in any encoding.

    A letter with very many parts comes back empty.
    """
    if content.lower().count(b"boundary") > _MOST_PARTS:
        return b""
    text = content.decode("utf-8", "surrogateescape")
    plain = traces.replaced(text, pseudonym).encode("utf-8", "surrogateescape")
    letter = email.message_from_bytes(plain, policy=email.policy.compat32)
    changed = False
    for part in letter.walk():
        changed = _head(part, traces, pseudonym) or changed
        changed = _body(part, traces, pseudonym) or changed
    # Parsing and writing may change other bytes, too, so it is done only where needed.
    return letter.as_bytes() if changed else plain


def _head(part: "Message[str, str]", traces: Traces, pseudonym: str) -> bool:
    """Redact a part's header fields, encoded words included; return whether any was changed."""
    named = {key for key, value in part.items() if traces.are_in(decode_words(str(value)))}
    for key in named:
        # Deleting a field deletes all of its name, so all are written again.
        values = [decode_words(str(value)) for value in part.get_all(key, [])]
        del part[key]
        for value in values:
            part[key] = Header(traces.replaced(value, pseudonym), "utf-8").encode()
    return bool(named)


def _body(part: "Message[str, str]", traces: Traces, pseudonym: str) -> bool:
    """Redact a part's text, and store it without encoding; return whether it was changed."""
    payload = part.get_payload(decode=True) if part.get_content_maintype() == "text" else None
    if not isinstance(payload, bytes):
        return False
    charset = part.get_content_charset("utf-8")
    try:
        text = payload.decode(charset, "surrogateescape")
        clean = traces.replaced(text, pseudonym).encode(charset, "surrogateescape")
    except (LookupError, UnicodeError):  # an unknown charset, or a text that does not fit it
        charset, text = "utf-8", payload.decode("utf-8", "surrogateescape")
        clean = traces.replaced(text, pseudonym).encode("utf-8", "surrogateescape")
    if clean == payload or not traces.are_in(text):
        return False
    # The email package holds 8-bit text as ASCII with surrogates.
    part.set_payload(clean.decode("ascii", "surrogateescape"))
    del part["Content-Transfer-Encoding"]
    part["Content-Transfer-Encoding"] = "8bit"
    return True


def redacted_page(page: str, traces: Traces, pseudonym: str) -> str:
    """Return a printed page, which is JSON, with a pseudonym in place of each trace."""

    def clean(value: object) -> object:
        if isinstance(value, str):
            return traces.replaced(value, pseudonym)
        if isinstance(value, list):
            return [clean(one) for one in value]
        if isinstance(value, dict):
            return {key: clean(one) for key, one in value.items()}
        return value

    found = json.loads(page)
    return page if clean(found) == found else json.dumps(clean(found))
