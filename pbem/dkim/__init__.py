"""DKIM (RFC 6376): the league's signature under its letters, and that under others' letters."""

from pbem.dkim.checking import Check, signatures
from pbem.dkim.keys import KeyFault, Signer, new_key
from pbem.dkim.lookups import Lookup, NoAnswer, resolver

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
