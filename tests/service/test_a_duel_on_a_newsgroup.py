"""A duel by the daemon itself: Ann plays in a group of a real INN, Bob by Dovecot and Postfix."""

import re
import signal
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.servers.host import MailHost
from tests.servers.inn import PASSWORD, USER, Inn
from tests.support.played_newsgroup import PlayedNewsgroup
from tests.support.players import (
    HAWK,
    KESTREL,
    STANDING,
    is_last_report,
    join_the_league,
    mail_program,
    words,
)
from tests.support.program import pbem, running, sections, write_league

pytestmark = pytest.mark.services
PATIENCE = 90.0
"""How many seconds a post may take; the daemon looks at the group every 30."""


def said(group: PlayedNewsgroup, root: str) -> list[str]:
    """Return what the referee has said in a thread."""
    return [one.text for one in group.posts() if (one.account, one.thread) == (USER, root)]


def answer(group: PlayedNewsgroup, root: str, before: int) -> str:
    """Wait until the referee has said more in a thread, and return what came last."""
    last_moment = time.monotonic() + PATIENCE
    while len(found := said(group, root)) <= before:
        assert time.monotonic() < last_moment, found
        time.sleep(0.2)
    return found[-1]


@pytest.mark.timeout(600)
def test_a_duel_of_a_newsgroup_and_mail_goes_to_its_end(
    tmp_path: Path, installed: MailHost, inn: Inn
) -> None:
    group = PlayedNewsgroup(inn)
    channel = asdict(group.settings) | {"kind": "nntp"}
    config = write_league(tmp_path, sections(installed) | {"channels.news": channel})
    (tmp_path / channel["password_file"]).write_text(PASSWORD)
    with mail_program(installed, "Ann") as ann, mail_program(installed, "Bob") as bob:
        with running(config) as daemon:
            for person, pilot in ((ann, HAWK), (bob, KESTREL)):
                join_the_league(person)
                person.ask(pilot)
            ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me ON news")
            bob.next()
            bob.ask("ACCEPT 1")
            ann.next()
            bob.ask(f"{STANDING}TARGT Hawk")
            [code] = re.findall(r"LINK (\w{16})", words(ann.ask("LINK news")))
            root = next(one.thread for one in group.posts() if "Hawk and Kestrel" in one.text)
            group.post("ada", f"LINK {code}")
            assert "counts as yours now" in words(ann.next(PATIENCE))
            before = len(said(group, root))
            group.post("ada", "SCAN", root)
            assert "Hawk" in answer(group, root, before)
            before = len(said(group, root))
            group.post("ada", "SCAN", root)
            daemon.stop(signal.SIGKILL)
        with running(config) as daemon:
            answer(group, root, before)
            group.post("ada", "SURRENDER", root)
            while not is_last_report(bob.next(PATIENCE)):
                pass
            daemon.stop()
        assert ann.unread() <= 1, "no turn comes by mail to who reads them in the group"
    told = said(group, root)
    turns = [found for one in told for found in re.findall(r"G1-T\d+", one)]
    assert turns
    assert len(set(turns)) == len(turns), "a turn is one post"
    assert len(set(told)) == len(told)
    assert pbem("--config", config, "fsck").returncode == 0
