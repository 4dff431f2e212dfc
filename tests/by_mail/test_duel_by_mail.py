"""A whole duel by mail: real servers, the real program, and two people with mail programs."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.servers.host import MailHost
from tests.support.players import (
    HAWK,
    KESTREL,
    REFEREE,
    STANDING,
    MailProgram,
    is_last_report,
    join_the_league,
    mail_program,
    plain,
    turn_of,
    words,
)
from tests.support.program import Running, pbem, running, sections, write_league


def fight(ann: MailProgram, bob: MailProgram) -> None:
    """Send standing orders, and let the battle run on until it is over."""
    ann.ask(f"{STANDING}\nHawk came out of the sun.")
    assert ann.last["In-Reply-To"] == ann.sent[-1]["Message-ID"]
    bob.reply(f"SCAN\n{STANDING}")
    while not report_for_both(ann, bob):
        asked = [each for each in (ann, bob) if "Your move in" in each.last["Subject"]]
        for person in asked[:-1]:
            person.ask("READY")
        asked[-1].reply("READY")


def report_for_both(ann: MailProgram, bob: MailProgram) -> bool:
    """Wait until both have the report of a turn; return whether it is the last."""
    for person in (ann, bob):
        person.next()
    assert turn_of(ann.last) == turn_of(bob.last)
    return is_last_report(ann.last)


def play(ann: MailProgram, bob: MailProgram) -> None:
    """Play from the first letter to the last."""
    for person, pilot in ((ann, HAWK), (bob, KESTREL)):
        join_the_league(person)
        assert pilot.split()[1] in words(person.ask(pilot))
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    assert "duel with Kestrel" in bob.next()["Subject"]
    bob.reply("ACCEPT 1")
    assert not report_for_both(ann, bob)
    fight(ann, bob)


@pytest.fixture
def config(tmp_path: Path, mail_servers: MailHost) -> Path:
    return write_league(tmp_path, sections(mail_servers))


def test_a_whole_duel(mail_servers: MailHost, config: Path, tmp_path: Path) -> None:
    with (
        running(config) as daemon,
        mail_program(mail_servers, "Ann") as ann,
        mail_program(mail_servers, "Bob") as bob,
    ):
        play(ann, bob)
        stops_at_once(daemon)
        told_the_service_manager(daemon)
        for person in (ann, bob):
            assert person.unread() == 0
            each_letter_was_answered_once(person)
    everything_was_put_away(mail_servers, ann, bob)
    the_dice_verify(config, tmp_path, ann)


def stops_at_once(daemon: Running) -> None:
    took = daemon.stop()
    assert daemon.process.returncode == 0, daemon.log.read_text()
    assert took < 2
    assert "Traceback" not in daemon.log.read_text()


def told_the_service_manager(daemon: Running) -> None:
    assert daemon.manager.wait_for("STOPPING=1")
    assert daemon.manager.states[0] == "READY=1"
    assert "WATCHDOG=1" in daemon.manager.states


def each_letter_was_answered_once(person: MailProgram) -> None:
    """No letter has two answers; what has none of its own began or moved a battle."""
    answers = Counter(each["In-Reply-To"] for each in person.letters if each["In-Reply-To"])
    assert set(answers.values()) <= {1}
    left = [each for each in person.sent if each["Message-ID"] not in answers]
    assert {plain(each).splitlines()[0] for each in left} <= {"ACCEPT 1", "READY"}
    assert max(Counter(each["Message-ID"] for each in person.letters).values()) == 1


def everything_was_put_away(host: MailHost, *people: MailProgram) -> None:
    assert host.inbox(REFEREE) == []
    assert len(host.inbox(REFEREE, "Processed")) == sum(len(each.sent) for each in people)


def the_dice_verify(config: Path, folder: Path, person: MailProgram) -> None:
    export = pbem("--config", config, "game", 1, "--export")
    assert export.returncode == 0, export.stderr
    file = folder / "G1.json"
    file.write_bytes(export.stdout)
    [receipt] = [f for f in person.last.iter_attachments() if f.get_filename() == "receipt.txt"]
    assert json.loads(export.stdout)[0]["commitment"] in receipt.get_content()
    checked = pbem("verify", file)
    assert checked.returncode == 0, checked.stdout
    file.write_bytes(export.stdout.replace(b'"rolls":[[100,', b'"rolls":[[10,', 1))
    assert pbem("verify", file).returncode == 1
