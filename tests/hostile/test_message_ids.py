"""No Message-ID ever carries other content, not after an older backup was put back either."""

import json
from pathlib import Path

import pytest

from tests.harness import House, duel, open_house
from tests.program import pbem, write_league


def sent(house: House) -> dict[str, bytes]:
    """Return the letters that are or were to be sent, by Message-ID."""
    return {row.message_id: row.content for row in house.store.outbox.all()}


def begun(house: House) -> dict[str, bytes]:
    """Play a duel for a turn, and return all letters."""
    ann, bob = duel(house)
    ann.reply("SCAN\nSCAN")
    bob.reply("SCAN")
    house.work()
    return sent(house)


def test_hostile_message_ids_after_a_restore(tmp_path: Path) -> None:
    """A game that begins again has another secret, so its letters have other Message-IDs."""
    with open_house(tmp_path) as house:
        file = write_league(
            tmp_path,
            {
                "league": {"name": "Avalon League", "address": "referee@league.example"},
                "store": {"url": house.store.url},
                "backup": {"path": "backups"},
            },
        )
        assert pbem("--config", file, "backup").returncode == 0
        first = begun(house)
    [backup] = (tmp_path / "backups").iterdir()
    done = pbem("--config", file, "restore", backup, "--force")
    assert done.returncode == 0, done.stderr
    with open_house(tmp_path) as house:
        house.later(3)
        again = begun(house)
    assert len(first) == len(again) > 8
    same = first.keys() & again.keys()
    assert {name: first[name] for name in same} == {name: again[name] for name in same}
    assert len(same) < len(first)


class Undone(Exception):
    """Takes a letter back, as a crash would."""


def test_hostile_message_ids_depend_on_each_word(tmp_path: Path) -> None:
    """What is written twice for one thing is queued once, and keeps its first Message-ID."""
    with open_house(tmp_path) as house:
        house.person("Ann").join()
        player, store, outbox = (
            house.store.players.all()[0],
            house.store,
            house.service.ports.outbox,
        )
        named: dict[str, str] = {}

        def write(text: str) -> str:
            facts = {"title": "t", "text": text}
            return outbox.write(player, "notice", house.now, ident=("x",), **facts)

        def in_vain(text: str) -> None:
            with store.transaction():
                named[text] = write(text)
                raise Undone

        for text in ("one", "another"):
            with pytest.raises(Undone):
                in_vain(text)
        assert named["one"] != named["another"]
        assert write("one") == named["one"]
        count = store.outbox.count()
        assert write("another") == named["one"]
        assert store.outbox.count() == count


def test_hostile_message_ids_still_make_threads(tmp_path: Path) -> None:
    """A report refers to the report before it, by the Message-ID that was sent."""
    with open_house(tmp_path) as house:
        known = begun(house)
        for place in house.store.places.all():
            assert json.loads(place.thread)[-1] in known
