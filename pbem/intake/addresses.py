"""Addresses: the one clean address of a From, and the addresses that a letter was sent to."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from pbem.intake.mime import decode_words

ATOM = r"[\w!#$%&'*+/=?^`{|}~.-]+"
LABEL = r"[^\W_](?:[\w-]{0,62}[^\W_])?"
ADDRESS = re.compile(rf"(?P<local>{ATOM}|\"{ATOM}\")@(?P<domain>{LABEL}(?:\.{LABEL})*)\.?")
QUOTED = r'"(?:[^"\\]|\\.)*"'
PHRASE = re.compile(
    rf"(?P<phrase>{QUOTED}|[^<>\"]*+)\s*+<(?P<address>[^<>]*+)>\s*+(?:\([^()<>@]*+\))?"
)
NOTED = re.compile(r"(?P<address>[^\s()<>]++)\s*+\((?P<phrase>[^()<>]*+)\)")
PLACE = re.compile(r"\s*[^\W_]{1,30}(?!\w|\s*[.．。｡@-])")
"""A word behind an `@` that is no domain."""
SEPARATORS = re.compile(r"[\s,;<>()\[\]\"']+|mailto:", re.IGNORECASE)
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
LONGEST = 320


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address and the name shown with it."""

    address: str
    name: str


def one_mailbox(value: str) -> Mailbox | None:
    """Return the mailbox of a From value; None unless it holds exactly one, cleanly written."""
    value = value.strip()
    # Programs show different addresses for odd values (CVE-2023-27043), so these are refused.
    if len(value) > 4 * LONGEST or re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value):
        return None
    found = PHRASE.fullmatch(value) or NOTED.fullmatch(value)
    if found is None and not set(r"\,;:()") & set(value):
        # Quotation marks out of place are harmless in a name without anything else doubtful.
        found = PHRASE.fullmatch(" ".join(value.replace('"', " ").split()))
    if found is None or clean_address(found["address"].strip()) is None:
        value = without_comments(value)
        found = PHRASE.fullmatch(value)
    phrase, bare = (found["phrase"].strip(), found["address"].strip()) if found else ("", value)
    address = clean_address(bare)
    if address is None or not harmless(phrase, address):
        return None
    return Mailbox(address, decode_words(unquoted(phrase)))


def without_comments(value: str) -> str:
    """Return a From value without its comments (RFC 5322, 3.2.2); unchanged if one has an address.

    A comment that shows an address could make a mail program show that one.
    """
    kept, inside = list[str](), list[str]()
    depth, quoted = 0, False
    signs = iter(value)
    for sign in signs:
        pair = sign + next(signs, "") if sign == "\\" else sign
        quoted ^= sign == '"' and not depth
        if sign == "(" and not quoted:
            depth += 1
        (inside if depth else kept).append(pair)
        if sign == ")" and not quoted and depth:
            depth -= 1
    if depth or {"<", ">"} & set("".join(inside)) or shows_address("".join(inside)):
        return value
    bare = "".join(kept).strip()
    return re.sub(r"\s*([@.<>])\s*", r"\1", bare) if "<" not in bare else _tight(bare)


def _tight(value: str) -> str:
    """Return a From value without spaces in its address."""
    phrase, bracket, address = value.rpartition("<")
    return f"{phrase}{bracket}{''.join(address.split())}"


def harmless(phrase: str, address: str) -> bool:
    """Return whether no mail program could mistake a part of the phrase for the address."""
    if phrase.startswith('"'):
        return not ('\\"' in phrase and "@" in phrase)
    if ";" in phrase or "\\" in phrase:
        return False
    # A colon begins a group, which has no second address here.
    return "@" not in phrase or not shows_address(phrase) or clean_address(phrase) == address


def shows_address(text: str) -> bool:
    """Return whether a text may hold an address with a domain, such as `Ann@x.example`.

    What was written of old for a place, such as `Ann @ home`, is none.
    """
    # Behind a comma some programs see a second address.
    return ("@" in text and "," in text) or any(
        not PLACE.match(text, at.end()) for at in re.finditer("@", text)
    )


def unquoted(phrase: str) -> str:
    """Return a phrase without quotation marks and escapes."""
    return re.sub(r"\\(.)", r"\1", phrase[1:-1]) if phrase.startswith('"') else phrase


def clean_address(text: str) -> str | None:
    """Return an addr-spec with its ASCII letters in lower case, or None.

    A domain of other letters is written as DNS has it (RFC 5890), for no other form can be sent to.
    """
    found = ADDRESS.fullmatch(text) if len(text) <= LONGEST else None
    if not found:
        return None
    # Only ASCII letters: others have several small forms, which may be different mailboxes.
    return f"{found['local'].strip(chr(34))}@{_plain_domain(found['domain'])}".translate(LOWER)


def addresses_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return every address in some texts, once each, in their order."""
    words = (word for text in texts if "@" in text for word in SEPARATORS.split(text))
    found = (clean_address(word.strip(".:*`")) for word in words if "@" in word)
    return tuple(dict.fromkeys(each for each in found if each))


_SAME_HOSTS = (
    ("gmail.com", "googlemail.com"),
    ("icloud.com", "me.com", "mac.com"),
    ("proton.me", "protonmail.com", "pm.me"),
    ("yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz"),
)
"""Names of hosts that accept letters for the same mailboxes, the usual one first."""
_USUAL = {name: names[0] for names in _SAME_HOSTS for name in names}
_NAMES = {names[0]: names for names in _SAME_HOSTS}
_DEVIANT = re.compile("[ßẞς\u200c\u200d]")
"""What IDNA of 2003 and of 2008 write differently."""
_DOTLESS = ("gmail.com",)
"""Hosts that ignore dots."""


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address leads to, the same for all of its spellings.

    What follows a plus sign is a tag; dots are ignored for hosts that are known to ignore them.
    This is only for counting and comparing: nothing is sent to it, and it proves nothing.
    """
    local, _, domain = unicodedata.normalize("NFKC", address).casefold().rpartition("@")
    domain = _plain_domain(domain.rstrip("."))
    domain = _USUAL.get(domain, domain)
    name = local.strip('"')
    name = name.partition("+")[0] or name
    if domain in _DOTLESS:
        name = name.replace(".", "") or name
    return f"{name}@{domain}"


def alike(address: str) -> tuple[str, ...]:
    """Return LIKE patterns that find all spellings of an address's mailbox, and some others."""
    name, _, domain = mailbox_of(address).rpartition("@")
    hosts = _NAMES.get(domain, (domain,))
    # A backslash would take away the meaning of the % behind it.
    first = "%" if name[:1] in ("", "\\") else name[:1]
    return tuple(f"{first}%@{host}" for host in hosts)


def _plain_domain(domain: str) -> str:
    """Return a domain as DNS writes it; unchanged where that might be another's domain.

    By the rules that Python knows (RFC 3490) `faß` is `fass`, and full-width letters are plain.
    """
    if domain.isascii() or _DEVIANT.search(domain):
        return domain
    try:
        plain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain
    labels = zip(domain.split("."), plain.split("."), strict=False)
    same = all(own.isascii() or new.startswith("xn--") for own, new in labels)
    return plain if same else domain
