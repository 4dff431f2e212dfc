"""A real IRC network in a folder of its own: InspIRCd, with TLS, and Atheme's services."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from string import Template
from typing import Self

from tests.servers.certificates import Certificates
from tests.servers.daemon import Address, Daemon, free_address, program
from tests.support.chatter import Chatter

PASSWORD = "over_and_out"
ACCOUNTS = ("referee", "ada", "bob", "mallory", "cid", "dee", "eve", "fay", "gus", "hal")
"""Who has an account at the services, with that password."""
_MODULES = (
    "cap ircv3 ircv3_accounttag ircv3_servertime ircv3_msgid ircv3_ctctags services_account sasl"
    " spanningtree ssl_gnutls"
).split()
_USUAL = {"threshold": "10", "recvq": "8192"}
_INSPIRCD = """
<server name="$name" description="$name" network="League" id="$number">
<admin name="a" nick="a" email="a@league.example">
<bind address="127.0.0.1" port="$plain" type="clients">
<bind address="127.0.0.1" port="$tls" type="clients" sslprofile="Clients">
<bind address="127.0.0.1" port="$servers" type="servers">
<sslprofile name="Clients" provider="gnutls" certfile="$pem" keyfile="$pem" priority="NORMAL">
<connect name="main" allow="*" timeout="10" pingfreq="120" recvq="$recvq" softsendq="8192"
  hardsendq="1048576" threshold="$threshold" commandrate="1000" fakelag="on" localmax="100"
  globalmax="100" useident="no" resolvehostnames="no" port="$tls">
<connect name="players" allow="*" timeout="10" pingfreq="120" recvq="1048576" softsendq="8192"
  hardsendq="1048576" threshold="1000000" fakelag="off" localmax="100" globalmax="100" useident="no"
  resolvehostnames="no" port="$plain">
<performance quietbursts="yes" clonesonconnect="no">
<options prefixquit="" defaultmodes="not" syntaxhints="no">
<security hideulines="no" flatlinks="no" hidewhois="">
<dns server="127.0.0.1" timeout="1">
<pid file="$folder/pid">
<log method="file" level="default" type="* -USERINPUT -USEROUTPUT" target="$folder/log">
<sasl target="services.league.example" requiressl="no">
<uline server="services.league.example" silent="yes">
<link name="services.league.example" ipaddr="127.0.0.1" port="1" allowmask="127.0.0.0/8"
  sendpass="link" recvpass="link">
<link name="$peer" ipaddr="127.0.0.1" port="$peer_port" allowmask="127.0.0.0/8" sendpass="link"
  recvpass="link">
$autoconnect
"""
_ATHEME = """
loadmodule "modules/protocol/inspircd";
loadmodule "modules/backend/opensex";
loadmodule "modules/nickserv/main";
loadmodule "modules/nickserv/identify";
loadmodule "modules/nickserv/logout";
loadmodule "modules/saslserv/main";
loadmodule "modules/saslserv/plain";
serverinfo {
  name = "services.league.example"; desc = "services"; numeric = "00A"; recontime = 1;
  netname = "League"; hidehostsuffix = "users"; adminname = "a"; adminemail = "a@league.example";
  registeremail = "r@league.example"; mta = "/bin/true"; loglevel = { error; info; };
  maxlogins = 99; maxusers = 99; maxnicks = 9; maxchans = 9; emaillimit = 10; emailtime = 300;
  auth = none; casemapping = rfc1459;
};
uplink "irc.league.example" {
  host = "127.0.0.1"; port = $servers; send_password = "link"; receive_password = "link";
};
nickserv { nick = "NickServ"; user = "NickServ"; host = "services.league.example"; real = "x"; };
saslserv { nick = "SaslServ"; user = "SaslServ"; host = "services.league.example"; real = "x"; };
general { commit_interval = 5; default_clone_allowed = 99; default_clone_warn = 99; };
"""


_DATABASE = "GRVER 1\nDBV 12\nLUID AAAAAAAAZ\nCF +AFHORVabefhioqrstv\n"


def _account(name: str) -> str:
    """Return the lines of the services' database about an account, with its nick."""
    about = f"{PASSWORD} {name}@league.example 1700000000 1700000000 +sb default"
    return f"MU AAAAAAAA{name[0].upper()} {name} {about}\nMN {name} {name} 1700000000 1700000000\n"


class IrcNetwork:
    """A hub with services, and a second server that is linked to it while it runs (see `leaf`).

    Who comes by the port for TLS is kept to InspIRCd's usual rate; who comes by the other may say
    as much as they like. A `strict` network has half of that rate, ends a connection much sooner,
    and does not tell which lines it has taken.
    """

    def __init__(self, folder: Path, certificates: Certificates, *, strict: bool = False) -> None:
        self.folder, self.certificates = folder, certificates
        self._rate = {"threshold": "5", "recvq": "2048"} if strict else _USUAL
        self._rooms = count(1)
        self.plain, self.tls = free_address(), free_address()
        self.leaf_plain, self._leaf_tls = free_address(), free_address()
        self._hub_port, self._leaf_port = free_address()[1], free_address()[1]
        self._modules = [*_MODULES, *([] if strict else ["ircv3_echomessage"])]
        self.hub = self._server("irc", self.plain, self.tls, self._hub_port)
        self._leaf = self._server("leaf", self.leaf_plain, self._leaf_tls, self._leaf_port)
        (folder / "atheme").mkdir()
        (folder / "atheme/services.db").write_text(_DATABASE + "".join(map(_account, ACCOUNTS)))
        conf = folder / "atheme.conf"
        conf.write_text(Template(_ATHEME).substitute(servers=self._hub_port))
        command = [program("atheme-services") or "", "-n", "-c", str(conf)]
        command += ["-D", str(folder / "atheme"), "-l", str(folder / "atheme.log")]
        command += ["-p", str(folder / "atheme.pid")]
        self.services = Daemon(command, {}, folder / "atheme.out")

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Run it until the block ends."""
        with self.hub.running(), self.services.running():
            with self.chatter("witness") as witness:
                witness.until(lambda: "services." in witness.asked("LINKS", " services.", " 365 "))
            yield self

    @contextmanager
    def leaf(self, witness: Chatter) -> Iterator[Daemon]:
        """Run a second server, which is linked to the first; stop it for a netsplit."""
        with self._leaf.running() as server:
            witness.until(lambda: "leaf." in witness.asked("LINKS", " leaf.", " 365 "))
            yield server

    def new_room(self) -> str:
        """Return a room in which nobody is."""
        return f"#room{next(self._rooms)}"

    def chatter(self, nick: str, account: str = "", *, on_leaf: bool = False) -> Chatter:
        """Return somebody who is connected, and logged in to an account, if it has one."""
        at = self.leaf_plain if on_leaf else self.plain
        return Chatter(at, nick, account, PASSWORD)

    def _server(self, name: str, plain: Address, tls: Address, servers: int) -> Daemon:
        folder = self.folder / name
        folder.mkdir()
        others = {"irc": ("leaf", self._leaf_port), "leaf": ("irc", self._hub_port)}
        peer, port = others[name]
        link = f'<autoconnect period="1" server="{peer}.league.example">' if name == "leaf" else ""
        facts = {"name": f"{name}.league.example", "number": {"irc": "1AA", "leaf": "2BB"}[name]}
        facts |= {"peer": f"{peer}.league.example", "peer_port": str(port), "autoconnect": link}
        facts |= {"plain": str(plain[1]), "tls": str(tls[1]), "servers": str(servers)}
        facts |= {"pem": str(self.certificates.key_and_certificate), "folder": str(folder)}
        facts |= self._rate
        modules = "".join(f'<module name="{module}">\n' for module in self._modules)
        conf = folder / "inspircd.conf"
        conf.write_text(Template(_INSPIRCD).substitute(facts) + modules)
        # As root it refuses to run otherwise.
        rights = ["--runasroot"] if os.geteuid() == 0 else []
        # In its own folder: it leaves a core there when it is ended.
        command = ["env", "-C", str(folder), program("inspircd") or ""]
        command += [*rights, "--nofork", f"--config={conf}"]
        return Daemon(command, {}, folder / "out")
