"""Who wrote a letter, by the league's own server or our own check of signatures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, Literal

from pbem.intake import Reading, Results, results

if TYPE_CHECKING:
    from pbem.channels.mail.dkim import Check, Lookup

Word = Literal["pass", "fail", ""]
"""Authentication passed, failed, or nothing is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticationSettings:
    """Whose results count for who wrote a letter, and how much.

    `server` is the name in the Authentication-Results of the league's own server (authserv-id), ""
    for none. With `check_dkim` this program checks signatures too, with the DNS server `resolver`
    or else this machine's. `failed` is what happens to players' letters that fail, `passed` is what
    a pass is good for.
    """

    server: str = ""
    check_dkim: bool = False
    resolver: str = ""
    failed: Literal["ignore", "hold"] = "ignore"
    passed: Literal["ignore", "proof"] = "ignore"

    def lookup(self) -> Lookup:
        """Return the DNS lookup. Raise ImportError if the libraries are missing."""
        from pbem.channels.mail.dkim import resolver

        return resolver(*name_server(self.resolver)) if self.resolver else resolver()


def name_server(named: str) -> tuple[str, int]:
    """Return address and port of a DNS server, by `address` or `address:port`.

    An IPv6 address with a port stands in brackets. Raise ValueError where it is none of these.
    """
    match = re.fullmatch(r"(?:\[(.+)\]|([^:]+)):(\d{1,5})", named)
    address, port = (match[1] or match[2], int(match[3])) if match else (named, 53)
    if not 0 < port < 65536:
        raise ValueError(f"{port} is no port")
    return str(ip_address(address)), port


@dataclass(frozen=True, slots=True)
class Authentication:
    """What is known of a letter's sender, and from whom."""

    word: Word = ""
    why: str = "nobody says anything of its sender"


CONFIRMED = "confirmed"
"""What the database keeps of a letter whose player has confirmed it."""


def authenticate(
    settings: AuthenticationSettings, reading: Reading, checked: str
) -> Authentication:
    """Return what is known of a letter's sender: by our own check first, then by the server.

    `checked` is what `look` returned, or CONFIRMED. Of the server's fields only the topmost counts,
    and only above From: what a sender wrote is below it.
    """
    if checked == CONFIRMED:
        return Authentication("pass", "its player has confirmed it")
    domain = (reading.sender or "").rpartition("@")[2]
    signers = [part.removeprefix("pass ") for part in checked.split("; ") if part[:5] == "pass "]
    if any(_aligned(one, domain) for one in signers):
        return Authentication("pass", f"a signature of {domain} holds")
    read = (results(value) for value in reading.authentication_results)
    # An unreadable field counts as ours, so that nothing below it is believed.
    ours = [one for one in read if one is None or one.server == settings.server.lower()]
    if not settings.server or not ours or ours[0] is None:
        return Authentication()
    return _by_server(ours[0], domain)


def _by_server(said: Results, domain: str) -> Authentication:
    """Return the verdict of DMARC, which weighs the others; without one, that of SPF and DKIM."""
    dmarc, spf, dkim = (said.verdicts(method) for method in ("dmarc", "spf", "dkim"))
    text = ", ".join(
        f"{name} {'/'.join(sorted(verdicts))}"
        for name, verdicts in (("DMARC", dmarc), ("SPF", spf), ("DKIM", dkim))
        if verdicts
    )
    why = f"{said.server} says {text or 'nothing'}"
    if "fail" in dmarc:
        return Authentication("fail", why)
    # Not header.i, which a signer may choose: only header.d is the domain whose key was checked.
    about = (("dmarc", "header.from"), ("dkim", "header.d"))
    passed = [
        one.about.get(key, "").rpartition("@")[2]
        for method, key in (*about, ("spf", "smtp.mailfrom"))
        for one in said.methods.get(method, ())
        if one.verdict == "pass"
    ]
    if any(_aligned(one, domain) for one in passed):
        return Authentication("pass", why)
    # Forwarding breaks SPF, so a failed SPF counts only where DKIM does not pass.
    if "pass" not in dmarc | dkim and spf & {"fail", "softfail"}:
        return Authentication("fail", why)
    return Authentication("", why)


def _aligned(signer: str, domain: str) -> bool:
    """Return whether a domain may speak for another: it is the same, or its parent."""
    # The dot excludes top-level domains: a signature of "com" proves nothing.
    return "." in signer and f".{domain}".endswith(f".{signer}")


def look(raw: bytes, lookup: Lookup, received: datetime) -> str:
    """Check a letter's signatures, and return the results as one line for the database."""
    from pbem.channels.mail.dkim import signatures

    return "; ".join(map(_told, signatures(raw, lookup, received))) or "none"


MOST_SILENCE = 3
"""After this many questions without an answer, no more are asked for now."""


def patient(lookup: Lookup) -> Lookup:
    """Return a lookup that asks for each name once, and gives up after some without an answer."""
    known: dict[str, list[str] | OSError] = {}

    def asked(name: str) -> list[str]:
        if name not in known:
            silence = [one for one in known.values() if isinstance(one, OSError)]
            known[name] = silence[0] if len(silence) >= MOST_SILENCE else _tried(lookup, name)
        answer = known[name]
        if isinstance(answer, OSError):
            raise answer
        return answer

    return asked


def _tried(lookup: Lookup, name: str) -> list[str] | OSError:
    try:
        return lookup(name)
    except OSError as error:
        return error


def _told(check: Check) -> str:
    why = f" ({check.why})" if check.why else ""
    return f"{check.result} {check.domain}{why}"
