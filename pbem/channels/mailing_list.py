"""Posts as mail: to a list, or to a forum that takes mail in."""

import re
from dataclasses import dataclass

from pbem.channels.channel import (
    Channel,
    ChannelDown,
    ChannelSettings,
    Home,
    Post,
    PostDeferred,
    PostRefused,
)
from pbem.channels.mail.mime_writer import Envelope, article
from pbem.channels.mail.transport import (
    Deferred,
    Probing,
    Rejected,
    Transport,
    TransportDown,
    TransportFault,
)
from pbem.channels.markup import Format, PostFormat

_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings(ChannelSettings):
    """The address that posts are sent to, and their form."""

    # What has been sent can't be changed.
    editable = False

    to: str
    format: Format = "text"

    @property
    def post_format(self) -> PostFormat:
        """Return the form of the posts."""
        return PostFormat(self.format)

    def wrong(self) -> str | None:
        """Return what is wrong with the address, or None."""
        return None if _ADDRESS.fullmatch(self.to) else f"to is {self.to!r}; it must be one address"

    def open(self, home: Home) -> Channel:
        """Return the channel, with a transport of its own."""
        return MailChannel(self.to, home.sender, home.transport())


class MailChannel:
    """Sends each post as a letter whose Message-ID stays the same."""

    def __init__(self, to: str, sender: tuple[str, str], transport: Transport) -> None:
        self._to, self._transport = to, transport
        self._league, self._address = sender

    def publish(self, post: Post) -> str:
        """Send a post. Raises ChannelFault."""
        try:
            self._transport.send(self._address, self._to, self._letter(post))
        except Rejected as error:
            raise PostRefused(str(error)) from error
        except Deferred as error:
            if error.code is not None and error.code >= 500:
                raise PostDeferred(str(error)) from error
            # Without a code the link broke, and the server may have the letter.
            raise ChannelDown(str(error), unsure=error.code is None) from error
        except TransportDown as error:
            raise ChannelDown(str(error), refused=error.refused) from error
        return post.message_id

    def check(self) -> str:
        """Ask the mail server whether it takes letters to the address. Raises ChannelFault."""
        if isinstance(self._transport, Probing):
            try:
                self._transport.probe(self._address, self._to)
            except TransportFault as error:
                raise ChannelDown(str(error)) from error
        return f"posts go to {self._to} as letters"

    def close(self) -> None:
        """Close the transport's connection."""
        self._transport.close()

    def _letter(self, post: Post) -> bytes:
        envelope = Envelope(
            league=self._league,
            address=self._address,
            to=self._to,
            date=post.date,
            message_id=post.message_id,
            answers=post.root,
            thread=[post.root],
            automatic="auto-generated",
        )
        return article(envelope, ("Re: " if post.root else "") + post.title, post.body)
