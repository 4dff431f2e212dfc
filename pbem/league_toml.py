"""league.toml to settings; what is wrong in it is said in one sentence that names the place."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from engine.library import RULESETS
from engine.words import closest
from pbem.clock import next_ring
from pbem.deadlines import WEEKDAYS
from pbem.forum import KINDS
from pbem.forum.channel import LOOPBACK, ChannelSettings
from pbem.forum.web import wrong_url
from pbem.mail.signing import EXTRA, DkimSettings
from pbem.mail.vouching import AuthenticationSettings
from pbem.settings import (
    BackupSettings,
    ImapSettings,
    LeagueSettings,
    LimitSettings,
    MaildirSettings,
    MetricsSettings,
    NewsletterSettings,
    OauthSettings,
    PrivacySettings,
    ReportSettings,
    Settings,
    SettingsError,
    SmtpSettings,
    StoreSettings,
    WatchSettings,
)
from pbem.stocks import stocks
from pbem.words import zones

_DAY = re.compile(r"(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_HTTPS = re.compile(r"https://[!-;=?-~]{1,200}")
_CHANNEL = re.compile(r"[a-z][a-z0-9_-]{0,39}")

SECTIONS: dict[str, Any] = {
    "league": LeagueSettings,
    "imap": ImapSettings,
    "smtp": SmtpSettings,
    "oauth": OauthSettings,
    "dkim": DkimSettings,
    "authentication": AuthenticationSettings,
    "maildir": MaildirSettings,
    "store": StoreSettings,
    "backup": BackupSettings,
    "reports": ReportSettings,
    "privacy": PrivacySettings,
    "limits": LimitSettings,
    "watch": WatchSettings,
    "metrics": MetricsSettings,
    "newsletter": NewsletterSettings,
}
"""The sections of league.toml and what each holds; [channels.NAME] and [catalogues] beside them."""
_OTHERS = "channels", "catalogues"


def load(file: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read league.toml, with single settings from `PBEM_SECTION__KEY`; raises SettingsError."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(
            f"{file} does not exist; make one with: pbem init {file.parent}, or name yours"
            " with --config FILE"
        ) from None
    except OSError as error:
        raise SettingsError(f"{file} can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} can't be read: it is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is no TOML: {error}") from None
    return parse(_with_environment(raw, environment), file.parent)


def _with_environment(raw: dict[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    merged = {name: dict(part) if isinstance(part, dict) else part for name, part in raw.items()}
    for name, text in environment.items():
        section, mark, key = name.removeprefix("PBEM_").lower().partition("__")
        if name.startswith("PBEM_") and mark:
            merged.setdefault(section, {})[key] = _Text(text)
    return merged


class _Text(str):
    """A setting that came as text and is read as its key's type."""


def parse(raw: Mapping[str, Any], home: Path) -> Settings:
    """Make settings of plain values; raises SettingsError naming section and key."""
    for name, part in raw.items():
        if name not in (*SECTIONS, *_OTHERS):
            known = *SECTIONS, "channels.NAME", "catalogues"
            sections = ", ".join(f"[{section}]" for section in known)
            raise SettingsError(f"[{name}] is no section; the sections are {sections}")
        if not isinstance(part, dict):
            raise SettingsError(f"[{name}] must be a section of settings")
    if "league" not in raw:
        raise SettingsError("[league] is missing: name and address are needed")
    parts = {
        name: _section(name, raw[name], kind) for name, kind in SECTIONS.items() if name in raw
    }
    channels = {name: _channel(name, part) for name, part in raw.get("channels", {}).items()}
    catalogues = raw.get("catalogues", {})
    stock = stocks(catalogues, home)
    settings = Settings(home=home, channels=channels, catalogues=catalogues, stocks=stock, **parts)
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
            meant = closest(key, hints)
            perhaps = f"perhaps {meant} is meant" if meant else f"known are {', '.join(hints)}"
            raise SettingsError(f"[{name}] {key} is no setting; {perhaps}")
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
    _check_names(league)
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
    for key in ("misses_before_open", "silent_players"):
        if getattr(league, key) < 0:
            raise SettingsError(f"[league] {key} must be 0 or more")
    known = {strength for rules in RULESETS.values() for strength in rules.house}
    if league.patrol_house and league.patrol_house not in known:
        raise SettingsError(f"[league] patrol_house: write one of {', '.join(sorted(known))}")
    if not 0 <= league.away_days <= 366:
        raise SettingsError("[league] away_days must be from 0 to 366")
    for day in league.rest_days:
        if day not in WEEKDAYS:
            raise SettingsError(f"[league] rest_days: {day!r} is none of {', '.join(WEEKDAYS)}")
    if set(league.rest_days) == set(WEEKDAYS):
        raise SettingsError("[league] rest_days must leave a day on which a deadline may fall")
    for day in league.holidays:
        if not _DAY.fullmatch(day):
            raise SettingsError(f"[league] holidays: write {day!r} as 12-25 or 2026-12-25")
    if league.verp and not league.plus_addresses:
        raise SettingsError("[league] verp needs a host that takes plus_addresses")
    for key in ("daily", "weekly"):
        if getattr(settings.backup, key) < 0:
            raise SettingsError(f"[backup] {key} must not be less than 0")
    if not 0 <= settings.reports.digest_hour <= 23:
        raise SettingsError("[reports] digest_hour must be from 0 to 23")
    if not 0 <= settings.watch.briefing_hour <= 23:
        raise SettingsError("[watch] briefing_hour must be from 0 to 23")
    if settings.privacy.keep_letters_days < 0 or settings.privacy.unconfirmed_days < 1:
        raise SettingsError("[privacy] takes numbers of days: 0 or more, and 1 or more")
    for key in ("letter_bytes", "order_lines", "letters_a_day", "tries"):
        if getattr(settings.limits, key) <= 0:
            raise SettingsError(f"[limits] {key} must be more than 0")
    if not settings.store.url.startswith(("sqlite:///", "postgres")):
        raise SettingsError(
            f"[store] url is {settings.store.url!r}; write it like sqlite:///league.db"
        )
    if not 0 <= settings.metrics.port <= 65535:
        raise SettingsError("[metrics] port must be from 1 to 65535, or 0 for none")
    _check_systems(league)
    _check_logins(settings)
    _check_newsletter(settings)
    _check_authentication(settings.authentication)
    wrong = settings.dkim.wrong(league.address) if settings.dkim else ""
    if wrong:
        raise SettingsError(f"[dkim] {wrong}")
    for name in ("imap", "smtp"):
        _check_server(name, getattr(settings, name))


def _check_names(league: LeagueSettings) -> None:
    """Check what names the league, its people and its place."""
    if not league.name.strip():
        raise SettingsError("[league] name is empty; it stands in every letter")
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
    """Say why an address can't be one, or nothing."""
    sound = address.count("@") == 1 and all(address.split("@")) and not re.search(r"\s", address)
    return "" if sound else f"is {address!r}; it must be one address, such as referee@host.example"


def wrong_timezone(name: str) -> str:
    """Say why a time zone can't be used, with those that may be meant, or nothing."""
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
    """Check that somebody is believed where it matters whom one believes."""
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
    if not 1 <= server.port <= 65535:
        raise SettingsError(f"[{name}] port must be from 1 to 65535, not {server.port}")
    if server.tls == "none" and server.host not in LOOPBACK:
        raise SettingsError(
            f'[{name}] tls = "none" is for this machine only; use "tls" or "starttls"'
            f" for {server.host}"
        )
