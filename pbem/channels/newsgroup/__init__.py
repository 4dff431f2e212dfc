"""A newsgroup (RFC 3977): posts as articles, each at most once, and what others post there."""

import re
from dataclasses import dataclass, replace

from pbem.channels.channel import LOOPBACK, Channel, ChannelSettings, Home, Message
from pbem.channels.mail.connections import Tls, wrong_host
from pbem.channels.markup import PostFormat
from pbem.channels.newsgroup import article
from pbem.channels.newsgroup.board import Newsgroup
from pbem.channels.newsgroup.connection import Connection

_GROUP = re.compile(r"[a-z0-9][a-z0-9+_-]*(?:\.[a-z0-9+_-]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NntpSettings(ChannelSettings):
    """The news server and its group, and whether people play there."""

    editable = False

    host: str
    group: str
    port: int = 563
    tls: Tls = "tls"
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    play: bool = False

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts: plain text."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return what is wrong with server or group, or None."""
        if not _GROUP.fullmatch(self.group):
            return f"group is {self.group!r}; it must be a newsgroup, such as rec.games.pbm"
        if wrong := wrong_host(self.host):
            return f"host {wrong}"
        if not 1 <= self.port <= 65535:
            return f"port must be from 1 to 65535, not {self.port}"
        if self.user and not self.password_file:
            return "password_file is missing, which user needs"
        # By the name of its account the referee knows its own articles.
        if self.play and not self.user:
            return "user is missing, which play needs"
        # Without TLS the password could be read on the way.
        if self.tls == "none" and self.host not in LOOPBACK:
            return f'tls = "none" is for this machine only; use "tls" for {self.host}'
        return None

    def open(self, home: Home) -> Channel:
        """Return the channel, not yet connected."""
        login = (self.user, home.secret(self.password_file)) if self.user else None
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        link = Connection((self.host, self.port), self.tls, login, ca_file)
        return Newsgroup(link, self.group, home.sender, read=self.play)

    def message(self, raw: bytes) -> Message:
        """Return what an article says, as `Newsgroup.news` has yielded it. Raises ValueError."""
        found = article.message(raw, self.group, [self.user] if self.user else [])
        # A server may add a domain to the names of accounts (default-domain in readers.conf).
        own = found.account in (self.user, f"{self.user}@{found.account.partition('@')[2]}")
        return replace(found, own=bool(self.user) and own)
