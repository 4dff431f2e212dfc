"""Checks that settings can be used and fit together. Each fault is one sentence."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from engine.registry import RULESETS
from pbem.channels.channel import LOOPBACK
from pbem.channels.mail.connections import wrong_host
from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.channels.web import wrong_url
from pbem.host.clock import next_ring
from pbem.host.package_data import TEMPLATES
from pbem.i18n import zones
from pbem.i18n.message_catalogue import languages
from pbem.settings import Settings
from pbem.settings.calendar import WEEKDAYS
from pbem.settings.sections import (
    ImapSettings,
    LeagueSettings,
    NewsletterSettings,
    SmtpSettings,
    StoreSettings,
)

# No blank, < or >: the address stands between < and > in List-Unsubscribe (RFC 2369).
_HTTPS = re.compile(r"https://[!-;=?-~]{1,200}")


def faults(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each fault that the bounds of single values do not show."""
    league = settings.league
    # The first sentence ends the check, so what follows may use what the first ones have checked:
    # an unknown time zone never reaches the newsletter.
    yield from _league(league)
    boards = [name for name, channel in settings.channels.items() if channel.play]
    if league.board and league.board not in boards:
        known = ", ".join(boards) or "none"
        yield f"[league] board is {league.board!r}; the channels that are read are: {known}"
    yield from _store(settings.store)
    yield from _logins(settings)
    yield from _newsletter(settings.newsletter, league.zone)
    yield from _authentication(settings.authentication)
    yield from _server("imap", settings.imap)
    yield from _folders(settings.imap)
    yield from _server("smtp", settings.smtp)


def _league(league: LeagueSettings) -> Iterator[str]:
    if wrong := wrong_address(league.address):
        yield f"[league] address {wrong}"
    if league.moderator and (wrong := wrong_address(league.moderator)):
        yield f"[league] moderator {wrong}"
    known = languages(TEMPLATES / "locale")
    if league.language not in known:
        yield f"[league] language is {league.language!r}; write one of {', '.join(known)}"
    if wrong := wrong_timezone(league.timezone):
        yield f"[league] timezone {wrong}"
    if set(league.rest_days) == set(WEEKDAYS):
        yield "[league] rest_days must leave a day on which a deadline may fall"
    # VERP puts a token behind a plus sign in the envelope sender.
    if league.verp and not league.plus_addresses:
        yield "[league] verp needs a host that takes plus_addresses"
    strengths = {strength for rules in RULESETS.values() for strength in rules.strengths}
    if league.patrol_bots and league.patrol_bots not in strengths:
        yield f"[league] patrol_bots: write one of {', '.join(sorted(strengths))}"
    for system in league.systems:
        if system not in RULESETS:
            yield f"[league] systems: {system!r} is none of {', '.join(RULESETS)}"
    if not league.systems:
        yield f"[league] systems must name some of {', '.join(RULESETS)}"


def wrong_address(address: str) -> str:
    """Return why an address can't be one, or ""."""
    sound = address.count("@") == 1 and all(address.split("@")) and not re.search(r"\s", address)
    return "" if sound else f"is {address!r}; it must be one address, such as referee@host.example"


def wrong_timezone(name: str) -> str:
    """Return why a time zone can't be used, with similar ones that may be meant, or ""."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        meant = ", ".join(zones.near(name)) or "Europe/Oslo"
        return f"{name!r} is not known; write one like {meant}"
    return ""


def _store(store: StoreSettings) -> Iterator[str]:
    if not store.url.startswith(("sqlite:///", "postgres://", "postgresql://")):
        yield (
            f"[store] url is {store.url!r}; write it like sqlite:///league.db"
            " or postgres://pbem@localhost/pbem"
        )
    if store.password_file and not re.match(r"postgres(ql)?://[^/@:]+@", store.url):
        yield (
            "[store] password_file is for a url like postgres://pbem@localhost/pbem,"
            " which names a user and has no password itself"
        )


def _logins(settings: Settings) -> Iterator[str]:
    """Yield what a login needs but does not have."""
    imap, smtp, oauth = settings.imap, settings.smtp, settings.oauth
    if imap and imap.auth == "password" and not imap.password_file:
        yield "[imap] password_file is missing"
    if smtp and smtp.user and smtp.auth == "password" and not smtp.password_file:
        yield "[smtp] password_file is missing, which user needs"
    if smtp and smtp.auth == "oauth2" and not smtp.user:
        yield '[smtp] user is missing, which auth = "oauth2" needs'
    if "oauth2" in {server.auth for server in (imap, smtp) if server} and oauth is None:
        yield "[oauth] is missing: say where access tokens come from"
    if oauth is None:
        return
    if wrong := wrong_url(oauth.token_url):
        yield f"[oauth] token_{wrong}"
    if oauth.grant == "refresh_token" and not oauth.refresh_token_file:
        yield "[oauth] refresh_token_file is missing"
    if oauth.grant == "client_credentials" and not oauth.client_secret_file:
        yield "[oauth] client_secret_file is missing"


def _newsletter(newsletter: NewsletterSettings, zone: ZoneInfo) -> Iterator[str]:
    url = newsletter.unsubscribe_url
    if url and not _HTTPS.fullmatch(url):
        yield f"[newsletter] unsubscribe_url must be an https:// address, not {url!r}"
    if not newsletter.when:
        return
    try:
        never = next_ring(newsletter.when, zone, datetime.now(UTC)) is None
        why = f"{newsletter.when!r} names a time that never comes" if never else ""
    except ValueError as error:
        why = str(error)
    if why:
        yield (
            f"[newsletter] when: {why}; write minute, hour, day, month and weekday, such as"
            ' "0 18 1 * *" for 18:00 on the first of each month'
        )


def _authentication(wanted: AuthenticationSettings) -> Iterator[str]:
    """Yield which results are to be used although nothing reports them."""
    if wanted.failed != "ignore" and not wanted.server:
        yield "[authentication] failed: name the mail server that says so (server)"
    if wanted.passed != "ignore" and not wanted.server:
        yield "[authentication] passed: name the mail server that says so (server)"


def _folders(imap: ImapSettings | None) -> Iterator[str]:
    if imap is None:
        return
    # Else what was answered would be moved to where it is read, again and again.
    if imap.folder.casefold() == imap.done_folder.casefold():
        yield f"[imap] done_folder is {imap.done_folder!r}; it must be another one than folder"


def _server(name: str, server: ImapSettings | SmtpSettings | None) -> Iterator[str]:
    if server is None:
        return
    if wrong := wrong_host(server.host):
        yield f"[{name}] host {wrong}"
    # Passwords and letters would cross the network for all to read.
    if server.tls == "none" and server.host not in LOOPBACK:
        yield (
            f'[{name}] tls = "none" is for this machine only; use "tls" or "starttls"'
            f" for {server.host}"
        )
