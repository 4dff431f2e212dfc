"""Boards that posts go to: a file a kind, each behind one small protocol."""

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
"""What stands as `kind` in a channel's settings, and what else may stand there."""
