"""Letters from and to people who are not confirmed players: how many go out, what is stored.

Anybody can write under anybody's address. So an unknown address gets a letter only once a week,
whatever comes from it, and all such letters together have a limit each day: a forged sender can't
make the referee flood a victim. Spellings of one mailbox count as one. The limit is shared out
among the domains that write that day, so that none of them can close the league to newcomers.
"""

from datetime import datetime, timedelta

from pbem.intake import tokens_and_keys
from pbem.intake.addresses import mailbox_of
from pbem.settings.sections import LimitSettings
from pbem.storage import Store

WEEK = timedelta(days=7)
UNANSWERED = "strangers unanswered"
"""The name of the count of letters without an answer because the day's limit was reached."""

_ASKED = {"stranger": 1, "nameless": 2, "taken": 3, "confirm": 4}
"""The letters to a stranger, each a further step; none is sent again after a later step."""
_STEPS = max(_ASKED.values())
_ANSWERS, _BYTES = "letters to strangers", "bytes of strangers"
_HEAD = 8 * 1024


def may_write(store: Store, limits: LimitSettings, address: str, kind: str, now: datetime) -> bool:
    """Return whether a letter may go to somebody who is not a confirmed player, and count it if so.

    `kind` is one of `_ASKED`, each of which may follow those before it; any other is
    sent once a week by itself. For that week only a mark is stored of who got what.
    """
    if not may_be_written(store, address, kind, now):
        return False
    if not _fits(store, _ANSWERS, limits.stranger_letters_a_day, address, 1, now):
        store.count_today(UNANSWERED, now)
        return False
    _count(store, _ANSWERS, address, 1, now)
    store.count_now(_names(store, address, kind)[0], now)
    return True


def may_be_written(store: Store, address: str, kind: str, now: datetime) -> bool:
    """Return whether an address got neither this kind of letter nor a later one this week."""
    # Any later step counts too, so that nobody can start again with an earlier one.
    names = _names(store, address, kind)
    return not any(store.counted_within(name, WEEK, now) for name in names)


def _names(store: Store, address: str, kind: str) -> list[str]:
    """Return the names of the counts of a kind of letter, and of those that come after it."""
    mark = tokens_and_keys.veiled(store.secret, mailbox_of(address))[:32]
    steps = range(_ASKED[kind], _STEPS + 1) if kind in _ASKED else [kind]
    return [f"written {step} {mark}" for step in steps]


def proved(store: Store, address: str) -> None:
    """Forget that an address was asked, because somebody has answered from there."""
    mark = tokens_and_keys.veiled(store.secret, mailbox_of(address))[:32]
    store.forget_tallies(mark)


def may_keep(store: Store, limits: LimitSettings, address: str, size: int, now: datetime) -> bool:
    """Return whether a stranger's letter of that many bytes still fits into the day's limit."""
    return _fits(store, _BYTES, limits.stranger_bytes_a_day, address, size, now)


def count_kept(store: Store, address: str, size: int, now: datetime) -> None:
    """Count the bytes of a stranger's letter that is stored whole."""
    _count(store, _BYTES, address, size, now)


def _fits(store: Store, what: str, most: int, address: str, more: int, now: datetime) -> bool:
    """Return whether something more for an address fits into what strangers share in a day.

    A domain may have half of what the others leave. What is its first of the day may go beyond the
    limit, as long as all together is at most twice as much.
    """
    used = store.counted_today(what, now)
    own = store.counted_today(_share(store, what, address), now)
    if own == 0 and more <= most:
        return used + more <= 2 * most
    return own + more <= most - used


def _count(store: Store, what: str, address: str, more: int, now: datetime) -> None:
    store.count_today(what, now, more)
    store.count_today(_share(store, what, address), now, more)


def _share(store: Store, what: str, address: str) -> str:
    """Return the name of the count of a domain's share; its subdomains have the same share."""
    labels = mailbox_of(address).rpartition("@")[2].split(".")
    # Below a country the second label may be as general as `co` in `co.uk`.
    country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    domain = ".".join(labels[-3 if country else -2 :])
    return f"{what} of {tokens_and_keys.veiled(store.secret, domain)[:32]}"


def head(content: bytes) -> bytes:
    """Return a letter's header, which is all that is stored once the day's limit is reached."""
    ends = [at for at in (content.find(b"\r\n\r\n"), content.find(b"\n\n")) if at >= 0]
    return content[: min([*ends, _HEAD])] + b"\n\n"
