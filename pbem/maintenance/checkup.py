"""`pbem check`: tests each part by itself, and says what is wrong and how to fix it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine import registry
from pbem.clock_jump import LAST_POLL
from pbem.forum.channel import ChannelFault
from pbem.mail.mailbox import MailboxDown
from pbem.mail.sendmail import SendmailTransport
from pbem.mail.transport import SmtpTransport, TransportDown
from pbem.maintenance import port_probe, upgrade
from pbem.service import Service
from pbem.settings import Settings, SettingsError
from pbem.settings.load import load
from pbem.settings.sections import ImapSettings, SmtpSettings
from pbem.storage import StoreDown

ENOUGH_DISK = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of testing one part, in a sentence; one that `warns` is sound all the same."""

    part: str
    ok: bool
    text: str
    warns: bool = False


def check(file: Path) -> Iterator[Finding]:
    """Test database, letters, disk, mailbox, SMTP, moderator and clock, one by one.

    Raise SettingsError where the settings themselves can't be used.
    """
    settings = load(file)
    yield Finding("settings", True, f"{file} is sound")
    yield from _systems()
    parts: tuple[tuple[str, Callable[[Settings], str | Finding]], ...] = (
        ("database", _database),
        ("letters", _letters),
        ("disk", _disk),
        ("mailbox", _mailbox),
        ("smtp", _smtp),
        ("clock", _clock),
        *((("dkim", _dkim),) if settings.dkim else ()),
        *((("channels", _channels),) if settings.channels else ()),
    )
    sound = True
    for part, attempt in parts:
        found = _try(part, attempt, settings)
        sound = sound and (found.ok or part != "database")
        yield found
    # Who the moderator is can be looked up only in a sound database.
    if sound:
        yield _moderator(settings)


def _systems() -> Iterator[Finding]:
    """Yield which systems are there, and for each that could not be loaded why."""
    titles = ", ".join(rules.title for rules in registry.RULESETS.values())
    yield Finding("systems", True, titles)
    for key, why in registry.FAULTS.items():
        yield Finding("systems", False, f"{key} is left out: {why}")


def _try(part: str, attempt: Callable[[Settings], str | Finding], settings: Settings) -> Finding:
    try:
        found = attempt(settings)
        return found if isinstance(found, Finding) else Finding(part, True, found)
    except (SettingsError, StoreDown, MailboxDown, TransportDown, ChannelFault) as error:
        return Finding(part, False, str(error))


def _database(settings: Settings) -> Finding:
    with upgrade.opened(settings) as store:
        # Something is written: a database that can only be read opens without a fault.
        with store.transaction():
            store.set_meta("checked", datetime.now(UTC).isoformat())
        text = f"{store.players.count()} players, {store.games.count()} battles"
    if store.url == settings.store_url():
        return Finding("database", True, text)
    text += "; `pbem run` and `once` bring it up to this version, after a backup (tried on a copy)"
    return Finding("database", True, text, warns=True)


def _letters(settings: Settings) -> str:
    with upgrade.opened(settings) as store:
        languages = Service(settings, store).ports.outbox.renderer.languages
    known = ", ".join(languages)
    return f"the league writes {settings.league.language}; players may choose among {known}"


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.home).free
    if free < ENOUGH_DISK:
        raise StoreDown(f"only {free // 2**20} MiB are free; make room, 100 MiB at least")
    return f"{free // 2**20} MiB are free"


def _mailbox(settings: Settings) -> str | Finding:
    if settings.imap is not None:
        _ring("imap", settings.imap)
    with closing(settings.mailbox()) as mailbox:
        mailbox.connect()
        places = mailbox.places()
        text = f"{mailbox.account}, {mailbox.folder}: {len(places)} letters are there"
    if places and _never_read(settings):
        text += (
            ", from before the league began: each will be read, answered and moved to the folder of"
            " done_folder, so first move away what is not for the referee"
        )
        return Finding("mailbox", True, text, warns=True)
    return text


def _never_read(settings: Settings) -> bool:
    try:
        with upgrade.opened(settings) as store:
            return store.meta(LAST_POLL) is None
    except StoreDown:
        # The check of the database reports it.
        return False


def _smtp(settings: Settings) -> str:
    if settings.smtp is not None:
        _ring("smtp", settings.smtp)
    # Without signing, which has a check of its own.
    with closing(settings.sink()) as transport:
        if isinstance(transport, SmtpTransport):
            transport.connect()
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


def _moderator(settings: Settings) -> Finding:
    """Return who the moderator is, with a warning where nobody is."""
    address = settings.league.moderator
    if not address:
        text = (
            "there is none: set [league] moderator to your own address, and JOIN from there; until"
            " then nobody is informed of trouble, and no ruling can be made by mail"
        )
        return Finding("moderator", True, text, warns=True)
    with upgrade.opened(settings) as store:
        joined = store.player_at(address.lower()) is not None
    text = f"{address}, " + ("who has joined" if joined else "who has still to JOIN like a player")
    return Finding("moderator", True, text)


def _dkim(settings: Settings) -> str:
    """Test the key, and check that the public half of it is in DNS."""
    signer = settings.signer()
    if signer is None:
        raise SettingsError("[dkim] is missing")
    try:
        found = settings.authentication.lookup()(signer.name)
    except OSError as error:
        # A name server that can't be reached says nothing against the key.
        return f"the key is sound; whether DNS has its other half is not known ({error})"
    if not any(signer.stands_in(record) for record in found):
        what = "another key" if found else "no key"
        raise SettingsError(
            f"the key is sound, but DNS has {what} at {signer.name}, so every signature will fail:"
            " publish what `pbem dkim` prints, or take [dkim] out until it is published"
        )
    return f"letters are signed for {signer.domain} ({signer.algorithm}), and DNS has the key"


def _channels(settings: Settings) -> str:
    for channel in settings.channels.values():
        # Only opened: a test post would be there for all to read.
        channel.open(settings).close()
    return f"{', '.join(settings.channels)}: their secrets are there"


def _clock(settings: Settings) -> str:
    now = datetime.now(UTC)
    # Before the program existed: a machine without a battery starts with a clock of long ago.
    if now.year < 2026:
        raise SettingsError(f"the clock says {now:%Y-%m-%d}; set it, or let NTP set it")
    with upgrade.opened(settings) as store:
        last = store.meta(LAST_POLL)
    if last and datetime.fromisoformat(last) > now + timedelta(minutes=5):
        raise SettingsError("the clock is behind the last time the mailbox was read; set it")
    zone = now.astimezone(settings.league.zone)
    return f"it is {zone:%a %d %b %Y, %H:%M %Z} for the league"
