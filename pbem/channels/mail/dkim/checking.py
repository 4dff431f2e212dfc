"""Whether the DKIM signatures of a letter are valid (RFC 6376, section 6), by keys from DNS."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from pbem.channels.mail.dkim import canonical
from pbem.channels.mail.dkim.canonical import Field
from pbem.channels.mail.dkim.lookups import Lookup, NoAnswer

MOST = 5
"""The most signatures of a letter that are checked."""
LEAST_BITS, MOST_BITS = 1024, 8192
_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
_MARK = re.compile(rb"(?:^|(?<=;))([ \t\n]*b[ \t\n]*=)[^;]*")
_NEEDED = ("v", "a", "b", "bh", "d", "h", "s")


@dataclass(frozen=True, slots=True)
class Check:
    """A signature: its domain, whether it is valid, and why it is not.

    "none" means neither: a domain that only tests DKIM, or a key that can't be fetched now.
    """

    domain: str
    result: Literal["pass", "fail", "none"]
    why: str = ""


class _Unsound(Exception):
    """A signature that is not valid; the text says why."""


class _Silent(Exception):
    """A signature that proves nothing either way; the text says why."""


def signatures(raw: bytes, lookup: Lookup, received: datetime) -> list[Check]:
    """Return the checks of a letter's signatures as of its receipt; never raise."""
    fields, body = canonical.parted(raw)
    marks = [(name, value) for name, value in fields if name.lower() == b"dkim-signature"]
    return [_check(one, fields, body, lookup, received) for one in marks[:MOST]]


def _check(
    mark: Field, fields: Sequence[Field], body: bytes, lookup: Lookup, received: datetime
) -> Check:
    domain = ""
    try:
        tags = _tags(mark[1].decode("ascii", "replace"))
        domain = _sound(tags, received)
        if _bytes(tags["bh"]) != hashlib.sha256(canonical.body(body, _forms(tags)[1])).digest():
            raise _Unsound("the text was changed on the way")
        key = _key(tags, lookup)
        over = b"\r\n".join(_over(mark, tags, fields))
        if isinstance(key, RSAPublicKey):
            key.verify(_bytes(tags["b"]), over, PKCS1v15(), hashes.SHA256())
        else:
            # RFC 8463 signs the hash with Ed25519, not the text.
            key.verify(_bytes(tags["b"]), hashlib.sha256(over).digest())
    except InvalidSignature:
        return Check(domain, "fail", "the header was changed on the way, or the key is another")
    except _Unsound as error:
        return Check(domain, "fail", str(error))
    except (_Silent, NoAnswer) as error:
        return Check(domain, "none", str(error))
    return Check(domain, "pass")


def _tags(text: str) -> Mapping[str, str]:
    """Return a list of tags (RFC 6376, section 3.2)."""
    found: dict[str, str] = {}
    for part in text.split(";"):
        name, sign, value = part.partition("=")
        if not sign and not name.strip():
            continue
        if not sign or name.strip() in found:
            raise _Unsound("it can't be read")
        found[name.strip()] = value.strip()
    return found


def _sound(tags: Mapping[str, str], received: datetime) -> str:
    """Check a signature's own data, and return its domain. Raise _Unsound if they are wrong."""
    missing = [name for name in _NEEDED if name not in tags]
    if missing or tags["v"] != "1":
        raise _Unsound(f"it lacks {', '.join(missing)}" if missing else "it is of another version")
    domain = tags["d"].lower()
    if not _DOMAIN.fullmatch(domain) or not _DOMAIN.fullmatch(f"{tags['s'].lower()}.x.xx"):
        raise _Unsound("its domain is none")
    # With l= anybody could add text below what is signed.
    if "l" in tags:
        raise _Unsound("it covers a part of the text alone")
    if "from" not in _names(tags):
        raise _Unsound("it does not cover From")
    owner = tags.get("i", f"@{domain}").rpartition("@")[2].lower()
    if owner != domain and not owner.endswith(f".{domain}"):
        raise _Unsound("it is for another domain than its own")
    until = tags.get("x", "")
    if until and (not until.isdecimal() or int(until) < received.timestamp()):
        raise _Unsound("it has expired")
    return domain


def _names(tags: Mapping[str, str]) -> list[str]:
    return [name.strip().lower() for name in tags["h"].split(":")]


def _forms(tags: Mapping[str, str]) -> tuple[str, str]:
    """Return the canonical forms of header and body."""
    header, _, body = tags.get("c", "simple").partition("/")
    forms = (header.strip(), body.strip() or "simple")
    if not {*forms} <= {"simple", "relaxed"}:
        raise _Unsound("its form is not known")
    return forms


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise _Unsound("it can't be read") from None


def _over(mark: Field, tags: Mapping[str, str], fields: Sequence[Field]) -> Iterator[bytes]:
    """Yield what the header's signature covers: the fields, and its own field without its b=."""
    form = _forms(tags)[0]
    for name, value in canonical.chosen(fields, [one.encode() for one in _names(tags)]):
        yield canonical.field(name, value, form)
    yield canonical.field(mark[0], _MARK.sub(rb"\1", mark[1]), form)


def _key(tags: Mapping[str, str], lookup: Lookup) -> RSAPublicKey | Ed25519PublicKey:
    """Return the public key of a signature; raise _Unsound, _Silent or NoAnswer."""
    kind, _, digest = tags["a"].partition("-")
    if digest != "sha256" or kind not in ("rsa", "ed25519"):
        raise _Unsound("its algorithm is not known, or too weak")
    found = [_tags(one) for one in lookup(f"{tags['s']}._domainkey.{tags['d']}") if "p=" in one]
    if not found:
        raise _Unsound("there is no such key in DNS")
    # RFC 6376 leaves open what several records mean (3.6.2.2); here the first one counts.
    said = found[0]
    if said.get("v", "DKIM1") != "DKIM1" or said.get("k", "rsa") != kind or not said.get("p"):
        raise _Unsound("its key was taken back, or is for another algorithm")
    flags = [one.strip() for one in said.get("t", "").split(":")]
    if "y" in flags:
        raise _Silent("its domain only tries DKIM out")
    if "s" in flags and tags.get("i", "@" + tags["d"]).rpartition("@")[2] != tags["d"]:
        raise _Unsound("its key is not for subdomains")
    return _public(kind, _bytes(said["p"]))


def _public(kind: str, data: bytes) -> RSAPublicKey | Ed25519PublicKey:
    try:
        key = Ed25519PublicKey.from_public_bytes(data) if kind == "ed25519" else _rsa(data)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise _Unsound("its key can't be read") from None
    return key


def _rsa(data: bytes) -> RSAPublicKey:
    key = load_der_public_key(data)
    if not isinstance(key, RSAPublicKey) or not LEAST_BITS <= key.key_size <= MOST_BITS:
        raise _Unsound(f"its key is none of {LEAST_BITS} to {MOST_BITS} bits")
    return key
