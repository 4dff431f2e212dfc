"""Public letters to a full league: by rounds, each reader once, whatever happens in between."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from engine.words import fold
from pbem.daemon import Daemon
from pbem.handlers.moderation import by_shell
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.outgoing import public_letters
from pbem.outgoing.attempts import MOST, failing
from pbem.outgoing.outbox import Outbox
from pbem.people import erasing, persons
from pbem.service import wall_clock
from tests.harness import House, Person, open_house
from tests.players import address_of, parsed, plain, words
from tests.processor import quiet

CROWD = 250
BOUND = 0.5
"""Half a second of processor time."""
TEXT = "The moon over Avalon is ours"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path, moderator=address_of("Mona")) as opened:
        yield opened


@pytest.fixture
def ann(house: House) -> Person:
    """Somebody who writes to all."""
    ann = house.person("Ann")
    ann.join()
    return ann


def crowd(house: House, count: int = CROWD, first: int = 0) -> None:
    """Add so many more players."""
    with house.store.transaction():
        for number in range(first, first + count):
            name = f"Reader {number}"
            house.store.players.insert(
                name=name,
                folded=fold(name),
                skeleton=fold(name),
                address=f"r{number}@readers.example",
                confirmed=True,
                joined=house.now,
                heard=house.now,
            )


def people(house: House, monkeypatch: pytest.MonkeyPatch) -> list[Person]:
    """Join three more by letter, to whom public letters go one at a time."""
    monkeypatch.setattr(public_letters, "PORTION", 1)
    found = [house.person(name) for name in ("Bob", "Cat", "Dan")]
    for person in found:
        person.join()
    return found


def told(house: House) -> Counter[str]:
    """Return to whom public letters were sent, and how often."""
    return Counter(to for to, raw in house.post.letters if TEXT in plain(parsed(raw)))


def rounds(house: House, count: int = 10) -> None:
    """Run so many rounds, a second apart."""
    for _ in range(count):
        house.now += timedelta(seconds=1)
        house.work()


def wait_for(house: House, count: int) -> None:
    """Wait until so many players got the letter."""
    last = time.monotonic() + 30
    while len(told(house)) < count and time.monotonic() < last:
        time.sleep(0.02)


def test_hostile_1_a_public_letter_reaches_a_full_league_by_rounds(
    house: House, ann: Person
) -> None:
    crowd(house)
    written = house.now
    answer = ann.ask(f"PRESS\n{TEXT}.\n\nSo there.")
    assert f"goes to {CROWD} other players" in words(answer)
    found = [sum(told(house).values())]
    while public_letters.next_due(house.store) is not None:
        rounds(house, 1)
        found.append(sum(told(house).values()))
    assert found == [99, 199, CROWD]  # the writer is the first of the first hundred
    everybody = {f"r{n}@readers.example": 1 for n in range(CROWD)}
    assert told(house) == everybody
    rounds(house, 3)
    assert told(house) == everybody
    assert house.store.public_letters.count() == 0
    letters = [parsed(raw) for _, raw in house.post.letters if TEXT in plain(parsed(raw))]
    assert {one["Date"].datetime for one in letters} == {written}
    assert all("| So there." in plain(one) for one in letters)
    assert list(fsck.check(house.store)) == []


LONG = {
    "one paragraph": f"{TEXT}, and nobody's else. " * 200,
    "many paragraphs": "\n".join(f"{TEXT} {n}" for n in range(300)),
    "markup": "<&>" * 3300,
    "no Latin": "\n".join("Луна над Авалоном наша, и больше ничья" for _ in range(250)),
}
"""The longest texts that are passed on."""


@pytest.mark.parametrize("name", LONG)
def test_hostile_1_a_portion_of_the_longest_public_letters_is_queued_in_time(
    house: House, ann: Person, name: str
) -> None:
    crowd(house, 99)
    ann.new()
    ann.reply(f"PRESS\n{LONG[name]}")
    first = house.store.outbox.highest()
    for _ in house.service.keep(house.mailbox, house.now):
        pass
    [letter] = house.store.letters.all(state="received")
    assert house.service.handle(letter, house.now)
    assert house.store.outbox.count(id__gt=first, kind="press") == 0
    began = time.process_time()
    public_letters.pass_on(house.service.ports.outbox, house.now)
    taken = quiet(time.process_time() - began)
    queued = house.store.outbox.count(id__gt=first, kind="press")
    print(f"{queued} letters, {taken:.3f} s")
    assert 20 < queued < 100
    assert taken < BOUND
    rounds(house, 5)
    assert house.store.outbox.count(id__gt=first, kind="press") == 99
    assert house.store.public_letters.count() == 0


def test_hostile_1_the_daemon_wakes_for_the_next_portion(
    house: House, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for letters 45 seconds at a time."""
    monkeypatch.setattr(public_letters, "PORTION", 5)
    monkeypatch.setattr(public_letters, "PAUSE", timedelta(milliseconds=50))
    crowd(house, 40)
    ann.new()
    house.now = wall_clock()
    ann.reply(f"PRESS\n{TEXT}.")
    daemon = Daemon(house.service, house.mailbox, house.transport, wall_clock)
    runner = threading.Thread(target=daemon.run)
    runner.start()
    try:
        wait_for(house, 40)
    finally:
        daemon.stop()
        runner.join(timeout=20)
    assert not runner.is_alive()
    assert told(house) == {f"r{n}@readers.example": 1 for n in range(40)}


def test_hostile_1_who_blocks_the_writer_meanwhile_gets_none_and_who_comes_gets_none(
    house: House, ann: Person
) -> None:
    crowd(house)
    ann.ask(f"PRESS\n{TEXT}.")
    block, wish = house.store.players.find(name="Reader 200"), "Reader 201"
    assert block is not None
    house.store.blocks.insert(player=block.id, other=1)
    house.store.players.change_all({"name": wish}, press=False)
    crowd(house, 5, first=CROWD)
    rounds(house)
    gone = {"r200@readers.example", "r201@readers.example"}
    assert set(told(house)) == {f"r{n}@readers.example" for n in range(CROWD)} - gone


def test_hostile_1_what_is_left_of_a_public_letter_goes_with_its_writer(
    house: House, ann: Person
) -> None:
    crowd(house)
    ann.ask(f"PRESS\n{TEXT}.")
    assert persons.kept(house.store, house.store.players.get(1))["public_letters"] == [f"{TEXT}."]
    with house.store.transaction():
        erasing.erase(house.store, house.store.players.get(1))
    assert house.store.public_letters.count() == 0
    rounds(house)
    assert len(told(house)) == 99
    assert TEXT not in "".join(
        plain(parsed(r.content)) for r in house.store.outbox.all() if r.content
    )


def test_hostile_1_a_public_letter_under_way_loses_the_name_of_who_leaves(
    house: House, ann: Person
) -> None:
    crowd(house)
    gone = house.person("Quillon")
    gone.join()
    ann.ask(f"PRESS\n{TEXT}, Quillon Example!")
    number = house.store.players.highest()
    with house.store.transaction():
        erasing.erase(house.store, house.store.players.get(number))
    [row] = house.store.public_letters.all()
    assert row.text == f"{TEXT}, Former player {number}!"


def test_hostile_1_a_public_letter_of_one_who_is_merged_goes_on(house: House, ann: Person) -> None:
    other = house.person("Ben")
    other.join()
    crowd(house)
    ann.ask(f"PRESS\n{TEXT}.")
    house.rule("MERGE Ann Example INTO Ben Example")
    rounds(house)
    assert {f"r{n}@readers.example" for n in range(CROWD)} <= set(told(house))
    assert {row.player_id for row in house.store.authorships.all()} == {2}


def test_hostile_1_one_that_fails_is_put_aside_and_others_go_on(
    house: House, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(house)
    ann.ask(f"PRESS\n{TEXT}.")
    queue = public_letters._queue_portion

    def fail(outbox: Outbox, row: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(public_letters, "_queue_portion", fail)
    rounds(house, 1)
    due = public_letters.next_due(house.store)
    assert due is not None
    assert due > house.now + timedelta(seconds=30)  # the daemon does not wake for it all the time
    for _ in range(MOST):
        house.later(3)
        house.work()
    assert house.store.public_letters.count() == 0
    assert not failing(house.store)
    assert house.store.outbox.count(kind="failing") == 1
    monkeypatch.setattr(public_letters, "_queue_portion", queue)


def test_hostile_1_the_daemon_does_not_wake_for_an_act_that_fails(
    house: House, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(outbox: Outbox, now: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(public_letters, "pass_on", fail)
    crowd(house, 3)
    ann.ask(f"PRESS\n{TEXT}.")
    due = public_letters.next_due(house.store)
    assert due is not None
    assert due > house.now + timedelta(seconds=30)


def test_hostile_1_a_reader_whose_letter_can_not_be_written_keeps_none_from_others(
    house: House, ann: Person
) -> None:
    crowd(house, 20)
    house.store.players.change_all({"name": "Reader 7"}, address="no address\nat all")
    ann.ask(f"PRESS\n{TEXT}.")
    assert len(told(house)) == 19


def test_hostile_1_a_public_letter_waits_for_no_clock(tmp_path: Path) -> None:
    with open_house(tmp_path, outage_hours=6) as house:
        ann = house.person("Ann")
        ann.join()
        crowd(house)
        house.later(9000)
        ann.reply(f"PRESS\n{TEXT}.")
        house.work()
        assert len(told(house)) == 99
        rounds(house, 1)
        assert len(told(house)) == 199
        house.later(-9000)
        house.work()
        assert len(told(house)) == CROWD


@pytest.mark.parametrize("count", [0, 1, 5])
def test_hostile_1_a_league_with_a_public_letter_is_rebuilt_the_same(
    house: House, ann: Person, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """While it is under way, and later."""
    people(house, monkeypatch)
    ann.ask(f"PRESS\n{TEXT}.")
    rounds(house, count)
    by_shell(house.service.ports, "PAUSE ALL", house.now)
    assert len(told(house)) == min(count, 3)
    assert rebuild(house.settings, house.settings.home / "new.db") == []


def test_hostile_1_a_round_that_died_amid_a_public_letter_is_rebuilt_the_same(
    house: House, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the round that took the letter nor one that queued a portion was noted."""
    people(house, monkeypatch)
    ann.reply(f"PRESS\n{TEXT}.")
    for _ in house.service.keep(house.mailbox, house.now):
        pass
    [letter] = house.store.letters.all(state="received")
    assert house.service.handle(letter, house.now)
    house.now += timedelta(seconds=1)
    public_letters.pass_on(house.service.ports.outbox, house.now)
    rounds(house, 5)
    assert len(told(house)) == 3
    assert rebuild(house.settings, house.settings.home / "new.db") == []
