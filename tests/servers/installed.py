"""Dovecot and Postfix as one mail host."""

from tests.servers.dovecot import Dovecot
from tests.servers.host import MailHost
from tests.servers.postfix import Postfix


def installed_host(dovecot: Dovecot, postfix: Postfix) -> MailHost:
    """Return the host with STARTTLS for IMAP and SMTP; `tls_only` returns it with TLS."""
    return MailHost(
        name="dovecot+postfix",
        imap=dovecot.imap,
        smtp=postfix.submission,
        tls="starttls",
        ca_file=dovecot.certificates.ca_file,
        users=dovecot.users,
        back_door=dovecot.deliver,
    )


def tls_only(dovecot: Dovecot, postfix: Postfix) -> MailHost:
    """Return the host with TLS from the first byte."""
    return installed_host(dovecot, postfix).at("tls", dovecot.imaps, postfix.smtps)
