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


def resolver(address: str = "", port: int = 53) -> Lookup:
    """Return a lookup that asks the DNS server at an address, or else this machine's."""

    def look(name: str) -> list[str]:
        try:
            # The dot at the end keeps the resolver from trying names below this machine's domain.
            found = _asked(address, port).resolve(name + ".", dns.rdatatype.TXT, lifetime=PATIENCE)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException as error:
            raise NoAnswer(f"DNS gives no answer about {name}: {error}") from None
        records = [one for one in found if isinstance(one, TXTBase)]
        return [b"".join(one.strings).decode("utf-8", "replace") for one in records]

    return look


def _asked(address: str, port: int) -> dns.resolver.Resolver:
    if not address:
        return dns.resolver.Resolver()
    asked = dns.resolver.Resolver(configure=False)
    asked.nameservers, asked.port = [address], port
    return asked
