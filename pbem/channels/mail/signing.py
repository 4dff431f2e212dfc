"""Letters signed as they go out: a transport that wraps another one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.channels.mail.transport import Probing, Transport

if TYPE_CHECKING:
    from pbem.channels.mail.dkim import Signer

EXTRA = "needs two more libraries: pip install 'pbem[dkim]'"
"""The message where the libraries for DKIM are not installed."""
_SELECTOR = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimSettings:
    """The key that letters are signed with, and where in DNS its public half is.

    Without a `domain` it is that of the league's address.
    """

    selector: str
    key_file: str = "dkim-key"
    domain: str = ""

    def wrong(self, address: str) -> str:
        """Return why a signature would be worthless, or ""."""
        home = address.rpartition("@")[2].lower()
        if not _SELECTOR.fullmatch(self.selector):
            return f"selector is {self.selector!r}; write small letters and digits, as in league1"
        if self.domain and not f".{home}".endswith(f".{self.domain.lower()}"):
            return f"domain is {self.domain!r}; it must be {home}, as in [league] address"
        return ""

    def signer(self, address: str, pem: str) -> Signer:
        """Return the signer. Raises ImportError or dkim.KeyFault."""
        from pbem.channels.mail.dkim import Signer

        domain = self.domain or address.rpartition("@")[2]
        return Signer(domain.lower(), self.selector, pem)


class SigningTransport:
    """Signs each letter and hands it to another transport.

    The letter in the database stays without a signature; it gets the same one each time.
    """

    def __init__(self, transport: Transport, signer: Signer) -> None:
        self._transport, self._signer = transport, signer

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Sign and hand over one letter; raise what the other transport raises."""
        self._transport.send(sender, recipient, self._signer.sign(raw))

    def probe(self, sender: str, recipient: str) -> None:
        """Ask the other transport, if it can be asked."""
        if isinstance(self._transport, Probing):
            self._transport.probe(sender, recipient)

    def close(self) -> None:
        """Close the other transport's connection."""
        self._transport.close()
