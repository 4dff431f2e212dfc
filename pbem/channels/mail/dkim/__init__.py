"""DKIM (RFC 6376): the league's signature on its letters, and checks of others' signatures."""

from pbem.channels.mail.dkim.checking import Check, signatures
from pbem.channels.mail.dkim.keys import KeyFault, Signer, new_key
from pbem.channels.mail.dkim.lookups import Lookup, NoAnswer, resolver

__all__ = [
    "Check",
    "KeyFault",
    "Lookup",
    "NoAnswer",
    "Signer",
    "new_key",
    "resolver",
    "signatures",
]
