"""No Message-ID ever carries other content, not after an older backup was put back either."""

import json
from pathlib import Path

import pytest

from pbem.storage import Outgoing, Place, Player
from tests.support.harness import League, duel, open_league
from tests.support.program import pbem, write_league


def sent(league: League) -> dict[str, bytes]:
    """Return the letters that are or were to be sent, by Message-ID."""
    return {
        row.message_id: row.content
        for row in league.store.all(Outgoing.select().order_by(Outgoing.id))
    }


def begun(league: League) -> dict[str, bytes]:
    """Play a duel for a turn, and return all letters."""
    ann, bob = duel(league)
    ann.reply("SCAN\nSCAN")
    bob.reply("SCAN")
    league.work()
    return sent(league)


def test_hostile_message_ids_after_a_restore(tmp_path: Path) -> None:
    """A game that begins again has another secret, so its letters have other Message-IDs."""
    with open_league(tmp_path) as league:
        file = write_league(
            tmp_path,
            {
                "league": {"name": "Avalon League", "address": "referee@league.example"},
                "store": {"url": league.store.url},
                "backup": {"path": "backups"},
            },
        )
        assert pbem("--config", file, "backup").returncode == 0
        first = begun(league)
    [backup] = (tmp_path / "backups").iterdir()
    done = pbem("--config", file, "restore", backup, "--force")
    assert done.returncode == 0, done.stderr
    with open_league(tmp_path) as league:
        league.later(3)
        again = begun(league)
    assert len(first) == len(again) > 8
    same = first.keys() & again.keys()
    assert {name: first[name] for name in same} == {name: again[name] for name in same}
    assert len(same) < len(first)


class Undone(Exception):
    """Takes a letter back, as a crash would."""


def test_hostile_message_ids_depend_on_each_word(league: League) -> None:
    """What is written twice for one thing is queued once, and keeps its first Message-ID."""
    league.person("Ann").join()
    player, store, outbox = (
        league.store.all(Player.select().order_by(Player.id))[0],
        league.store,
        league.service.ports.outbox,
    )
    named: dict[str, str] = {}

    def write(text: str) -> str:
        facts = {"title": "t", "text": text}
        return outbox.write(player, "notice", league.now, ident=("x",), **facts)

    def in_vain(text: str) -> None:
        with store.transaction():
            named[text] = write(text)
            raise Undone

    for text in ("one", "another"):
        with pytest.raises(Undone):
            in_vain(text)
    assert named["one"] != named["another"]
    assert write("one") == named["one"]
    count = store.count(Outgoing.select())
    assert write("another") == named["one"]
    assert store.count(Outgoing.select()) == count


def test_hostile_message_ids_still_make_threads(league: League) -> None:
    """A report refers to the report before it, by the Message-ID that was sent."""
    known = begun(league)
    for place in league.store.all(Place.select().order_by(Place.id)):
        assert json.loads(place.thread)[-1] in known
