"""A league's settings, and what is made of them: files, secrets, the mailbox and the transport."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.registry import RULESETS
from pbem.channels.channel import ChannelSettings
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import Mailbox
from pbem.channels.mail.maildir import MaildirMailbox, MaildirTransport
from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.channels.mail.sendmail import SendmailTransport
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport, Transport
from pbem.channels.oauth import Client, Tokens
from pbem.settings import sections

SQLITE = "sqlite:///"
"""How the URL of a database begins that is a file; its path follows."""


class SettingsError(Exception):
    """A setting that can't be used; the text names it and says what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a league, with the folder that relative paths start from."""

    league: sections.LeagueSettings
    imap: sections.ImapSettings | None = None
    smtp: sections.SmtpSettings | None = None
    oauth: sections.OauthSettings | None = None
    authentication: AuthenticationSettings = field(default_factory=AuthenticationSettings)
    maildir: sections.MaildirSettings = field(default_factory=sections.MaildirSettings)
    store: sections.StoreSettings = field(default_factory=sections.StoreSettings)
    backup: sections.BackupSettings = field(default_factory=sections.BackupSettings)
    reports: sections.ReportSettings = field(default_factory=sections.ReportSettings)
    privacy: sections.PrivacySettings = field(default_factory=sections.PrivacySettings)
    limits: sections.LimitSettings = field(default_factory=sections.LimitSettings)
    watch: sections.WatchSettings = field(default_factory=sections.WatchSettings)
    metrics: sections.MetricsSettings = field(default_factory=sections.MetricsSettings)
    newsletter: sections.NewsletterSettings = field(default_factory=sections.NewsletterSettings)
    channels: Mapping[str, ChannelSettings] = field(default_factory=dict)
    catalogues: Mapping[str, str] = field(default_factory=dict)
    stocks: Mapping[str, Any] = field(default_factory=dict)
    home: Path = field(default_factory=Path.cwd)
    fingerprint: str = field(default="", compare=False)
    """Of what league.toml said, so that a daemon can be asked whether it has read that."""

    @property
    def sender(self) -> tuple[str, str]:
        """Return the name and the address that letters and posts come from."""
        return self.league.name, self.league.address

    def stock(self, system: str) -> Any:
        """Return a system's stock: the league's own, or else the usual one (`Blueprints.stock`)."""
        blueprints = RULESETS[system].blueprints
        if blueprints is None or system in self.stocks:
            return self.stocks.get(system)
        return blueprints.stock(None)

    def path(self, name: str) -> Path:
        """Return a file or folder named in the settings."""
        return self.home / name

    def state(self, name: str) -> Path:
        """Return a file of the league's own: next to its database, if that is a file by full path.

        Else it is in systemd's state folder, or next to league.toml.
        """
        database = Path(self.store.url.removeprefix(SQLITE))
        # First: a command in a shell, which knows no state folder, must find the daemon's lock.
        if database.is_absolute():
            return database.parent / name
        # Under systemd (ProtectSystem=strict) the daemon can write to this folder alone.
        folder = os.environ.get("STATE_DIRECTORY")
        return Path(folder) / name if folder else self.path(name)

    def secret(self, name: str) -> str:
        """Return a password, from systemd's credentials or a file next to league.toml."""
        file = self._secret_file(name)
        try:
            # Editors end a file with a line end, which belongs to no password. Blanks may.
            found = file.read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not text"
            raise SettingsError(f"{file} can't be read ({why})") from None
        if not found:
            raise SettingsError(f"{file} is empty; write the password or key into it, on one line")
        return found

    def _secret_file(self, name: str) -> Path:
        folder = os.environ.get("CREDENTIALS_DIRECTORY")
        # systemd comes first: next to league.toml is perhaps the empty file that `pbem init` made.
        if folder and (Path(folder) / name).is_file():
            return Path(folder) / name
        return self.path(name)

    def exposed(self) -> list[Path]:
        """Return the files of passwords and keys that everybody on this machine may read."""
        parts = (self.imap, self.smtp, self.oauth, self.store, *self.channels.values())
        names = {
            getattr(part, key.name)
            for part in parts
            if is_dataclass(part)
            for key in fields(part)
            # Certificates are for all to see.
            if key.name.endswith("_file") and key.name != "ca_file"
        }
        files = sorted(self._secret_file(name) for name in names if name)
        return [file for file in files if _is_open_to_all(file)]

    def store_url(self) -> str:
        """Return the database's URL with its password, and a relative SQLite path made absolute."""
        url = self.store.url
        if self.store.password_file:
            password = quote(self.secret(self.store.password_file), safe="")
            # The check of the settings has made sure that the URL names a user and no password.
            return url.replace("@", f":{password}@", 1)
        if url.startswith(SQLITE) and not url.startswith(f"{SQLITE}/"):
            # The daemon runs in another folder than the commands of a moderator.
            return f"{SQLITE}{self.state(url.removeprefix(SQLITE)).resolve()}"
        return url

    def tokens(self) -> Tokens:
        """Return what fetches access tokens. Raise SettingsError if [oauth] is missing."""
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
        """Return the mailbox that the settings name, not yet connected."""
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

    def transport(self) -> Transport:
        """Return the transport that the settings name, not yet connected."""
        if self.maildir.out:
            return MaildirTransport(self.path(self.maildir.out))
        if self.maildir.sendmail:
            return SendmailTransport(self.maildir.sendmail.split())
        smtp = self.smtp
        if smtp is None:
            raise SettingsError("[smtp] is missing: say where letters go")
        with_password = bool(smtp.user) and smtp.auth == "password"
        return SmtpTransport(
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


def _is_open_to_all(file: Path) -> bool:
    with suppress(OSError):  # whoever needs it reports that it can't be read
        return bool(file.stat().st_mode & 0o004)
    return False
