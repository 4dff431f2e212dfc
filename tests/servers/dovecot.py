"""A real Dovecot in a folder of its own: IMAP plain, with STARTTLS and with TLS; LMTP; logins."""

import base64
import grp
import os
import pwd
import shutil
import smtplib
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.servers.certificates import Certificates
from tests.servers.daemon import Daemon, free_address, program

_CONFIG = """\
protocols = imap lmtp
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
listen = 127.0.0.1
instance_name = pbem-test
stats_writer_socket_path =

ssl = yes
ssl_cert = <{pem}
ssl_key = <{pem}
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login xoauth2 oauthbearer
recipient_delimiter = +
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 200
first_valid_uid = 1

passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
}}
service imap-login {{
  service_count = 0
  client_limit = 200
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
  {unconfined}
}}
service imap {{
  service_count = 200
  process_limit = 200
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  unix_listener {folder}/auth {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
  {unconfined}
}}
{identity}
"""
_OAUTH = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
"""
TOKEN_KEY = b"the key that access tokens are signed with"
_AS_ONESELF = """\
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
"""


class Dovecot(Daemon):
    """A Dovecot that can be stopped and started again over the same mail, at the same ports."""

    def __init__(self, folder: Path, certificates: Certificates, users: Mapping[str, str]) -> None:
        self.folder = folder
        self.certificates = certificates
        self.users = users
        self.imap, self.imaps, self.lmtp = free_address(), free_address(), free_address()
        self.config = folder / "dovecot.conf"  # for `doveadm -c`
        self.auth_socket = folder / "auth"  # where Postfix asks about passwords
        self._write_files()
        command = [program("dovecot") or "dovecot", "-F", "-c", str(self.config)]
        greetings = {self.imap: b"* OK", self.lmtp: b"220"}
        super().__init__(command, greetings, folder / "dovecot.log")

    def deliver(self, raw: bytes, to: str, sender: str = "") -> None:
        """Deliver a letter by LMTP, as Postfix would."""
        with smtplib.LMTP(*self.lmtp) as client:
            client.sendmail(sender, [to], raw)

    def reset_uidvalidity(self, user: str, folder: str = "INBOX") -> None:
        """Forget all UIDs of a folder, as a restored backup or a moved server does."""
        maildir = self._maildir(user, folder)
        kept, numbers = maildir / "dovecot-uidlist", maildir.glob("dovecot.index*")
        old = int(kept.read_text().split(" V", 1)[1].split(" ", 1)[0])
        for index in numbers:
            index.unlink()
        kept.write_text(f"3 V{old + 1} N1\n")

    def copy_mail(self, user: str, to: Path) -> None:
        """Copy all mail of a user, with its numbers."""
        subprocess.run(["cp", "-a", self._home(user), to], check=True)

    def put_back(self, user: str, copy: Path) -> None:
        """Put a copy of a user's mail back, as after a disk failed."""
        shutil.rmtree(self._home(user))
        subprocess.run(["cp", "-a", copy, self._home(user)], check=True)

    def _write_files(self) -> None:
        self.config.write_text(self._configuration())
        (self.folder / "oauth2.conf").write_text(_OAUTH.format(folder=self.folder))
        keys = self.folder / "keys" / "default" / "HS256"
        keys.mkdir(parents=True)
        (keys / "default").write_bytes(base64.b64encode(TOKEN_KEY))
        (self.folder / "users").write_text("".join(map(self._passwd_line, self.users)))
        for user in self.users:
            _give_away(self._home(user))

    def _home(self, user: str) -> Path:
        return self.folder / "mail" / user

    def _maildir(self, user: str, folder: str) -> Path:
        base = self._home(user) / "Maildir"
        return base if folder == "INBOX" else base / f".{folder}"

    def _passwd_line(self, user: str) -> str:
        uid, gid = _mail_owner()
        return f"{user}:{{PLAIN}}{self.users[user]}:{uid}:{gid}::{self._home(user)}::\n"

    def _configuration(self) -> str:
        as_root = os.geteuid() == 0
        me = pwd.getpwuid(os.geteuid())
        return _CONFIG.format(
            folder=self.folder,
            pem=self.certificates.key_and_certificate,
            imap=self.imap[1],
            imaps=self.imaps[1],
            lmtp=self.lmtp[1],
            unconfined="" if as_root else "chroot =",
            identity=""
            if as_root
            else _AS_ONESELF.format(user=me.pw_name, group=grp.getgrgid(me.pw_gid).gr_name),
        )


def _give_away(home: Path) -> None:
    home.mkdir(parents=True)
    if os.geteuid() == 0:
        shutil.chown(home, *_mail_owner())


def _mail_owner() -> tuple[int, int]:
    """Return whom the mail belongs to: nobody if Dovecot runs as root, otherwise its own user."""
    owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    return owner.pw_uid, owner.pw_gid
