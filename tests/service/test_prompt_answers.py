"""A letter that comes while the daemon idles, or is about to, is answered before the next poll."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.host import MailHost
from tests.support.players import MailProgram, join_the_league, mail_program
from tests.support.program import running, sections, write_league

TRIES = 25


@pytest.fixture
def people(tmp_path: Path, mail_servers: MailHost) -> Iterator[tuple[MailProgram, MailProgram]]:
    """Two members of a league whose daemon runs."""
    with (
        running(write_league(tmp_path, sections(mail_servers))),
        mail_program(mail_servers, "Ann") as ann,
        mail_program(mail_servers, "Bob") as bob,
    ):
        for person in (ann, bob):
            join_the_league(person)
        yield ann, bob


def tell(what: str, host: MailHost, seconds: list[float]) -> None:
    """Print the figures: who is not answered before the next poll has failed before."""
    middle = sorted(seconds)[len(seconds) // 2]
    print(f"\n{what}, {host.name}: median {middle:.3f} s, worst {max(seconds):.3f} s")


def test_letters_that_come_while_it_idles(
    mail_servers: MailHost, people: tuple[MailProgram, MailProgram]
) -> None:
    ann, _ = people
    seconds = []
    for _ in range(5):
        time.sleep(0.05)  # the daemon has gone to rest: what is measured is a wait that is on
        began = time.monotonic()
        ann.ask("STATUS")
        seconds.append(time.monotonic() - began)
    tell("while it idles", mail_servers, seconds)


def test_letters_that_come_as_it_goes_to_rest(
    mail_servers: MailHost, people: tuple[MailProgram, MailProgram]
) -> None:
    """One letter keeps it busy; another comes at a moment between that and the next IDLE."""
    ann, bob = people
    moments = random.Random(7)
    seconds = []
    for _ in range(TRIES):
        began: list[float] = []

        def write_at_a_moment(began: list[float] = began) -> None:
            time.sleep(moments.uniform(0, 0.12))
            began.append(time.monotonic())
            bob.reply("STATUS")

        writer = threading.Thread(target=write_at_a_moment)
        ann.reply("STATUS")
        writer.start()
        writer.join()
        bob.next()
        seconds.append(time.monotonic() - began[0])
        ann.next()
    tell("as it goes to rest", mail_servers, seconds)
