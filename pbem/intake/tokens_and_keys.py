"""What proves who writes: tokens, keys and Message-IDs, all derived from the league's secret."""

import base64
import hmac
import re
from hashlib import sha256
from uuid import UUID

from engine.names import typed
from engine.order_translations import GRAMMARS

_TOKEN = r"[a-z2-7]{16}"
_SUBJECT = re.compile(rf"\[[^\[\]]{{0,40}}?\b({_TOKEN})\]", re.I)
_PLUS = re.compile(rf"\+({_TOKEN})@", re.I)
_DASH = re.compile("[-\u2010-\u2014]")
"""What phones write instead of a hyphen."""
_WORDS = ("KEY", *(one for grammar in GRAMMARS.values() for one in grammar.words["KEY"]))
_WORD = "|".join(form for word in _WORDS for form in typed(word))
_KEY = re.compile(
    rf"\b(?:{_WORD})[:\s]+([a-z2-7]{{3,4}}(?:{_DASH.pattern}[a-z2-7]{{3,4}}){{2}})\b", re.I
)
_BARE_TOKEN = re.compile(r"(?<![a-z0-9])([a-z2-7]{16})(?![a-z0-9])", re.I)
_BARE_KEY = re.compile(
    r"(?<![\w-])([a-z2-7]{3})\s?[-\u2010-\u2015\u2212.·]\s?([a-z2-7]{3})"
    r"\s?[-\u2010-\u2015\u2212.·]\s?([a-z2-7]{3})(?![\w-])",
    re.I,
)
_MAY_HOLD_KEY = re.compile(_WORD, re.I).search
_KEY_LINES = re.compile(rf"^(.*){_KEY.pattern}(.*)\n?", re.I | re.M)


def _mac(secret: bytes, *parts: object) -> bytes:
    # Between the parts is NUL, so that ("a", "bc") and ("ab", "c") differ.
    return hmac.digest(secret, "\0".join(str(part) for part in parts).encode(), "sha256")


def _letters(mac: bytes, count: int) -> str:
    # Base32 has 5 bits per character; -(-x // 8) rounds up to whole bytes.
    enough = mac[: -(-count * 5 // 8)]
    return base64.b32encode(enough).decode().lower()[:count]


def token(secret: bytes, *parts: object) -> str:
    """Return the unguessable token (80 bits) for a player and what it answers."""
    return _letters(_mac(secret, "token", *parts), 16)


def key(secret: bytes, player: int, serial: int) -> str:
    """Return a player's key, such as abc-def-ghi: 45 bits, renewed by its serial."""
    text = _letters(_mac(secret, "key", player, serial), 9)
    return "-".join((text[:3], text[3:6], text[6:]))


def message_id(secret: bytes, address: str, *parts: object) -> str:
    """Return the Message-ID, which stays the same no matter how often a letter is made or sent."""
    return f"<{_mac(secret, 'message', *parts).hex()[:32]}@{address.rpartition('@')[2]}>"


def message_id_of(secret: bytes, ident: str, raw: bytes) -> str:
    """Return the Message-ID of a letter that was written under another one, its `ident`.

    It depends on each byte: if another letter is written for the same reason after a backup was
    restored, it has another Message-ID.
    """
    digest = _mac(secret, "content", ident, sha256(raw).hexdigest()).hex()
    return f"<{digest[:32]}@{ident.rpartition('@')[2]}"


def urn(secret: bytes, *parts: object) -> str:
    """Return the permanent UUID of something, the same for everybody who may see it (RFC 9562)."""
    return UUID(bytes=_mac(secret, "urn", *parts)[:16], version=5).urn


def veiled(secret: bytes, address: str) -> str:
    """Return a mark by which an address is recognized, and from which it can't be read."""
    return _mac(secret, "veiled", address).hex()


def tokens_in(subject: str, recipients: tuple[str, ...]) -> list[str]:
    """Return the tokens that a letter carries, in its plus address and its subject."""
    found = [m[1].lower() for address in recipients for m in _PLUS.finditer(address)]
    found += [m[1].lower() for m in _SUBJECT.finditer(subject)]
    return list(dict.fromkeys(found))


def keys_in(text: str) -> list[str]:
    """Return the keys that a letter's body names."""
    if not _MAY_HOLD_KEY(text):
        return []
    return [_DASH.sub("-", match[1]).lower() for match in _KEY.finditer(text)]


def without_keys(text: str) -> str:
    """Return a text without the lines that name a key, so that no key is ever echoed.

    A key may be on the line below the word, because it counts there too. What stands behind a key
    that begins its line is a line of its own.
    """
    # The pattern knows \n as the only line end.
    text = "\n".join(text.splitlines())
    return _KEY_LINES.sub(_behind_key, text) if _MAY_HOLD_KEY(text) else text


def _behind_key(line: re.Match[str]) -> str:
    """Return the words behind the key of a line that begins with it."""
    behind = "" if line[1].strip() else line[3].lstrip(" \t,.;:–-").rstrip()
    return f"{behind}\n" if behind[:1].isalpha() else ""


def bare_tokens(text: str) -> list[str]:
    """Return what looks like a token, anywhere; a long word may look like one."""
    return [found.lower() for found in _BARE_TOKEN.findall(text)]


def bare_keys(text: str) -> list[str]:
    """Return what looks like a key, anywhere; words joined by dashes may look like one."""
    return ["-".join(match.groups()).lower() for match in _BARE_KEY.finditer(text)]


def is_odd(secret: str) -> bool:
    """Return whether a token or key mixes letters and digits, as no word or number does."""
    bare = secret.replace("-", "")
    return not bare.isalpha() and not bare.isdigit()


def _hidden(match: re.Match[str]) -> str:
    return "***" if is_odd("".join(match.groups())) else match[0]


def masked(text: str) -> str:
    """Return a text without tokens and keys, fit for a log."""
    for bare in (_BARE_TOKEN, _BARE_KEY):
        text = bare.sub(_hidden, text)
    for pattern in (_SUBJECT, _PLUS, _KEY):
        text = pattern.sub(lambda match: match[0].replace(match[1], "***"), text)
    return text


def same(one: str, other: str) -> bool:
    """Return whether two secrets are equal, in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())
