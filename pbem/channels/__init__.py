"""Boards that posts go to: one file for each kind, all with the same small protocol."""

from pbem.channels.channel import ChannelSettings
from pbem.channels.discord import DiscordSettings
from pbem.channels.discourse import DiscourseSettings
from pbem.channels.folder import FolderSettings
from pbem.channels.irc import IrcSettings
from pbem.channels.mailing_list import MailSettings
from pbem.channels.newsgroup import NntpSettings
from pbem.channels.nodebb import NodebbSettings
from pbem.channels.webhook import WebhookSettings

KINDS: dict[str, type[ChannelSettings]] = {
    "folder": FolderSettings,
    "mail": MailSettings,
    "nntp": NntpSettings,
    "discourse": DiscourseSettings,
    "nodebb": NodebbSettings,
    "discord": DiscordSettings,
    "webhook": WebhookSettings,
    "irc": IrcSettings,
}
"""What `kind` may be in a channel's settings, and which settings each kind has."""
