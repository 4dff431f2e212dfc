"""The demo's embedded servers, seen as a mail host."""

import smtplib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pbem.demo.servers import embedded_servers
from tests.servers.host import MailHost


@contextmanager
def embedded_host(users: Mapping[str, str]) -> Iterator[MailHost]:
    """Run empty mailboxes for these users until the block ends."""
    with embedded_servers(users) as servers:

        def back_door(raw: bytes, to: str, sender: str) -> None:
            with smtplib.SMTP(*servers.smtp, timeout=20) as client:
                client.sendmail(sender, [to], raw)

        yield MailHost(
            name="embedded",
            imap=servers.imap,
            smtp=servers.smtp,
            tls="none",
            ca_file=None,
            users=users,
            back_door=back_door,
        )
