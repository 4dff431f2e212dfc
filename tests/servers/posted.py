"""A league whose letters go through Dovecot and Postfix, while its clock stays the test's."""

import smtplib
from collections import Counter
from collections.abc import Iterable

from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport
from pbem.service.rounds import Done
from tests.season.world import Letterbox
from tests.servers.host import MailHost
from tests.servers.postfix import Postfix
from tests.support.harness import League
from tests.support.players import REFEREE, address_of


class Posted(League):
    """A league whose letters, and those to it, go through the servers; its clock is the test's."""

    def through(self, host: MailHost, postfix: Postfix, players: Iterable[str]) -> None:
        """Read and send mail there from now on, for players of those names."""
        self.host, self.postfix, self.players = host, postfix, [*map(address_of, players)]
        self.had = Counter[str]()
        login = {"user": REFEREE, "password": host.users[REFEREE], "tls": host.tls}
        (imap, imap_port), (smtp, smtp_port) = host.imap, host.smtp
        ca = str(host.ca_file)
        real = ImapMailbox(ImapAccount(host=imap, port=imap_port, ca_file=ca, **login))
        self.mailbox = Letterbox(real, lambda: self.now, lambda: None)
        self.mailbox.connect()
        account = SmtpAccount(host=smtp, port=smtp_port, ca_file=ca, **login)
        self.transport = SmtpTransport(account)

    def drop(self, raw: bytes, at: object = None) -> None:
        """Send a player's letter, and wait until it has come."""
        with smtplib.SMTP(*self.postfix.mx, timeout=20) as smtp:
            smtp.sendmail("player@league.example", [REFEREE], raw)
        self.postfix.settle()

    def work(self) -> Done:
        """Do what is due, and let the players fetch their mail."""
        done = super().work()
        self.postfix.settle()
        for person in self.players:
            fresh = self.host.inbox(person)[self.had[person] :]
            self.had[person] += len(fresh)
            self.post.letters += [(person, raw) for raw in fresh]
        return done
