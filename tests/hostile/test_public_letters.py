"""Public letters to a full league: by rounds, each reader once, whatever happens in between."""

import threading
import time
from collections import Counter
from datetime import timedelta
from email.message import EmailMessage

import pytest
from peewee import fn

from engine.names import fold
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.host.clock import wall_clock
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.outgoing import public_letters
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.retried_tasks import MOST, failing
from pbem.people import erasing, personal_data
from pbem.service.daemon import Daemon
from pbem.storage import Authorship, Block, Letter, Outgoing, Player, PublicLetter
from tests.support.harness import League, Person
from tests.support.players import address_of, parsed, plain, words
from tests.support.processor_time import quiet

CROWD = 250
BOUND = 0.5
"""Half a second of processor time."""
TEXT = "The moon over Avalon is ours"

pytestmark = pytest.mark.league(moderator=address_of("Mona"))


def crowd(league: League, count: int = CROWD, first: int = 0) -> None:
    """Add so many more players."""
    with league.store.transaction():
        for number in range(first, first + count):
            name = f"Reader {number}"
            league.store.run(
                Player.insert(
                    name=name,
                    folded=fold(name),
                    skeleton=fold(name),
                    address=f"r{number}@readers.example",
                    confirmed=True,
                    joined=league.now,
                    heard=league.now,
                )
            )


def people(league: League, monkeypatch: pytest.MonkeyPatch) -> list[Person]:
    """Join three more by letter, to whom public letters go one at a time."""
    monkeypatch.setattr(public_letters, "PORTION", 1)
    found = [league.person(name) for name in ("Bob", "Cat", "Dan")]
    for person in found:
        person.join()
    return found


def recipients(league: League) -> Counter[str]:
    """Return to whom public letters were sent, and how often."""
    return Counter(to for to, letter in public(league))


def public(league: League) -> list[tuple[str, EmailMessage]]:
    """Return the public letters that were sent, and to whom; not the answer to their writer."""
    sent = [(to, parsed(raw)) for to, raw in league.post.letters]
    return [one for one in sent if "writes to all" in one[1]["Subject"] and TEXT in plain(one[1])]


def rounds(league: League, count: int = 10) -> None:
    """Run so many rounds, a second apart."""
    for _ in range(count):
        league.now += timedelta(seconds=1)
        league.work()


def wait_for(league: League, count: int) -> None:
    """Wait until so many players got the letter."""
    last = time.monotonic() + 30
    while len(recipients(league)) < count and time.monotonic() < last:
        time.sleep(0.02)


def test_hostile_1_a_public_letter_reaches_a_full_league_by_rounds(
    league: League, ann: Person
) -> None:
    crowd(league)
    written = league.now
    answer = ann.ask(f"PRESS\n{TEXT}.\n\nSo there.")
    assert f"goes to {CROWD} other players" in words(answer)
    found = [sum(recipients(league).values())]
    while public_letters.next_due(league.store) is not None:
        rounds(league, 1)
        found.append(sum(recipients(league).values()))
    assert found == [99, 199, CROWD]  # the writer is the first of the first hundred
    everybody = {f"r{n}@readers.example": 1 for n in range(CROWD)}
    assert recipients(league) == everybody
    rounds(league, 3)
    assert recipients(league) == everybody
    assert league.store.count(PublicLetter.select()) == 0
    letters = [letter for _, letter in public(league)]
    assert {one["Date"].datetime for one in letters} == {written}
    assert all("| So there." in plain(one) for one in letters)
    assert list(fsck.check(league.store)) == []


LONG = {
    "one paragraph": f"{TEXT}, and nobody's else. " * 200,
    "many paragraphs": "\n".join(f"{TEXT} {n}" for n in range(300)),
    "markup": "<&>" * 3300,
    "no Latin": "\n".join("Луна над Авалоном наша, и больше ничья" for _ in range(250)),
}
"""The longest texts that are passed on."""


@pytest.mark.parametrize("name", LONG)
def test_hostile_1_a_portion_of_the_longest_public_letters_is_queued_in_time(
    league: League, ann: Person, name: str
) -> None:
    crowd(league, 99)
    ann.new()
    ann.reply(f"PRESS\n{LONG[name]}")
    first = league.store.scalar(Outgoing.select(fn.MAX(Outgoing.id))) or 0
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    [letter] = league.store.all(
        Letter.select().where(Letter.state == "received").order_by(Letter.id)
    )
    assert league.service.handle(letter, league.now)
    assert (
        league.store.count(Outgoing.select().where(Outgoing.id > first, Outgoing.kind == "press"))
        == 0
    )
    began = time.process_time()
    public_letters.pass_on(league.service.ports.outbox, league.now)
    taken = quiet(time.process_time() - began)
    queued = league.store.count(
        Outgoing.select().where(Outgoing.id > first, Outgoing.kind == "press")
    )
    print(f"{queued} letters, {taken:.3f} s")
    assert 20 < queued < 100
    assert taken < BOUND
    rounds(league, 5)
    assert (
        league.store.count(Outgoing.select().where(Outgoing.id > first, Outgoing.kind == "press"))
        == 99
    )
    assert league.store.count(PublicLetter.select()) == 0


def test_hostile_1_the_daemon_wakes_for_the_next_portion(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for letters 45 seconds at a time."""
    monkeypatch.setattr(public_letters, "PORTION", 5)
    monkeypatch.setattr(public_letters, "PAUSE", timedelta(milliseconds=50))
    crowd(league, 40)
    ann.new()
    league.now = wall_clock()
    ann.reply(f"PRESS\n{TEXT}.")
    daemon = Daemon(league.service, league.mailbox, league.transport, wall_clock)
    runner = threading.Thread(target=daemon.run)
    runner.start()
    try:
        wait_for(league, 40)
    finally:
        daemon.stop()
        runner.join(timeout=20)
    assert not runner.is_alive()
    assert recipients(league) == {f"r{n}@readers.example": 1 for n in range(40)}


def test_hostile_1_who_blocks_the_writer_meanwhile_gets_none_and_who_comes_gets_none(
    league: League, ann: Person
) -> None:
    crowd(league)
    ann.ask(f"PRESS\n{TEXT}.")
    block, wish = (
        league.store.first(Player.select().where(Player.name == "Reader 200").order_by(Player.id)),
        "Reader 201",
    )
    assert block is not None
    league.store.run(Block.insert(player=block.id, other=1))
    league.store.run(Player.update(press=False).where(Player.name == wish))
    crowd(league, 5, first=CROWD)
    rounds(league)
    gone = {"r200@readers.example", "r201@readers.example"}
    assert set(recipients(league)) == {f"r{n}@readers.example" for n in range(CROWD)} - gone


def test_hostile_1_what_is_left_of_a_public_letter_goes_with_its_writer(
    league: League, ann: Person
) -> None:
    crowd(league)
    ann.ask(f"PRESS\n{TEXT}.")
    assert personal_data.kept(league.store, league.store.get(Player, 1))["public_letters"] == [
        f"{TEXT}."
    ]
    with league.store.transaction():
        erasing.erase(league.store, league.store.get(Player, 1))
    assert league.store.count(PublicLetter.select()) == 0
    rounds(league)
    personal_data.drop_erased(league.store)
    assert len(recipients(league)) == 99
    assert TEXT not in "".join(
        plain(parsed(r.content))
        for r in league.store.all(Outgoing.select().order_by(Outgoing.id))
        if r.content
    )


def test_hostile_1_a_public_letter_of_one_who_is_merged_goes_on(
    league: League, ann: Person
) -> None:
    other = league.person("Ben")
    other.join()
    crowd(league)
    ann.ask(f"PRESS\n{TEXT}.")
    league.rule("MERGE Ann Example INTO Ben Example")
    rounds(league)
    assert {f"r{n}@readers.example" for n in range(CROWD)} <= set(recipients(league))
    assert {
        row.player_id for row in league.store.all(Authorship.select().order_by(Authorship.id))
    } == {2}


def test_hostile_1_one_that_fails_is_put_aside_and_others_go_on(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(league)
    ann.ask(f"PRESS\n{TEXT}.")
    queue = public_letters._queue_portion

    def fail(outbox: Outbox, row: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(public_letters, "_queue_portion", fail)
    rounds(league, 1)
    due = public_letters.next_due(league.store)
    assert due is not None
    assert due > league.now + timedelta(seconds=30)  # the daemon does not wake for it all the time
    for _ in range(MOST):
        league.later(3)
        league.work()
    assert league.store.count(PublicLetter.select()) == 0
    assert not failing(league.store)
    assert league.store.count(Outgoing.select().where(Outgoing.kind == "failing")) == 1
    monkeypatch.setattr(public_letters, "_queue_portion", queue)


def test_hostile_1_the_daemon_does_not_wake_for_an_act_that_fails(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(outbox: Outbox, now: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(public_letters, "pass_on", fail)
    crowd(league, 3)
    ann.ask(f"PRESS\n{TEXT}.")
    due = public_letters.next_due(league.store)
    assert due is not None
    assert due > league.now + timedelta(seconds=30)


def test_hostile_1_a_reader_whose_letter_can_not_be_written_keeps_none_from_others(
    league: League, ann: Person
) -> None:
    crowd(league, 20)
    league.store.run(Player.update(address="no address\nat all").where(Player.name == "Reader 7"))
    ann.ask(f"PRESS\n{TEXT}.")
    assert len(recipients(league)) == 19


@pytest.mark.league(outage_hours=6)
def test_hostile_1_a_public_letter_waits_for_no_clock(league: League, ann: Person) -> None:
    crowd(league)
    league.later(9000)
    ann.reply(f"PRESS\n{TEXT}.")
    league.work()
    assert len(recipients(league)) == 99
    rounds(league, 1)
    assert len(recipients(league)) == 199
    league.later(-9000)
    league.work()
    assert len(recipients(league)) == CROWD


@pytest.mark.parametrize("count", [0, 1, 5])
def test_hostile_1_a_league_with_a_public_letter_is_rebuilt_the_same(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """While it is under way, and later."""
    people(league, monkeypatch)
    ann.ask(f"PRESS\n{TEXT}.")
    rounds(league, count)
    by_shell(league.service.ports, "PAUSE ALL", league.now)
    assert len(recipients(league)) == min(count, 3)
    assert rebuild(league.settings, league.settings.home / "new.db") == []


def test_hostile_1_a_round_that_died_amid_a_public_letter_is_rebuilt_the_same(
    league: League, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the round that took the letter nor one that queued a portion was noted."""
    people(league, monkeypatch)
    ann.reply(f"PRESS\n{TEXT}.")
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    [letter] = league.store.all(
        Letter.select().where(Letter.state == "received").order_by(Letter.id)
    )
    assert league.service.handle(letter, league.now)
    league.now += timedelta(seconds=1)
    public_letters.pass_on(league.service.ports.outbox, league.now)
    rounds(league, 5)
    assert len(recipients(league)) == 3
    assert rebuild(league.settings, league.settings.home / "new.db") == []
