"""What every test may ask for: mail servers, embedded and real."""

import logging
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from pbem import rendering
from tests.servers.certificates import make_certificates
from tests.servers.daemon import open_folder
from tests.servers.dovecot import Dovecot
from tests.servers.embedded import embedded_host
from tests.servers.host import USERS, MailHost
from tests.servers.inn import BIN, Inn
from tests.servers.installed import installed_host
from tests.servers.irc import IrcNetwork
from tests.servers.postfix import Postfix
from tests.servers.postgres import Postgres
from tests.servers.postgres import home as postgres_home
from tests.servers.required import require, unmet
from tests.support.harness import League, Person, duel, open_league

settings.register_profile("suite", deadline=None)  # no test fails because a machine is busy
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def log_of_one_test() -> Iterator[None]:
    """Take away the log that a command sets up in this process, with the test's standard error."""
    yield
    root = logging.getLogger()
    for handler in [one for one in root.handlers if type(one) is logging.StreamHandler]:
        root.removeHandler(handler)


@pytest.fixture(autouse=True, scope="session")
def no_power_cut() -> Iterator[None]:
    """No letter waits until the disk has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def sheets_printed_once() -> Iterator[None]:
    """Lay out the same page to print once: half the time of a newcomer's letters goes there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "pdf", lru_cache(1000)(rendering.pdf))
        yield


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A running Dovecot, one for the whole run; its mailboxes keep what tests leave."""
    require("dovecot")
    with (
        open_folder() as folder,
        Dovecot(folder, make_certificates(folder), USERS).running() as server,
    ):
        yield server


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A running Postfix in front of that Dovecot; only root can run one."""
    require("postfix")
    if os.geteuid() != 0:
        unmet("Postfix starts as root only")
    with open_folder() as folder, Postfix(folder, dovecot).running() as server:
        yield server


@pytest.fixture(scope="session")
def irc() -> Iterator[IrcNetwork]:
    """A running IRC network, one for the whole run; each test takes a room of its own."""
    require("inspircd", "atheme-services")
    with (
        open_folder() as folder,
        IrcNetwork(folder, make_certificates(folder)).running() as network,
    ):
        yield network


@pytest.fixture
def inn() -> Iterator[Inn]:
    """A running INN with an empty newsgroup."""
    if not (BIN / "innd").exists():
        unmet("not installed: inn2")
    with open_folder() as folder, Inn(folder, make_certificates(folder)).running() as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL, one for the whole run; each test makes databases of its own."""
    programs = postgres_home()
    if programs is None:
        unmet("not installed: postgresql")
    with open_folder() as folder, Postgres(folder, programs).running() as server:
        yield server


@pytest.fixture
def league(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[League]:
    """A league at work; the mark `league` holds its settings where they are not the usual ones."""
    marked = request.node.get_closest_marker("league")
    with open_league(tmp_path, **(marked.kwargs if marked else {})) as opened:
        yield opened


@pytest.fixture
def ann(league: League) -> Person:
    """Ann, a player who has no pilot yet."""
    ann = league.person("Ann")
    ann.join()
    return ann


@pytest.fixture
def people(league: League) -> tuple[Person, Person]:
    """Ann and Bob, whose Hawk and Kestrel fight a duel."""
    return duel(league)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'league.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new()


@pytest.fixture(scope="session")
def smtp_tools() -> None:
    """Postfix's smtp-sink and smtp-source are there."""
    require("smtp-sink", "smtp-source")


@pytest.fixture
def embedded() -> Iterator[MailHost]:
    """The embedded servers, new for each test."""
    with embedded_host(USERS) as host:
        yield host


@pytest.fixture
def installed(dovecot: Dovecot, postfix: Postfix) -> MailHost:
    """Dovecot and Postfix with empty mailboxes, over STARTTLS."""
    host = installed_host(dovecot, postfix)
    host.clear()
    return host


@pytest.fixture(
    params=["embedded", pytest.param("installed", marks=pytest.mark.services)],
)
def mail_servers(request: pytest.FixtureRequest) -> MailHost:
    """Each kind of mail host in turn, with empty mailboxes."""
    host: MailHost = request.getfixturevalue(request.param)
    return host
