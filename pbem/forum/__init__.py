"""Boards that posts go to: one file for each kind, all with the same small protocol."""

from pbem.forum.channel import ChannelSettings
from pbem.forum.discourse import DiscourseSettings
from pbem.forum.folder import FolderSettings
from pbem.forum.mail import MailSettings
from pbem.forum.nntp import NntpSettings
from pbem.forum.nodebb import NodebbSettings
from pbem.forum.webhook import WebhookSettings

KINDS: dict[str, type[ChannelSettings]] = {
    "folder": FolderSettings,
    "mail": MailSettings,
    "nntp": NntpSettings,
    "discourse": DiscourseSettings,
    "nodebb": NodebbSettings,
    "webhook": WebhookSettings,
}
"""What `kind` may be in a channel's settings, and which settings each kind has."""
