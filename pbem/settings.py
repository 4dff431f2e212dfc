"""league.toml to frozen settings; what is wrong in it is said in one sentence."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from engine.ruleset import Day
from pbem.courier import Courier, SmtpAccount, SmtpCourier
from pbem.deadlines import WEEKDAYS, Calendar
from pbem.forum import KINDS
from pbem.forum.channel import LOOPBACK, ChannelSettings
from pbem.mailbox import ImapAccount, ImapMailbox, Mailbox
from pbem.maildir import MaildirCourier, MaildirMailbox
from pbem.sendmail import SendmailCourier
from pbem.wire import Tls

_DAY = re.compile(r"(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_CHANNEL = re.compile(r"[a-z][a-z0-9_-]{0,39}")


class SettingsError(Exception):
    """A setting that can't be used; names it and says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """The league itself; hours are whole or broken, turns are pilots' turns."""

    name: str
    address: str
    timezone: str = "UTC"
    deadline_hours: float = 72
    reminder_hours: tuple[float, ...] = (24.0, 6.0)
    rest_days: tuple[str, ...] = ()
    holidays: tuple[str, ...] = ()
    outage_hours: float = 6
    turns_per_letter: int = 36
    misses_before_forfeit: int = 3
    moderator: str = ""
    plus_addresses: bool = True
    token_days: int = 60
    active_days: int = 90

    @property
    def zone(self) -> ZoneInfo:
        """Give the league's time zone."""
        return ZoneInfo(self.timezone)

    def day(self, now: datetime) -> Day:
        """Give the calendar day in the league's zone."""
        return now.astimezone(self.zone).date().isoformat()

    @property
    def allowed(self) -> timedelta:
        """Give the time that a player has for orders."""
        return timedelta(hours=self.deadline_hours)

    @property
    def calendar(self) -> Calendar:
        """Give the days on which no deadline falls."""
        return Calendar(zone=self.zone, rest=self.rest_days, holidays=self.holidays)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSettings:
    """The mailbox that is read."""

    host: str
    port: int = 993
    tls: Tls = "tls"
    user: str
    password_file: str
    folder: str = "INBOX"
    done_folder: str = "Processed"
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """The server that letters are handed to."""

    host: str
    port: int = 465
    tls: Tls = "tls"
    user: str = ""
    password_file: str = ""
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaildirSettings:
    """A Maildir that letters come from, or go to, instead of IMAP or SMTP."""

    path: str = ""
    done_folder: str = "Processed"
    out: str = ""
    sendmail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """The database."""

    url: str = "sqlite:///league.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What one letter, player or stranger may cost (faults.md)."""

    letter_bytes: int = 1024 * 1024
    order_lines: int = 200
    letters_a_day: int = 50
    refusals_a_day: int = 1
    automatic_answers_a_day: int = 10
    tries: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a league, with the folder that relative paths start from."""

    league: LeagueSettings
    imap: ImapSettings | None = None
    smtp: SmtpSettings | None = None
    maildir: MaildirSettings = field(default_factory=MaildirSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    channels: Mapping[str, ChannelSettings] = field(default_factory=dict)
    home: Path = field(default_factory=Path.cwd)

    @property
    def sender(self) -> tuple[str, str]:
        """Give the name and the address that letters and posts come from."""
        return self.league.name, self.league.address

    def path(self, name: str) -> Path:
        """Give a file or folder named in the settings."""
        return self.home / name

    def state(self, name: str) -> Path:
        """Give a file of the league's own: in systemd's state folder, else beside league.toml."""
        folder = os.environ.get("STATE_DIRECTORY")
        return Path(folder) / name if folder else self.path(name)

    def secret(self, name: str) -> str:
        """Read a password file: among systemd's credentials, else beside league.toml."""
        folder = os.environ.get("CREDENTIALS_DIRECTORY")
        file = self.path(name)
        if folder and (Path(folder) / name).is_file():
            file = Path(folder) / name
        try:
            return file.read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise SettingsError(f"password_file: {name} can't be read ({why})") from None

    def store_url(self) -> str:
        """Give the database's URL with a relative SQLite path made absolute."""
        prefix = "sqlite:///"
        url = self.store.url
        if url.startswith(prefix) and not url.startswith(prefix + "/"):
            return f"{prefix}{self.state(url.removeprefix(prefix)).resolve()}"
        return url

    def mailbox(self) -> Mailbox:
        """Make the mailbox that the settings name, not yet connected."""
        if self.maildir.path:
            return MaildirMailbox(self.path(self.maildir.path), self.maildir.done_folder)
        imap = self.imap
        if imap is None:
            raise SettingsError("[imap] is missing: say where letters come from")
        return ImapMailbox(
            ImapAccount(
                host=imap.host,
                port=imap.port,
                tls=imap.tls,
                user=imap.user,
                password=self.secret(imap.password_file),
                folder=imap.folder,
                done_folder=imap.done_folder,
                ca_file=str(self.path(imap.ca_file)) if imap.ca_file else None,
                max_bytes=self.limits.letter_bytes,
            )
        )

    def courier(self) -> Courier:
        """Make the courier that the settings name, not yet connected."""
        if self.maildir.out:
            return MaildirCourier(self.path(self.maildir.out))
        if self.maildir.sendmail:
            return SendmailCourier(self.maildir.sendmail.split())
        smtp = self.smtp
        if smtp is None:
            raise SettingsError("[smtp] is missing: say where letters go")
        return SmtpCourier(
            SmtpAccount(
                host=smtp.host,
                port=smtp.port,
                tls=smtp.tls,
                user=smtp.user or None,
                password=self.secret(smtp.password_file) if smtp.user else None,
                ca_file=str(self.path(smtp.ca_file)) if smtp.ca_file else None,
            )
        )


_SECTIONS: dict[str, Any] = {
    "league": LeagueSettings,
    "imap": ImapSettings,
    "smtp": SmtpSettings,
    "maildir": MaildirSettings,
    "store": StoreSettings,
    "limits": LimitSettings,
}


def load(file: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read league.toml, with single settings from `PBEM_SECTION__KEY`; raises SettingsError."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(
            f"{file} does not exist; make one with: pbem init {file.parent}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} can't be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is no TOML: {error}") from None
    return parse(_with_environment(raw, environment), file.parent)


def _with_environment(raw: dict[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    merged = {name: dict(part) if isinstance(part, dict) else part for name, part in raw.items()}
    for name, text in environment.items():
        section, mark, key = name.removeprefix("PBEM_").lower().partition("__")
        if name.startswith("PBEM_") and mark and section in _SECTIONS:
            merged.setdefault(section, {})[key] = _Text(text)
    return merged


class _Text(str):
    """A setting that came as text and is read as its key's type."""


def parse(raw: Mapping[str, Any], home: Path) -> Settings:
    """Make settings of plain values; raises SettingsError naming section and key."""
    for name, part in raw.items():
        if name not in (*_SECTIONS, "channels"):
            sections = ", ".join(f"[{section}]" for section in (*_SECTIONS, "channels.NAME"))
            raise SettingsError(f"[{name}] is no section; the sections are {sections}")
        if not isinstance(part, dict):
            raise SettingsError(f"[{name}] must be a section of settings")
    if "league" not in raw:
        raise SettingsError("[league] is missing: name and address are needed")
    known = {name: kind for name, kind in _SECTIONS.items() if name in raw}
    parts = {name: _section(name, raw[name], kind) for name, kind in known.items()}
    channels = {name: _channel(name, part) for name, part in raw.get("channels", {}).items()}
    settings = Settings(home=home, channels=channels, **parts)
    _check(settings)
    return settings


def _channel(name: str, raw: Any) -> ChannelSettings:
    """Read the settings of a channel by its kind."""
    where, kind = f"channels.{name}", raw.get("kind") if isinstance(raw, dict) else None
    if not _CHANNEL.fullmatch(name):
        raise SettingsError(f"[{where}]: a channel's name is of small letters and digits")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingsError(f"[{where}] kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    given = {key: value for key, value in raw.items() if key != "kind"}
    found: ChannelSettings = _section(where, given, KINDS[kind])
    wrong = found.wrong()
    if wrong:
        raise SettingsError(f"[{where}] {wrong}")
    return found


def _section(name: str, raw: Mapping[str, Any], kind: Any) -> Any:
    hints = get_type_hints(kind)
    for key in raw:
        if key not in hints:
            raise SettingsError(f"[{name}] {key} is no setting; known are {', '.join(hints)}")
    for known in fields(kind):
        if known.name not in raw and known.default is MISSING:
            raise SettingsError(f"[{name}] {known.name} is missing")
    return kind(**{key: _value(f"[{name}] {key}", raw[key], hints[key]) for key in raw})


def _value(where: str, value: Any, kind: Any) -> Any:
    if isinstance(value, _Text) and get_origin(kind) is tuple:
        value = [_Text(part.strip()) for part in value.split(",") if part.strip()]
    if isinstance(value, _Text):
        value = _from_text(where, value, kind)
    choices = get_args(kind)
    if get_origin(kind) is tuple:
        return _many(where, value, choices[0])
    if choices:
        if value not in choices:
            raise SettingsError(f"{where} is {value!r}; it must be one of {', '.join(choices)}")
        return value
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise SettingsError(f"{where} must be {_NAMES[kind]}, not {value!r}")
    return value


def _many(where: str, value: Any, kind: Any) -> tuple[Any, ...]:
    """Read a list of values; one value alone will do."""
    values = value if isinstance(value, list) else [value]
    return tuple(_value(where, one, kind) for one in values)


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _from_text(where: str, text: str, kind: Any) -> Any:
    if kind is bool:
        return {"true": True, "false": False, "1": True, "0": False}.get(text.lower(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise SettingsError(f"{where} must be {_NAMES[kind]}, not {str(text)!r}") from None
    return str(text)


def _check(settings: Settings) -> None:
    league = settings.league
    if league.address.count("@") != 1 or not all(league.address.split("@")):
        raise SettingsError(f"[league] address is {league.address!r}; it must be one address")
    try:
        ZoneInfo(league.timezone)
    except (KeyError, ValueError, OSError):
        raise SettingsError(
            f"[league] timezone {league.timezone!r} is not known; write one like Europe/Oslo"
        ) from None
    positive = (
        "deadline_hours",
        "outage_hours",
        "turns_per_letter",
        "misses_before_forfeit",
        "token_days",
    )
    for key in (*positive, "active_days"):
        if getattr(league, key) <= 0:
            raise SettingsError(f"[league] {key} must be more than 0")
    for day in league.rest_days:
        if day not in WEEKDAYS:
            raise SettingsError(f"[league] rest_days: {day!r} is none of {', '.join(WEEKDAYS)}")
    if set(league.rest_days) == set(WEEKDAYS):
        raise SettingsError("[league] rest_days must leave a day on which a deadline may fall")
    for day in league.holidays:
        if not _DAY.fullmatch(day):
            raise SettingsError(f"[league] holidays: write {day!r} as 12-25 or 2026-12-25")
    for name in ("imap", "smtp"):
        _check_server(name, getattr(settings, name))


def _check_server(name: str, server: ImapSettings | SmtpSettings | None) -> None:
    if server is None:
        return
    if not 1 <= server.port <= 65535:
        raise SettingsError(f"[{name}] port must be from 1 to 65535, not {server.port}")
    if server.tls == "none" and server.host not in LOOPBACK:
        raise SettingsError(
            f'[{name}] tls = "none" is for this machine only; use "tls" or "starttls"'
            f" for {server.host}"
        )
