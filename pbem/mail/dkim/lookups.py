"""Questions to DNS: the TXT records of a name."""

from collections.abc import Callable

import dns.exception
import dns.rdatatype
import dns.resolver
from dns.rdtypes.txtbase import TXTBase

Lookup = Callable[[str], list[str]]
"""Returns the TXT records of a name, none where there are none. Raises NoAnswer."""

PATIENCE = 5.0
"""How many seconds to wait for an answer."""


class NoAnswer(OSError):
    """DNS can't be asked now; the text says why."""


def resolver(server: str = "") -> Lookup:
    """Return a lookup that asks `server`, an "address" or "address:port", or this machine's."""

    def look(name: str) -> list[str]:
        try:
            # The dot at the end keeps the resolver from trying names below this machine's domain.
            found = _asked(server).resolve(name + ".", dns.rdatatype.TXT, lifetime=PATIENCE)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException as error:
            raise NoAnswer(f"DNS gives no answer about {name}: {error}") from None
        records = [one for one in found if isinstance(one, TXTBase)]
        return [b"".join(one.strings).decode("utf-8", "replace") for one in records]

    return look


def _asked(server: str) -> dns.resolver.Resolver:
    if not server:
        return dns.resolver.Resolver()
    address, _, port = server.partition(":")
    asked = dns.resolver.Resolver(configure=False)
    asked.nameservers, asked.port = [address], int(port or 53)
    return asked
