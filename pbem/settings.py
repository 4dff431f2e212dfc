"""league.toml to frozen settings; what is wrong in it is said in one sentence."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from engine.library import RULESETS
from engine.ruleset import Day
from pbem.deadlines import Absence, Calendar
from pbem.forum.channel import ChannelSettings
from pbem.logs import Style
from pbem.mail.courier import Courier, SmtpAccount, SmtpCourier
from pbem.mail.mailbox import ImapAccount, ImapMailbox, Mailbox
from pbem.mail.maildir import MaildirCourier, MaildirMailbox
from pbem.mail.sendmail import SendmailCourier
from pbem.mail.signing import EXTRA, DkimSettings, SigningCourier
from pbem.mail.vouching import AuthenticationSettings
from pbem.mail.wire import Tls
from pbem.oauth import Client, Grant, Tokens

if TYPE_CHECKING:
    from pbem.mail.dkim import Signer


class SettingsError(Exception):
    """A setting that can't be used; names it and says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """The league itself; hours are whole or broken, turns are pilots' turns."""

    name: str
    address: str
    timezone: str = "UTC"
    language: str = "en"
    systems: tuple[str, ...] = tuple(RULESETS)
    deadline_hours: float = 72
    reminder_hours: tuple[float, ...] = (24.0, 6.0)
    rest_days: tuple[str, ...] = ()
    holidays: tuple[str, ...] = ()
    away_days: int = 42
    outage_hours: float = 6
    silent_players: int = 6
    turns_per_letter: int = 36
    misses_before_open: int = 2
    misses_before_forfeit: int = 3
    reliability_turns: int = 20
    patrol_hours: float = 48
    patrol_house: str = ""
    moderator: str = ""
    plus_addresses: bool = True
    verp: bool = False
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

    def calendar_with(self, absences: Iterable[Absence]) -> Calendar:
        """Give the same with the days on which players are away."""
        return replace(self.calendar, absences=tuple(absences))


Auth = Literal["password", "oauth2"]
"""How one logs in: by a password, or by access tokens of [oauth]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OauthSettings:
    """Where access tokens come from, for the servers whose `auth` is oauth2."""

    token_url: str
    client_id: str
    grant: Grant = "refresh_token"
    client_secret_file: str = ""
    refresh_token_file: str = ""
    scope: str = ""
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSettings:
    """The mailbox that is read."""

    host: str
    port: int = 993
    tls: Tls = "tls"
    user: str
    password_file: str = ""
    auth: Auth = "password"
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
    auth: Auth = "password"
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
class BackupSettings:
    """Where backups go and how many of them stay: the last of so many days, and of weeks."""

    path: str = "backups"
    daily: int = 7
    weekly: int = 5
    secrets: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """How reports come; the hour is one of the player's time zone.

    `papers`: persona sheets go along as PDF, to be printed.
    """

    digest_hour: int = 7
    pictures: bool = True
    papers: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings:
    """How long what people wrote is kept, in days; 0 keeps letters for ever."""

    keep_letters_days: int = 365
    unconfirmed_days: int = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """When the moderator is alarmed, and what is told to programs; see pbem.watch.health."""

    poll_hours: float = 2
    outbox_letters: int = 500
    outbox_hours: float = 12
    briefing_hour: int = 8
    health_file: str = "health.json"
    log: Style = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsSettings:
    """The port for Prometheus on the loopback interface; 0 for none."""

    port: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What one letter, player or stranger may cost (faults.md)."""

    letter_bytes: int = 1024 * 1024
    order_lines: int = 200
    letters_a_day: int = 50
    refusals_a_day: int = 1
    automatic_answers_a_day: int = 10
    tells_a_day: int = 10
    press_a_day: int = 2
    addresses_a_day: int = 3
    tries: int = 3
    hard_bounces: int = 3
    bounce_days: float = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterSettings:
    """The newsletter: `when` is a cron line in the league's time zone, "" for never."""

    when: str = ""
    new_players: bool = False
    strangers: bool = False
    letters_a_minute: int = 120
    unsubscribe_url: str = ""
    feed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a league, with the folder that relative paths start from."""

    league: LeagueSettings
    imap: ImapSettings | None = None
    smtp: SmtpSettings | None = None
    oauth: OauthSettings | None = None
    dkim: DkimSettings | None = None
    authentication: AuthenticationSettings = field(default_factory=AuthenticationSettings)
    maildir: MaildirSettings = field(default_factory=MaildirSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
    reports: ReportSettings = field(default_factory=ReportSettings)
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    newsletter: NewsletterSettings = field(default_factory=NewsletterSettings)
    channels: Mapping[str, ChannelSettings] = field(default_factory=dict)
    catalogues: Mapping[str, str] = field(default_factory=dict)
    stocks: Mapping[str, Any] = field(default_factory=dict)
    home: Path = field(default_factory=Path.cwd)

    @property
    def sender(self) -> tuple[str, str]:
        """Give the name and the address that letters and posts come from."""
        return self.league.name, self.league.address

    def stock(self, system: str) -> Any:
        """Give a system's stock, the league's own or else the usual one (`Workshop.stock`)."""
        workshop = RULESETS[system].workshop
        if workshop is None or system in self.stocks:
            return self.stocks.get(system)
        return workshop.stock(None)

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
            found = file.read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise SettingsError(f"{file} can't be read ({why})") from None
        if not found:
            raise SettingsError(f"{file} is empty; write the password or key into it, on one line")
        return found

    def store_url(self) -> str:
        """Give the database's URL with a relative SQLite path made absolute."""
        prefix = "sqlite:///"
        url = self.store.url
        if url.startswith(prefix) and not url.startswith(prefix + "/"):
            return f"{prefix}{self.state(url.removeprefix(prefix)).resolve()}"
        return url

    def tokens(self) -> Tokens:
        """Make what gives access tokens; raises SettingsError."""
        oauth = self.oauth
        if oauth is None:
            raise SettingsError("[oauth] is missing: say where access tokens come from")
        renewing = oauth.grant == "refresh_token"
        return Tokens(
            Client(
                token_url=oauth.token_url,
                client_id=oauth.client_id,
                grant=oauth.grant,
                secret=self.secret(oauth.client_secret_file) if oauth.client_secret_file else "",
                refresh_token=self.secret(oauth.refresh_token_file) if renewing else "",
                scope=oauth.scope,
                renewed=self.state(".oauth-refresh-token"),
                ca_file=str(self.path(oauth.ca_file)) if oauth.ca_file else None,
            )
        )

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
                password=self.secret(imap.password_file) if imap.auth == "password" else "",
                tokens=self.tokens() if imap.auth == "oauth2" else None,
                folder=imap.folder,
                done_folder=imap.done_folder,
                ca_file=str(self.path(imap.ca_file)) if imap.ca_file else None,
                max_bytes=self.limits.letter_bytes,
            )
        )

    def signer(self) -> "Signer | None":
        """Make what signs letters, if the settings name a key; raises SettingsError."""
        if self.dkim is None:
            return None
        try:
            return self.dkim.signer(self.league.address, self.secret(self.dkim.key_file))
        except ImportError:
            raise SettingsError(f"[dkim] {EXTRA}") from None
        except ValueError as error:
            raise SettingsError(f"[dkim] key_file {self.dkim.key_file}: {error}") from None

    def courier(self) -> Courier:
        """Make the courier that letters are given to, signed if the settings name a key."""
        signer = self.signer()
        return self.sink() if signer is None else SigningCourier(self.sink(), signer)

    def sink(self) -> Courier:
        """Make the courier that the settings name, not yet connected."""
        if self.maildir.out:
            return MaildirCourier(self.path(self.maildir.out))
        if self.maildir.sendmail:
            return SendmailCourier(self.maildir.sendmail.split())
        smtp = self.smtp
        if smtp is None:
            raise SettingsError("[smtp] is missing: say where letters go")
        with_password = bool(smtp.user) and smtp.auth == "password"
        return SmtpCourier(
            SmtpAccount(
                host=smtp.host,
                port=smtp.port,
                tls=smtp.tls,
                user=smtp.user or None,
                password=self.secret(smtp.password_file) if with_password else None,
                tokens=self.tokens() if smtp.auth == "oauth2" else None,
                ca_file=str(self.path(smtp.ca_file)) if smtp.ca_file else None,
            )
        )
