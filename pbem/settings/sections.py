"""The sections of league.toml, frozen: what may be set, within which bounds, and the defaults."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta

from engine.campaign import Day
from engine.registry import RULESETS
from pbem.channels.mail.connections import Tls
from pbem.channels.oauth import Grant
from pbem.host.logs import Style
from pbem.settings.calendar import Absence, Calendar

MAY_BE_EMPTY = "may be empty"
"""Marks a text that may be empty although its default is not: empty stands for none."""
MOST = 2**31 - 1
"""The most that a whole number in PostgreSQL can be."""
CENTURY = 36_500
"""In days: what a calendar can hold after any date of a game."""

Count = Annotated[int, Meta(ge=0, le=MOST)]
Positive = Annotated[int, Meta(gt=0, le=MOST)]
Hours = Annotated[float, Meta(ge=0, le=1_000_000)]
SomeHours = Annotated[float, Meta(gt=0, le=1_000_000)]
Days = Annotated[int, Meta(ge=0, le=CENTURY)]
SomeDays = Annotated[int, Meta(gt=0, le=CENTURY)]
HourOfDay = Annotated[int, Meta(ge=0, le=23)]
Port = Annotated[int, Meta(ge=1, le=65535)]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Date = Annotated[
    str,
    Meta(
        # \Z, since $ would also match before a line end.
        pattern=r"^(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\Z",
        description="written as 12-25 or 2026-12-25",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """The league itself; hours may be fractions, turns are pilots' turns."""

    name: str
    address: str
    timezone: str = "UTC"
    language: str = "en"
    systems: tuple[str, ...] = tuple(key for key, rules in RULESETS.items() if rules.usual)
    deadline_hours: SomeHours = 72
    reminder_hours: tuple[Hours, ...] = (24.0, 6.0)
    rest_days: tuple[Weekday, ...] = ()
    holidays: tuple[Date, ...] = ()
    away_days: Annotated[int, Meta(ge=0, le=366)] = 42
    outage_hours: SomeHours = 6
    silent_players: Count = 6
    # The middle duel then takes three letters from each player (decision 0004).
    turns_per_letter: Positive = 36
    forced_moves: bool = True
    misses_before_open: Count = 2
    misses_before_forfeit: Positive = 3
    reliability_turns: Positive = 20
    challenge_days: Days = 14
    board: str = ""
    heals: bool = True
    patrol_hours: SomeHours = 48
    patrol_bots: str = ""
    moderator: str = ""
    plus_addresses: bool = True
    verp: bool = False
    token_days: SomeDays = 60
    active_days: SomeDays = 90

    @property
    def zone(self) -> ZoneInfo:
        """Return the league's time zone."""
        return ZoneInfo(self.timezone)

    def day(self, now: datetime) -> Day:
        """Return the calendar day in the league's zone."""
        return now.astimezone(self.zone).date().isoformat()

    @property
    def allowed(self) -> timedelta:
        """Return the time that a player has for orders."""
        return timedelta(hours=self.deadline_hours)

    @property
    def calendar(self) -> Calendar:
        """Return the days on which no deadline falls."""
        return Calendar(zone=self.zone, rest=self.rest_days, holidays=self.holidays)

    def calendar_with(self, absences: Iterable[Absence]) -> Calendar:
        """Return the calendar together with the days on which players are away."""
        return replace(self.calendar, absences=tuple(absences))


Auth = Literal["password", "oauth2"]
"""How to log in: by a password, or by access tokens of [oauth]."""


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
    port: Port = 993
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
    port: Port = 465
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
    """The database, and the file with the password of one on a server."""

    url: str = "sqlite:///league.db"
    password_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupSettings:
    """Where backups go and how many of them are kept: the last of so many days, and of weeks."""

    path: str = "backups"
    daily: Count = 7
    weekly: Count = 5
    secrets: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """How reports come; the hour is in the player's time zone.

    `pdf`: persona sheets are attached as PDF, to be printed.
    """

    digest_hour: HourOfDay = 7
    pictures: bool = True
    pdf: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings:
    """How long letters that came in, and letters that were sent, are kept, in days; 0: for ever.

    A reply may quote a letter of ours without marks for as long as its token lives.
    """

    keep_letters_days: Days = 365
    # As long as `token_days`: so long a reply may quote the letter (decision 0025).
    keep_sent_days: Days = 60
    unconfirmed_days: SomeDays = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """When the moderator is alarmed, and what programs can read; see pbem.service.health."""

    poll_hours: Hours = 2
    outbox_letters: Count = 500
    outbox_hours: Hours = 12
    briefing_hour: HourOfDay = 8
    health_file: str = field(default="health.json", metadata={MAY_BE_EMPTY: True})
    disk_mib: Count = 100
    # A day, and some hours for a backup that is late.
    backup_hours: Hours = 30
    log: Style = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsSettings:
    """The port for Prometheus on the loopback interface; 0 for none."""

    port: Annotated[int, Meta(ge=0, le=65535)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What one letter, player or stranger may cost (faults.md)."""

    letter_bytes: Positive = 1024 * 1024
    # A letter's own lines and characters, beyond which it is not read (decision 0020).
    lines: Positive = 1000
    characters: Positive = 60_000
    order_lines: Positive = 200
    questions_a_letter: Positive = 20
    answers_a_letter: Positive = 5
    letters_to_others: Positive = 20
    letter_cost: Positive = 250_000
    letters_a_day: Positive = 50
    # A forged sender must not fill the mailbox of the real one (fault 36).
    refusals_a_day: Count = 1
    automatic_answers_a_day: Count = 50
    tells_a_day: Count = 10
    press_a_day: Count = 2
    addresses_a_day: Count = 3
    stranger_letters_a_day: Count = 100
    stranger_bytes_a_day: Count = 20 * 1024 * 1024
    keys_a_letter: Count = 5
    wrong_keys_a_day: Count = 10
    duels_a_day: Count = 2
    takeover_days: Days = 7
    # As Mailman does before it sets a letter aside (fault 14).
    tries: Positive = 3
    hard_bounces: Count = 3
    bounce_days: Annotated[float, Meta(ge=0, le=CENTURY)] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsletterSettings:
    """The newsletter: `when` is a cron line in the league's time zone, "" for never."""

    when: str = ""
    new_players: bool = False
    strangers: bool = False
    letters_a_minute: Positive = 120
    unsubscribe_url: str = ""
    feed: str = ""
