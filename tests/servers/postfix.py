"""A real Postfix in a folder of its own: takes mail for one domain, hands it to Dovecot by LMTP."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.daemon import Daemon, free_address, program, written
from tests.servers.dovecot import Dovecot

DOMAIN = "league.example"

_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}

myhostname = mx.{domain}
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
local_recipient_maps =
recipient_delimiter = +
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = texthash:{folder}/mailboxes
virtual_transport = lmtp:inet:{lmtp}
default_transport = error:there is no world outside of {domain}
local_header_rewrite_clients =
smtpd_relay_restrictions = reject_unauth_destination

smtp_dns_support_level = disabled
smtp_host_lookup = native
smtpd_peername_lookup = no
smtpd_error_sleep_time = 0
in_flow_delay = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s

smtpd_tls_chain_files = {pem}
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = {auth}
smtpd_sasl_security_options = noanonymous
"""
_MASTER = """\
{mx} inet n - n - - smtpd
{submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
{busy} inet n - n - - smtpd
  -o smtpd_recipient_restrictions=defer
  -o defer_code=451
{smtps} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


_QUEUES = ("maildrop", "incoming", "active", "deferred", "active")
"""Where letters wait; `active` twice, since one that was deferred goes back there."""


class Postfix(Daemon):
    """A Postfix with a port for strangers (mx), two for those who log in (submission, smtps), and
    one where everybody is deferred with 451 (busy)."""

    def __init__(self, folder: Path, dovecot: Dovecot) -> None:
        self.folder = folder
        self.dovecot = dovecot
        self.mx, self.submission, self.smtps = free_address(), free_address(), free_address()
        self.busy = free_address()
        self._write_files()
        command = [program("postfix") or "postfix", "-c", str(folder), "start-fg"]
        greetings = dict.fromkeys((self.mx, self.submission, self.busy), b"220")
        pid_file = folder / "queue/pid/master.pid"
        super().__init__(command, greetings, folder / "postfix.log", pid_file)

    def stop(self) -> None:
        """Stop; queued letters stay, and the next start skips the slow checks."""
        super().stop()
        (self.folder / "queue/quick-start").touch()

    def settle(self, seconds: float = 60) -> None:
        """Wait until all that came is delivered."""
        last_moment = time.monotonic() + seconds
        while any(path.is_file() for name in _QUEUES for path in self._queue(name)):
            if time.monotonic() > last_moment:
                raise TimeoutError(f"Postfix keeps letters:\n{self._log.read_text()}")
            time.sleep(0.005)

    def _queue(self, name: str) -> Iterator[Path]:
        return (self.folder / "queue" / name).rglob("*")

    def _write_files(self) -> None:
        for name in ("queue", "data"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "data", "postfix")
        mailboxes = "".join(f"{user} here\n" for user in self.dovecot.users)
        (self.folder / "mailboxes").write_text(mailboxes)
        (self.folder / "main.cf").write_text(self._main())
        (self.folder / "master.cf").write_text(self._master())

    def _main(self) -> str:
        return _MAIN.format(
            folder=self.folder,
            domain=DOMAIN,
            lmtp=written(self.dovecot.lmtp),
            pem=self.dovecot.certificates.key_and_certificate,
            auth=self.dovecot.auth_socket,
        )

    def _master(self) -> str:
        return _MASTER.format(
            mx=written(self.mx),
            busy=written(self.busy),
            submission=written(self.submission),
            smtps=written(self.smtps),
        )
