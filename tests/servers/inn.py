"""A real INN in a folder of its own: one newsgroup, posts of any age from those who log in.

It vouches for the accounts of those who post, and lets each withdraw their own articles alone.
"""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template

from tests.servers.certificates import Certificates
from tests.servers.daemon import Daemon, free_address, program

GROUP = "league.avalon"
SHOWN = 5.0
"""How many seconds an article may take until its group shows it."""
USER, PASSWORD = "referee", "over and out"
PLAYERS = ("ada", "bob", "mallory")
"""Others who may log in where nothing else is said, with the same password."""
PEER = "127.0.0.2"
"""The address of another server, which hands articles over."""
BIN = Path("/usr/lib/news/bin")

_INN = """\
domain: league.example
pathhost: news.league.example
mta: "/bin/true"
mailcmd: /bin/true
runasuser: {user}
runasgroup: {group}
bindaddress: 127.0.0.1
port: {port}
hismethod: hisv6
enableoverview: true
ovmethod: tradindexed
wireformat: true
pathnews: {folder}
pathbin: {bin}
pathdb: {folder}/db
pathetc: {folder}/etc
pathlog: {folder}/log
pathrun: {folder}/run
pathtmp: {folder}/tmp
pathspool: {folder}/spool
pathfilter: {folder}/filter
doinnwatch: false
docancels: {cancels}
artcutoff: 0
addinjectionpostingaccount: true
icdsynccount: 1
nnrpdflags: ""
tlscertfile: {pem}
tlskeyfile: {pem}
nnrpdloadlimit: 0
rlimitnofile: 256
"""
_FOLDERS = (
    *("etc", "db", "log", "run", "tmp", "filter", "spool/articles", "spool/overview"),
    *("spool/incoming/bad", "spool/outgoing", "spool/innfeed"),
)
_FILES = {
    "etc/storage.conf": "method tradspool {\n  newsgroups: *\n  class: 0\n}\n",
    "etc/readers.conf": (
        'auth "players" {\n  hosts: "*"\n  auth: "ckpasswd -f $folder/etc/passwords"\n}\n'
        'access "players" {\n  users: "*"\n  newsgroups: "*"\n  access: RP\n'
        "  addcanlockuser: username\n}\n"
    ),
    "etc/incoming.conf": (
        'streaming: true\nmax-connections: 8\npeer other {\n  hostname: "$peer"\n}\n'
    ),
    "etc/newsfeeds": "ME:*::\n",
    "etc/expire.ctl": "/remember/:11\n*:A:1:90:never\n",
    "etc/control.ctl": "all:*:*:drop\n",
    "etc/inn-secrets.conf": 'cancels {\n  canlockuser: "only for tests"\n}\n',
    "etc/moderators": "",
    "etc/localgroups": "",
    "etc/nnrpd.track": "",
    "etc/distrib.pats": "",
    "etc/distributions": "",
    "etc/subscriptions": "",
    "etc/passwords": "$passwords",
    "db/active": "".join(  # ten digits each, since INN overwrites them in place
        f"{group} 0000000000 0000000001 {flag}\n"
        for group, flag in (
            ("control", "n"),
            ("control.cancel", "n"),
            ("junk", "n"),
            ("$group", "y"),
        )
    ),
    "db/active.times": "",
    "db/newsgroups": "$group\tThe war.\n",
    "db/history": "",
}


class Inn(Daemon):
    """An INN that can be stopped and started again over the same articles, at the same port.

    `cancels` says which articles are withdrawn (docancels in inn.conf), and `players` who may log
    in besides the referee.
    """

    def __init__(
        self,
        folder: Path,
        certificates: Certificates,
        cancels: str = "require-auth",
        players: Sequence[str] = PLAYERS,
    ) -> None:
        self.folder = folder
        self.cancels, self.players = cancels, players
        self.certificates = certificates
        self.nntp = free_address()
        self._write_files()
        command = [
            "env",
            f"INNCONF={folder}/etc/inn.conf",
            str(BIN / "innd"),
            "-f",
            "-N",
            "-4",
            "127.0.0.1",
        ]
        super().__init__(command, {self.nntp: b"20"}, folder / "innd.log")

    def start(self) -> None:
        """Start, no matter what files an earlier run left in its folder."""
        for left in (self.folder / "run").iterdir():
            left.unlink()
        super().start()

    def stop(self) -> None:
        """Stop as a news master does; after a signal alone the server would keep waiting."""
        self._as_news("ctlinnd", "-s", "-t", "10", "shutdown", "the test is over")
        super().stop()

    def articles(self) -> list[bytes]:
        """Return all articles of the group, in order, as a reader gets them."""
        return list(self.numbered_articles().values())

    def numbered_articles(self, above: int = 0) -> dict[int, bytes]:
        """Return the articles of the group above a number, by their numbers, in order."""
        with self.reader() as ask:
            count = ask(f"GROUP {GROUP}").split()
            low, high = max(int(count[2]), above + 1), int(count[3])
            found = (
                (number, ask(f"ARTICLE {number}", many=True)) for number in range(low, high + 1)
            )
            return {number: raw.encode("latin-1") for number, raw in found if raw}

    def post(self, account: str, article: bytes) -> str:
        """Post an article from an account, and return the answer once the group shows it.

        INN takes an article before its overview lists it; one for the moderator never is.
        """
        with self.reader(account) as ask:
            before = ask(f"GROUP {GROUP}").split()[3]
            answer = ask.hand_over("POST", article)
            last = time.monotonic() + SHOWN
            while answer.startswith("240") and time.monotonic() < last:
                if ask(f"GROUP {GROUP}").split()[3] != before:
                    break
                time.sleep(0.01)
            return answer

    def feed(self, ident: str, article: bytes) -> str:
        """Hand an article over as another server does, and return the answer."""
        with self.peer() as ask:
            return ask.hand_over(f"IHAVE {ident}", article)

    @contextmanager
    def peer(self) -> Iterator["Ask"]:
        """Connect as another server does."""
        with socket.create_connection(self.nntp, 10, source_address=(PEER, 0)) as link:
            ask = Ask(link)
            ask("MODE STREAM", greeted=True)
            yield ask

    @contextmanager
    def reader(self, account: str = USER) -> Iterator["Ask"]:
        """Log in."""
        with socket.create_connection(self.nntp, timeout=10) as link:
            ask = Ask(link)
            ask("MODE READER", greeted=True)
            ask(f"AUTHINFO USER {account}")
            ask(f"AUTHINFO PASS {PASSWORD}")
            yield ask

    def moderate(self) -> None:
        """Let a moderator pass what is posted to the group."""
        self._as_news("ctlinnd", "-s", "-t", "10", "changegroup", GROUP, "m")

    def expire(self) -> None:
        """Remove all articles, as their time will be over in 100 days."""
        self._as_news("expireover", "-q", "-w", "100")

    def _write_files(self) -> None:
        for name in _FOLDERS:
            (self.folder / name).mkdir(parents=True)
        owner = pwd.getpwnam("news") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        crypted = _crypted(PASSWORD)
        passwords = "".join(f"{name}:{crypted}\n" for name in (USER, *self.players))
        facts = {"folder": self.folder, "group": GROUP, "passwords": passwords, "peer": PEER}
        for name, text in _FILES.items():
            (self.folder / name).write_text(Template(text).substitute(facts))
        conf = _INN.format(
            folder=self.folder,
            bin=BIN,
            pem=self.certificates.key_and_certificate,
            port=self.nntp[1],
            cancels=self.cancels,
            user=owner.pw_name,
            group=owner.pw_name,
        )
        (self.folder / "etc/inn.conf").write_text(conf)
        for path in (self.folder, *self.folder.rglob("*")):
            shutil.chown(path, owner.pw_uid, owner.pw_gid)
        self._as_news("makedbz", "-i", "-o")

    def _as_news(self, name: str, *words: str) -> None:
        """Run one of INN's programs as the user that its files belong to."""
        identity = {"user": "news", "group": "news"} if os.geteuid() == 0 else {}
        environment = os.environ | {"INNCONF": str(self.folder / "etc/inn.conf")}
        command = [str(BIN / name), *words]
        subprocess.run(command, env=environment, cwd=self.folder / "db", check=False, **identity)


class Ask:
    """One connection that sends commands and returns the answers."""

    def __init__(self, link: socket.socket) -> None:
        self._link, self._lines = link, link.makefile("rb")

    def __call__(self, command: str, *, many: bool = False, greeted: bool = False) -> str:
        if greeted:
            self._lines.readline()
        self._link.sendall(command.encode() + b"\r\n")
        answer = self._lines.readline().decode("latin-1")
        if not many or not answer.startswith("2"):
            return "" if many else answer
        lines = iter(self._lines.readline, b".\r\n")
        return b"".join(
            line.removeprefix(b".") if line.startswith(b"..") else line for line in lines
        ).decode("latin-1")

    def hand_over(self, command: str, article: bytes) -> str:
        """Send an article after a command that asks for leave, and return the last answer."""
        answer = self(command)
        if not answer.startswith("3"):
            return answer
        lines = article.replace(b"\r\n", b"\n").split(b"\n")
        stuffed = [b"." + line if line.startswith(b".") else line for line in lines]
        self._link.sendall(b"\r\n".join([*stuffed, b".", b""]))
        return self._lines.readline().decode("latin-1")


def article(fields: Mapping[str, str], text: str = "SCAN") -> bytes:
    """Return an article for the group, with such fields besides those that it must have."""
    header = {"From": "Ada <ada@league.example>", "Newsgroups": GROUP, "Subject": "War", **fields}
    return "".join(f"{name}: {value}\n" for name, value in header.items()).encode() + (
        f"\n{text}".encode()
    )


def _crypted(password: str) -> str:
    """Return a password as a file of passwords holds it."""
    made = subprocess.run(
        [program("openssl") or "openssl", "passwd", "-6", password],
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()
