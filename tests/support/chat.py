"""A league with a chat room, on an IRC network."""

from dataclasses import replace

from pbem.channels.irc import IrcSettings
from pbem.service.service import Service
from tests.servers.irc import PASSWORD, IrcNetwork
from tests.support.harness import League

CHAT = "chat"
"""The channel's name in the settings."""
REFEREE = "referee"
"""The referee's account."""


def room_settings(network: IrcNetwork, room: str = "", **more: object) -> IrcSettings:
    """Return the settings of a room of the network, a new one if none is named."""
    host, port = network.tls
    usual = {"host": host, "port": port, "room": room or network.new_room(), "user": REFEREE}
    usual |= {"password_file": "irc-password", "ca_file": str(network.certificates.ca_file)}
    return IrcSettings(**usual | more)  # type: ignore[arg-type]


def talk_there(league: League, settings: IrcSettings) -> None:
    """Let a league have that room, with the password of its account."""
    (league.settings.home / "irc-password").write_text(PASSWORD)
    league.settings = replace(league.settings, channels={CHAT: settings})
    league.service = Service(league.settings, league.store)
