"""Who wrote a letter, by what the league's own server says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.intake import Reading, Results, results

Word = Literal["pass", "fail", ""]
"""Authentication passed, failed, or nothing is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticationSettings:
    """Whose results count for who wrote a letter, and how much.

    `server` is the name in the Authentication-Results of the league's own server (authserv-id), ""
    for none. `failed` is what happens to players' letters that fail, `passed` is what a pass is
    good for.
    """

    server: str = ""
    failed: Literal["ignore", "hold"] = "ignore"
    passed: Literal["ignore", "proof"] = "ignore"


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
    """Return what is known of a letter's sender.

    `checked` is what the database keeps of it: CONFIRMED, or something that means nothing here. Of
    the server's fields only the topmost counts, and only above From: what a sender wrote is below.
    """
    if checked == CONFIRMED:
        return Authentication("pass", "its player has confirmed it")
    domain = (reading.sender or "").rpartition("@")[2]
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
