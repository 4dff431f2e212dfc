"""`pbem check`: tests each part by itself, and says what is wrong and how to fix it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from engine import registry
from pbem.channels.channel import Board, ChannelFault
from pbem.channels.mail.mailbox import MailboxDown
from pbem.channels.mail.sendmail import SendmailTransport
from pbem.channels.mail.transport import SmtpTransport, TransportFault
from pbem.maintenance import port_probe, upgrade
from pbem.people import players
from pbem.service import disks
from pbem.service.daemon_status import presence, unread
from pbem.service.service import renderer_of
from pbem.settings import Settings, SettingsError
from pbem.settings.load import load
from pbem.settings.sections import ImapSettings, SmtpSettings
from pbem.storage import Game, OldSchema, Player, Store, StoreDown, copies
from pbem.storage.clock_jumps import LAST_POLL

ENOUGH_DISK = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of testing one part, in a sentence; one that `warns` is sound all the same."""

    part: str
    ok: bool
    text: str
    warns: bool = False


def check(file: Path) -> Iterator[Finding]:
    """Test database, letters, disk, mailbox, SMTP, channels, moderator and clock, one by one.

    Nothing is changed: no database is made, and no letter or post is sent. Raise SettingsError
    where the settings themselves can't be used.
    """
    settings = load(file)
    yield Finding("settings", True, f"{file} is sound")
    yield from _secrets(settings)
    yield from _systems()
    with ExitStack() as opened:
        store, found = _opened(settings, opened)
        yield found
        parts: tuple[tuple[str, Callable[[], str | Finding]], ...] = (
            ("letters", lambda: _letters(settings)),
            ("disk", lambda: _disk(settings)),
            ("mailbox", lambda: _mailbox(settings, store)),
            ("smtp", lambda: _smtp(settings)),
            ("clock", lambda: _clock(settings, store)),
        )
        for part, attempt in parts:
            yield _try(part, attempt)
        for name in settings.channels:
            yield _try(f"channel {name}", partial(_channel, settings, name))
        # Who the moderator is can be looked up only in a sound database.
        if found.ok:
            yield _moderator(settings, store)


def _secrets(settings: Settings) -> Iterator[Finding]:
    """Yield a warning for each password or key that is open to all, and for a daemon's settings."""
    for file in settings.exposed():
        text = f"everybody on this machine can read {file}: chmod 600 {file}"
        yield Finding("secrets", True, text, warns=True)
    if text := unread(presence(settings), settings):
        yield Finding("daemon", True, text, warns=True)


def _opened(settings: Settings, opened: ExitStack) -> tuple[Store | None, Finding]:
    """Return the database, only to be read, and what is found of it; None where there is none."""
    try:
        url = settings.store_url()
        file = copies.file_of(url)
        if file is not None and not (file.exists() and file.stat().st_size):
            text = f"there is none at {file} yet; `pbem run` and `pbem once` make it"
            return None, Finding("database", True, text, warns=True)
        try:
            store = opened.enter_context(closing(Store(url, only_read=True)))
        except OldSchema as error:
            if file is None:
                return None, Finding("database", True, str(error), warns=True)
            store = opened.enter_context(upgrade.opened(settings))
        if why := store.unwritable():
            raise StoreDown(why)
        text = f"{store.size(Player)} players, {store.size(Game)} battles"
        if store.url == url:
            return store, Finding("database", True, text)
        text += (
            "; `pbem run` and `once` bring it up to this version, after a backup (tried on a copy)"
        )
        return store, Finding("database", True, text, warns=True)
    except (SettingsError, StoreDown) as error:
        return None, Finding("database", False, str(error))


def _systems() -> Iterator[Finding]:
    """Yield which systems are there, and for each that could not be loaded why."""
    titles = ", ".join(rules.title for rules in registry.RULESETS.values())
    yield Finding("systems", True, titles)
    for key, why in registry.FAULTS.items():
        yield Finding("systems", False, f"{key} is left out: {why}")


def _try(part: str, attempt: Callable[[], str | Finding]) -> Finding:
    try:
        found = attempt()
        return found if isinstance(found, Finding) else Finding(part, True, found)
    except (SettingsError, StoreDown, MailboxDown, TransportFault, ChannelFault) as error:
        return Finding(part, False, str(error))
    # Such as a path that is too long.
    except OSError as error:
        return Finding(part, False, f"{error.filename}: {error.strerror}")


def _letters(settings: Settings) -> str:
    known = ", ".join(renderer_of(settings).languages)
    return f"the league writes {settings.league.language}; players may choose among {known}"


def _disk(settings: Settings) -> str:
    if why := disks.trouble(settings, settings.store_url(), probing=True):
        raise StoreDown(why)
    free = shutil.disk_usage(settings.home).free
    if free < ENOUGH_DISK:
        raise StoreDown(f"only {free // 2**20} MiB are free; make room, 100 MiB at least")
    return f"{free // 2**20} MiB are free"


def _mailbox(settings: Settings, store: Store | None) -> str | Finding:
    if settings.imap is not None:
        _ring("imap", settings.imap)
    with closing(settings.mailbox()) as mailbox:
        mailbox.connect()
        places = mailbox.places()
        text = f"{mailbox.account}, {mailbox.folder}: {len(places)} letters are there"
    if places and (store is None or store.meta(LAST_POLL) is None):
        text += (
            ", from before the league began: each will be read, answered and moved to the folder of"
            " done_folder, so first move away what is not for the referee"
        )
        return Finding("mailbox", True, text, warns=True)
    return text


def _smtp(settings: Settings) -> str:
    if settings.smtp is not None:
        _ring("smtp", settings.smtp)
    # Without signing, which has a check of its own.
    with closing(settings.transport()) as transport:
        if isinstance(transport, SmtpTransport):
            # As letters go out, up to the letter itself; nothing is sent.
            transport.probe(settings.league.address, settings.league.address)
            login = "takes the login" if settings.smtp and settings.smtp.user else "needs none"
            return f"{transport.where} answers, and {login}"
    if isinstance(transport, SendmailTransport):
        return f"letters are handed to {transport.program()}"
    return "letters go into a folder on this machine"


def _ring(kind: str, at: ImapSettings | SmtpSettings) -> None:
    """Raise SettingsError where a server's port and `tls` do not fit, before a long wait."""
    # The connection itself reports in better words that nothing answers.
    with suppress(OSError):
        wrong = port_probe.mismatch(kind, at.host, at.port, at.tls)
        if wrong:
            raise SettingsError(wrong)


def _moderator(settings: Settings, store: Store | None) -> Finding:
    """Return who the moderator is, with a warning where nobody is."""
    address = settings.league.moderator
    if not address:
        text = (
            "there is none: set [league] moderator to your own address, and JOIN from there; until"
            " then nobody is informed of trouble, and no ruling can be made by mail"
        )
        return Finding("moderator", True, text, warns=True)
    joined = store is not None and players.at(store, address.lower()) is not None
    text = f"{address}, " + ("who has joined" if joined else "who has still to JOIN like a player")
    return Finding("moderator", True, text)


def _channel(settings: Settings, name: str) -> Finding:
    """Try a channel: whether it takes posts, and on one that is played on what is in the way."""
    part, played = f"channel {name}", settings.channels[name].play
    with closing(settings.channels[name].open(settings)) as channel:
        text = channel.check()
        found = channel.obstacles() if played and isinstance(channel, Board) else ()
        return Finding(part, True, " ".join([f"{text}.", *found] if found else [text]), bool(found))


def _clock(settings: Settings, store: Store | None) -> str:
    now = datetime.now(UTC)
    # Before the program existed: a machine without a battery starts with a clock of long ago.
    if now.year < 2026:
        raise SettingsError(f"the clock says {now:%Y-%m-%d}; set it, or let NTP set it")
    last = store and store.meta(LAST_POLL)
    if last and datetime.fromisoformat(last) > now + timedelta(minutes=5):
        raise SettingsError("the clock is behind the last time the mailbox was read; set it")
    zone = now.astimezone(settings.league.zone)
    return f"it is {zone:%a %d %b %Y, %H:%M %Z} for the league"
