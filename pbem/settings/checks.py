"""Checks that settings can be used and fit together. Each fault is one sentence."""

import re
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from zoneinfo import ZoneInfo

from engine.library import RULESETS
from pbem.clock import next_ring
from pbem.deadlines import WEEKDAYS
from pbem.forum.channel import LOOPBACK
from pbem.forum.web import wrong_url
from pbem.i18n import zones
from pbem.mail.authentication import AuthenticationSettings
from pbem.mail.signing import EXTRA
from pbem.settings import Settings, SettingsError
from pbem.settings.sections import ImapSettings, LeagueSettings, SmtpSettings, StoreSettings

_DAY = re.compile(r"(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_MOST = (("_hours", 1_000_000), ("_days", 36_500), ("", 2**31 - 1))
"""The most that a number may be, by how its key ends."""
_HTTPS = re.compile(r"https://[!-;=?-~]{1,200}")


def check(settings: Settings) -> None:
    """Check settings section by section. Raise SettingsError for the first fault."""
    league = settings.league
    _check_names(league)
    _check_numbers(league)
    _check_sizes(settings)
    _check_days(league)
    if league.verp and not league.plus_addresses:
        raise SettingsError("[league] verp needs a host that takes plus_addresses")
    _check_office(settings)
    _check_systems(league)
    _check_logins(settings)
    _check_newsletter(settings)
    _check_authentication(settings.authentication)
    wrong = settings.dkim.wrong(league.address) if settings.dkim else ""
    if wrong:
        raise SettingsError(f"[dkim] {wrong}")
    for name in ("imap", "smtp"):
        _check_server(name, getattr(settings, name))


def _check_numbers(league: LeagueSettings) -> None:
    """Check hours, days and turns, and the strength of the bots."""
    positive = (
        "deadline_hours",
        "outage_hours",
        "turns_per_letter",
        "misses_before_forfeit",
        "token_days",
    )
    for key in (*positive, "active_days", "reliability_turns", "patrol_hours"):
        if getattr(league, key) <= 0:
            raise SettingsError(f"[league] {key} must be more than 0")
    known = {strength for rules in RULESETS.values() for strength in rules.house}
    if league.patrol_house and league.patrol_house not in known:
        raise SettingsError(f"[league] patrol_house: write one of {', '.join(sorted(known))}")
    if not 0 <= league.away_days <= 366:
        raise SettingsError("[league] away_days must be from 0 to 366")


def _check_sizes(settings: Settings) -> None:
    """Check that no number is negative, or more than a calendar or a database can hold."""
    for section in fields(settings):
        part = getattr(settings, section.name)
        for key in fields(part) if is_dataclass(part) else ():
            most = next(most for unit, most in _MOST if key.name.endswith(unit))
            value = getattr(part, key.name)
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, int | float) and not 0 <= number <= most:
                    raise SettingsError(
                        f"[{section.name}] {key.name} must be from 0 to {most}, not {number}"
                    )


def _check_days(league: LeagueSettings) -> None:
    """Check that the days without deadlines are days, and leave some."""
    for day in league.rest_days:
        if day not in WEEKDAYS:
            raise SettingsError(f"[league] rest_days: {day!r} is none of {', '.join(WEEKDAYS)}")
    if set(league.rest_days) == set(WEEKDAYS):
        raise SettingsError("[league] rest_days must leave a day on which a deadline may fall")
    for day in league.holidays:
        if not _DAY.fullmatch(day):
            raise SettingsError(f"[league] holidays: write {day!r} as 12-25 or 2026-12-25")


def _check_office(settings: Settings) -> None:
    """Check the sections that say how the service works."""
    if not 0 <= settings.reports.digest_hour <= 23:
        raise SettingsError("[reports] digest_hour must be from 0 to 23")
    if not 0 <= settings.watch.briefing_hour <= 23:
        raise SettingsError("[watch] briefing_hour must be from 0 to 23")
    if settings.privacy.unconfirmed_days < 1:
        raise SettingsError("[privacy] unconfirmed_days must be 1 or more")
    for key in (
        "letter_bytes",
        "lines",
        "characters",
        "order_lines",
        "questions_a_letter",
        "answers_a_letter",
        "letters_to_others",
        "letter_cost",
        "letters_a_day",
        "tries",
    ):
        if getattr(settings.limits, key) <= 0:
            raise SettingsError(f"[limits] {key} must be more than 0")
    _check_store(settings.store)
    if not 0 <= settings.metrics.port <= 65535:
        raise SettingsError("[metrics] port must be from 1 to 65535, or 0 for none")


def _check_store(store: StoreSettings) -> None:
    if not store.url.startswith(("sqlite:///", "postgres://", "postgresql://")):
        raise SettingsError(
            f"[store] url is {store.url!r}; write it like sqlite:///league.db"
            " or postgres://pbem@localhost/pbem"
        )
    if store.password_file and not re.match(r"postgres(ql)?://[^/@:]+@", store.url):
        raise SettingsError(
            "[store] password_file is for a url like postgres://pbem@localhost/pbem,"
            " which names a user and has no password itself"
        )


def _check_names(league: LeagueSettings) -> None:
    """Check the names of the league, its addresses and its time zone."""
    if not league.name.strip():
        raise SettingsError("[league] name is empty; it stands in every letter")
    if not league.name.isprintable():
        raise SettingsError("[league] name must be one line of text")
    wrong = wrong_address(league.address)
    if wrong:
        raise SettingsError(f"[league] address {wrong}")
    wrong = wrong_address(league.moderator) if league.moderator else ""
    if wrong:
        raise SettingsError(f"[league] moderator {wrong}")
    wrong = wrong_timezone(league.timezone)
    if wrong:
        raise SettingsError(f"[league] timezone {wrong}")


def wrong_address(address: str) -> str:
    """Return why an address can't be one, or nothing."""
    sound = address.count("@") == 1 and all(address.split("@")) and not re.search(r"\s", address)
    return "" if sound else f"is {address!r}; it must be one address, such as referee@host.example"


def wrong_host(name: str) -> str:
    """Return why no server can have this name, or nothing."""
    try:
        sound = bool(name.encode("idna")) and not re.search(r"[\s\x00]", name)
    except UnicodeError:
        sound = False
    return "" if sound else f"is {name!r}; it must be one name, such as mail.host.example"


def wrong_timezone(name: str) -> str:
    """Return why a time zone can't be used, with similar ones that may be meant, or nothing."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        meant = ", ".join(zones.near(name)) or "Europe/Oslo"
        return f"{name!r} is not known; write one like {meant}"
    return ""


def _check_systems(league: LeagueSettings) -> None:
    for system in league.systems:
        if system not in RULESETS:
            raise SettingsError(f"[league] systems: {system!r} is none of {', '.join(RULESETS)}")
    if not league.systems:
        raise SettingsError(f"[league] systems must name some of {', '.join(RULESETS)}")


def _check_authentication(told: AuthenticationSettings) -> None:
    """Check that results are only used if somebody reports them."""
    if told.failed != "ignore" and not told.server:
        raise SettingsError("[authentication] failed: name the mail server that says so (server)")
    if told.passed != "ignore" and not (told.server or told.check_dkim):
        raise SettingsError(
            "[authentication] passed: name the mail server that says so (server), or set"
            " check_dkim = true"
        )
    if told.check_dkim and find_spec("dns") is None:
        raise SettingsError(f"[authentication] check_dkim {EXTRA}")


def _check_logins(settings: Settings) -> None:
    """Check that what a login needs is named."""
    imap, smtp, oauth = settings.imap, settings.smtp, settings.oauth
    if imap is not None and imap.auth == "password" and not imap.password_file:
        raise SettingsError("[imap] password_file is missing")
    if smtp is not None and smtp.user and smtp.auth == "password" and not smtp.password_file:
        raise SettingsError("[smtp] password_file is missing, which user needs")
    if smtp is not None and smtp.auth == "oauth2" and not smtp.user:
        raise SettingsError('[smtp] user is missing, which auth = "oauth2" needs')
    if "oauth2" in {server.auth for server in (imap, smtp) if server} and oauth is None:
        raise SettingsError("[oauth] is missing: say where access tokens come from")
    if oauth is None:
        return
    wrong = wrong_url(oauth.token_url)
    if wrong:
        raise SettingsError(f"[oauth] token_{wrong}")
    if oauth.grant == "refresh_token" and not oauth.refresh_token_file:
        raise SettingsError("[oauth] refresh_token_file is missing")
    if oauth.grant == "client_credentials" and not oauth.client_secret_file:
        raise SettingsError("[oauth] client_secret_file is missing")


def _check_newsletter(settings: Settings) -> None:
    newsletter = settings.newsletter
    if newsletter.when:
        try:
            if next_ring(newsletter.when, settings.league.zone, datetime.now(UTC)) is None:
                raise ValueError(f"{newsletter.when!r} names a time that never comes")
        except ValueError as error:
            raise SettingsError(
                f"[newsletter] when: {error}; write minute, hour, day, month and weekday, such as"
                ' "0 18 1 * *" for 18:00 on the first of each month'
            ) from None
    if newsletter.letters_a_minute <= 0:
        raise SettingsError("[newsletter] letters_a_minute must be more than 0")
    url = newsletter.unsubscribe_url
    if url and not _HTTPS.fullmatch(url):
        raise SettingsError(
            f"[newsletter] unsubscribe_url must be an https:// address, not {url!r}"
        )


def _check_server(name: str, server: ImapSettings | SmtpSettings | None) -> None:
    if server is None:
        return
    wrong = wrong_host(server.host)
    if wrong:
        raise SettingsError(f"[{name}] host {wrong}")
    if not 1 <= server.port <= 65535:
        raise SettingsError(f"[{name}] port must be from 1 to 65535, not {server.port}")
    if server.tls == "none" and server.host not in LOOPBACK:
        raise SettingsError(
            f'[{name}] tls = "none" is for this machine only; use "tls" or "starttls"'
            f" for {server.host}"
        )
