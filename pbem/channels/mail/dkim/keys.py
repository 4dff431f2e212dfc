"""The league's own key: signing with it, and the record that DNS must hold."""

import base64
import hashlib
from typing import NoReturn

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from pbem.channels.mail.dkim import canonical

LEAST_BITS = 2048
# Relays fold lines anew and change blanks, which the form "simple" does not survive.
_FORM = "relaxed"
_SIGNED = (
    b"from", b"to", b"newsgroups", b"subject", b"date", b"message-id", b"in-reply-to",
    b"references", b"reply-to", b"mime-version", b"content-type", b"content-transfer-encoding",
    b"auto-submitted", b"list-unsubscribe", b"list-unsubscribe-post",
)  # fmt: skip


class KeyFault(ValueError):
    """A key that can't be used; the text says why and what would be right."""


def new_key() -> str:
    """Return a new RSA key of 2048 bits as PEM."""
    key = generate_private_key(public_exponent=65537, key_size=LEAST_BITS)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")


class Signer:
    """Signs letters for a domain with one key, RSA or Ed25519 (RFC 8463).

    A signature holds no time, so that a letter that is sent again has the same bytes.
    """

    def __init__(self, domain: str, selector: str, pem: str) -> None:
        """Read a key in PEM. Raise KeyFault if it can't be used."""
        self.domain, self.selector, self._key = domain, selector, _read(pem)

    @property
    def algorithm(self) -> str:
        """The name of the algorithm, as in the a= of a signature."""
        return "rsa-sha256" if isinstance(self._key, RSAPrivateKey) else "ed25519-sha256"

    @property
    def name(self) -> str:
        """The DNS name of the public key."""
        return f"{self.selector}._domainkey.{self.domain}"

    @property
    def record(self) -> str:
        """The text that must be there as TXT."""
        public = self._key.public_key()
        if isinstance(self._key, RSAPrivateKey):
            data = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            return f"v=DKIM1; k=rsa; p={_base64(data)}"
        data = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return f"v=DKIM1; k=ed25519; p={_base64(data)}"

    def stands_in(self, record: str) -> bool:
        """Return whether a TXT record holds this key's public half."""
        return self.record.partition("p=")[2] in "".join(record.split()).split("p=")

    @property
    def zone_line(self) -> str:
        """The record as a line of a zone file, in strings of at most 255 characters."""
        parts = (self.record[at : at + 250] for at in range(0, len(self.record), 250))
        strings = " ".join(f'"{part}"' for part in parts)
        return f"{self.name}. IN TXT ( {strings} )"

    def sign(self, raw: bytes) -> bytes:
        """Return a letter with CRLF lines, with its signature above it.

        Each field's name is listed once more than the field occurs, so that nobody can add one.
        """
        fields, text = canonical.parted(raw)
        there = [name.lower() for name, _ in fields if name.lower() in _SIGNED]
        names = [*there, *dict.fromkeys(there)]
        digest = hashlib.sha256(canonical.body(text, _FORM)).digest()
        unsigned = (
            f" v=1; a={self.algorithm}; c={_FORM}/{_FORM};\r\n"
            f" d={self.domain}; s={self.selector};\r\n"
            f" h={_folded(b':'.join(names).decode('ascii'), ':')};\r\n"
            f" bh={_base64(digest)};\r\n b="
        )
        seen = [*canonical.chosen(fields, names), (b"DKIM-Signature", unsigned.encode("ascii"))]
        over = b"\r\n".join(canonical.field(name, value, _FORM) for name, value in seen)
        mark = _base64(self._signature(over))
        parts = "\r\n ".join(mark[at : at + 72] for at in range(0, len(mark), 72))
        return f"DKIM-Signature:{unsigned}{parts}\r\n".encode("ascii") + raw

    def _signature(self, over: bytes) -> bytes:
        if isinstance(self._key, RSAPrivateKey):
            return self._key.sign(over, PKCS1v15(), hashes.SHA256())
        return self._key.sign(hashlib.sha256(over).digest())


def _read(pem: str) -> RSAPrivateKey | Ed25519PrivateKey:
    try:
        key = load_pem_private_key(pem.encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        _unfit("it holds no private key in PEM without a password")
    if isinstance(key, Ed25519PrivateKey):
        return key
    if not isinstance(key, RSAPrivateKey):
        _unfit("its key is neither RSA nor Ed25519")
    if key.key_size < LEAST_BITS:
        _unfit(f"its key has {key.key_size} bits, and needs {LEAST_BITS}")
    return key


def _unfit(why: str) -> NoReturn:
    raise KeyFault(f"{why}; `pbem dkim --new` makes one") from None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _folded(value: str, between: str) -> str:
    """Return a list broken into lines of at most 72 characters."""
    lines = [""]
    for word in value.split(between):
        if len(lines[-1]) + len(word) > 70:
            lines.append("")
        lines[-1] += word + between
    return "\r\n ".join(lines)[: -len(between)]
