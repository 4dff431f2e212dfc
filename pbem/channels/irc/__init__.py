"""A room on an IRC network: people who talk at once, and the referee among them.

Who somebody is says the account at the network's services (IRCv3 account-tag), never the nick.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pbem.channels.channel import LOOPBACK, Channel, ChannelSettings, Home, Message
from pbem.channels.irc.room import Irc
from pbem.channels.irc.session import Login
from pbem.channels.mail.connections import wrong_host
from pbem.channels.markup import PostFormat
from pbem.intake.charsets import one_line
from pbem.intake.post_text import LEFT_OUT

_ROOM = re.compile(r"[#&][!-+\--9;-~]{1,49}")
_NAME = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}")
_LOOK = re.compile(
    r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[0-9a-f]{6}(?:,[0-9a-f]{6})?)?"
    r"|[\x02\x0f\x11\x16\x1d-\x1f]",
    re.I,
)
"""What changes a line's look: colours, bold and the like."""
_STRUCK = re.compile(r"\x1e[^\x0f\x1e]*(?:[\x0f\x1e]|$)")
_ACTION = re.compile(r"\x01ACTION (.*?)\x01?")


@dataclass(frozen=True, slots=True, kw_only=True)
class IrcSettings(ChannelSettings):
    """The server, the room, and the referee's account at the network's services."""

    editable = False
    private = True
    play = True
    live = True

    host: str
    room: str
    user: str
    password_file: str
    nick: str = ""
    port: int = 6697
    tls: Literal["tls", "none"] = "tls"
    ca_file: str = ""

    @property
    def post_format(self) -> PostFormat:
        """Return the form of what is said: plain text."""
        return PostFormat()

    def wrong(self) -> str | None:
        """Return what is wrong with server, room or names, or None."""
        if wrong := wrong_host(self.host):
            return f"host {wrong}"
        if not _ROOM.fullmatch(self.room):
            return f"room is {self.room!r}; it must be a channel, such as #avalon"
        if not self.user or re.search(r"[\s\x00]", self.user):
            return f"user is {self.user!r}; it must be the name of an account, without blanks"
        if not _NAME.fullmatch(self.nick or self.user):
            return f"nick must be a name of letters and digits, not {self.nick or self.user!r}"
        if not 1 <= self.port <= 65535:
            return f"port must be from 1 to 65535, not {self.port}"
        # Without TLS the password could be read on the way.
        if self.tls == "none" and self.host not in LOOPBACK:
            return f'tls = "none" is for this machine only; use "tls" for {self.host}'
        return None

    def open(self, home: Home) -> Channel:
        """Return the channel, not yet connected."""
        login = Login(self.user, home.secret(self.password_file), self.nick or self.user)
        ca_file = str(home.path(self.ca_file)) if self.ca_file else None
        return Irc((self.host, self.port), self.tls == "tls", ca_file, login, self.room)

    def message(self, raw: bytes) -> Message:
        """Return what was heard, as `Irc.news` has yielded it. Raises ValueError.

        What somebody says to the referee by its nick, as in `referee: scan`, begins with `!`
        instead: the nick may be another one each day.
        """
        try:
            heard = json.loads(raw)
            at = datetime.fromisoformat(heard["seen"])
            if presence := heard.get("presence"):
                return Message(
                    room=heard["room"],
                    number=heard["number"],
                    at=at,
                    account=heard["account"],
                    presence=presence,
                )
            return self._said(heard, at)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"this was not heard on IRC: {error!r}") from error

    def _said(self, heard: dict[str, str], seen: datetime) -> Message:
        text, account = heard["text"], heard["account"]
        if action := _ACTION.fullmatch(text):
            # As programs show it, so that it is never taken for an order.
            text = f"* {heard['name']} {action[1]}"
        text = _LOOK.sub("", _STRUCK.sub(LEFT_OUT, text))
        return Message(
            room=heard["room"],
            number=heard["msgid"] or heard["number"],
            at=_time(heard["at"]) or seen,
            account=account,
            name=heard["name"],
            text=_addressed(one_line(text), heard["us"]),
            private=heard["to"].lower() != self.room.lower(),
            own=account == self.user,
        )


def _addressed(text: str, us: str) -> str:
    """Return a text with `!` in the place of our own nick and a colon or comma."""
    name, _, rest = text.partition(" ")
    if rest and name[-1] in ":," and name[:-1].lower() == us.lower():
        return f"!{rest.lstrip('!')}"
    return text


def _time(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written).astimezone(UTC)
    except ValueError:
        return None
