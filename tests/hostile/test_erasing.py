"""Erasing removes what is one's own, and nothing else."""

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.maintenance import fsck
from pbem.outgoing import outbox
from pbem.people import erasing, persons
from pbem.people.personal_identifiers import Traces, address_pattern, is_distinctive
from pbem.storage import Player
from pbem.storage.repository import decompressed
from pbem.text.lookalikes import columns
from tests.forum.test_channels import connect
from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, parsed, plain, words
from tests.support.trial_counts import some

STORY = "The rain over Avalon tasted of copper that night"
SECRET = "Meet me behind the third moon at seven"
BOBS = "My lamp burnt low, and I went to a window to see the stars"
DISTINCTIVE = ("Quillon Trebuchet", "Mirabelle Ox", "Zephyrinus", "Ann Example")
COMMON = (
    "to", "a", "The", "Referee's", "you", "game", "Dear Bob", "Nothing has been done yet",
    "Your letter", "battle report", "Bob", "Wright 1903S", "Ann Wilson", "the stars", "HELP",
)  # fmt: skip
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
OWNED = {
    "token", "further", "block", "watch", "leave", "turnout", "bounce", "subscription", "editorial",
    "blueprint", "story", "nomination", "letter", "outgoing", "authorship", "place",
    "public_letter",
}  # fmt: skip
"""Tables whose rows name the player whose they are."""


def lived(league: League, name: str) -> tuple[Person, Person]:
    """Leave words of Ann everywhere, under a name that the database may hold, and some of Bob's."""
    connect(league, {"paste": {"kind": "folder", "path": "posts", "format": "text"}})
    ann, bob = duel(league)
    with league.store.transaction():
        league.store.players.change(1, name=name, **columns(name))
    ann.reply(f"{STANDING}\n{STORY}.", ann.last_about("G1-"))
    bob.reply(f"{STANDING}\n{BOBS}.", bob.last_about("G1-"))
    league.work()
    ann.ask(f"TELL Kestrel\n{SECRET}.")
    league.work()
    bob.reply("Thank you.", bob.last_about("A letter from"))
    bob.ask(f"TELL Hawk\n{BOBS}, twice.")
    ann.ask(f"PRESS\n{SECRET}, all of you.")
    bob.ask("STATUS")
    bob.write("to a friend: the rain, and you, in a letter of mine. KEY aaaa-bbbb")
    league.work()
    league.later(80)
    league.work()
    league.service.ports.newsletter.want()
    league.work()
    return ann, bob


def rows(league: League) -> dict[str, dict[Any, dict[str, Any]]]:
    """Return all rows of all tables, by their keys."""
    found: dict[str, dict[Any, dict[str, Any]]] = {}
    with closing(sqlite3.connect(league.settings.home / "league.db")) as base:
        base.row_factory = sqlite3.Row
        names = [row[0] for row in base.execute(TABLES)]
        for table in names:
            every = [dict(row) for row in base.execute(f'SELECT * FROM "{table}"')]
            for row in every:
                if "content" in row:
                    row["content"] = decompressed(row["content"])
            found[table] = {next(iter(row.values())): row for row in every}
    return found


def changed(
    before: dict[str, dict[Any, dict[str, Any]]], after: dict[str, dict[Any, dict[str, Any]]]
) -> set[tuple[str, Any]]:
    """Return the rows that are gone or differ."""
    return {
        (table, key)
        for table, known in before.items()
        for key, row in known.items()
        if after[table].get(key) != row
    }


def own(before: dict[str, dict[Any, dict[str, Any]]], player: int) -> set[tuple[str, Any]]:
    """Return the rows that are a player's own, or carry their words, by the database's tables."""
    found: set[tuple[str, Any]] = {("player", player), ("meta", "unclean"), ("meta", "erasing")}
    for table in OWNED:
        for key, row in before[table].items():
            if row.get("player_id") == player or row.get("other_id") == player:
                found.add((table, key))
    carried = {r["what"] for r in before["authorship"].values() if r["player_id"] == player}
    for key, row in before["outgoing"].items():
        if row["player_id"] == player or row["message_id"] in carried:
            found |= {("outgoing", key)}
    for key, row in before["letter"].items():
        if row["player_id"] == player:
            found |= {("letter", key)}
    for key, row in before["post"].items():
        if outbox.post_name(row["channel"], row["ident"]) in carried:
            found.add(("post", key))
    found |= {("issue", key) for key in before["issue"] if outbox.issue_name(key) in carried}
    found |= {("tally", key) for key, r in before["tally"].items() if "ann@" in r["what"]}
    return found


def answering(before: dict[str, dict[Any, dict[str, Any]]], player: int) -> set[tuple[str, Any]]:
    """Return others' letters that answer one with a player's words, whose quotes may go."""
    carried = {r["what"] for r in before["authorship"].values() if r["player_id"] == player}
    return {
        ("letter", key)
        for key, row in before["letter"].items()
        if any(one.encode() in row["content"] for one in carried)
    }


def dump(league: League) -> str:
    """Return all texts of the database, letters decoded, with plain spaces."""
    texts = []
    for table in rows(league).values():
        for row in table.values():
            for value in row.values():
                if isinstance(value, bytes):
                    texts.append(value.decode("utf-8", "replace"))
                    texts.append(plain(parsed(value)) if b"Message-ID" in value else "")
                else:
                    texts.append(str(value))
    return " ".join(re.sub(r"[\s>|]+", " ", "\n".join(texts).replace("=\n", "")).split())


def erased(league: League) -> Player:
    """Erase Ann, as leaving and the shell do."""
    with league.store.transaction():
        erasing.erase(league.store, league.store.players.get(1))
    return league.store.players.get(1)


@pytest.mark.parametrize("name", some(COMMON, 2))
def test_hostile_erasing_leaves_others_their_rows(league: League, name: str) -> None:
    lived(league, name)
    before = rows(league)
    erased(league)
    after = rows(league)
    unlike = changed(before, after)
    assert unlike <= own(before, 1) | answering(before, 1)
    others = [key for key, row in before["letter"].items() if row["player_id"] == 2]
    assert sum(bool(after["letter"][key]["content"]) for key in others) >= len(others) - 2
    left = dump(league)
    for secret in (STORY, SECRET, "ann@league.example"):
        assert secret not in left
    assert BOBS in left
    assert list(fsck.check(league.store)) == []


@pytest.mark.parametrize("name", some(DISTINCTIVE, 2))
def test_hostile_erasing_leaves_no_distinctive_name(league: League, name: str) -> None:
    lived(league, name)
    assert name in dump(league)
    erased(league)
    left = dump(league)
    for secret in (STORY, SECRET, "ann@league.example", name):
        assert secret not in left
    assert BOBS in left


def test_hostile_erasing_leaves_the_stories_of_who_had_the_place_before(league: League) -> None:
    ann, bob = duel(league)
    ann.reply(f"{STANDING}\n{STORY}.", ann.last_about("G1-"))
    league.work()
    [place] = league.store.places.all(game=1, player=1)
    with league.store.transaction():
        league.store.places.change(place.id, player=2)
        erasing.erase(league.store, league.store.players.get(2))
    assert [STORY in story.text for story in league.store.stories.all()] == [True]
    assert bob.name


def test_hostile_erasing_drops_what_waits_once_it_is_sent(league: League) -> None:
    ann, _ = duel(league)
    ann.reply(f"TELL Kestrel\n{SECRET}.", ann.last_about("G1-"))
    league.service.attend(league.mailbox, lambda: league.now)
    assert league.store.outbox.count(state="queued", player=2) > 0
    erased(league)
    assert SECRET in dump(league)
    league.send()
    persons.clean(league.store, league.settings.privacy, league.now)
    assert SECRET not in dump(league)


def test_hostile_erasing_forgets_no_count_of_a_longer_address(league: League) -> None:
    ann, _ = duel(league)
    for address in (ann.address, f"jo{ann.address}", f"{ann.address}.org"):
        league.store.count_today(f"stranger {address}", league.now)
    erased(league)
    known = [league.store.counted_today(f"stranger {a}", league.now) for a in (ann.address,)]
    assert known == [0]
    assert league.store.counted_today(f"stranger jo{ann.address}", league.now) == 1
    assert league.store.counted_today(f"stranger {ann.address}.org", league.now) == 1


def test_hostile_erasing_veils_a_name_in_rulings_from_the_shell(league: League) -> None:
    duel(league)
    league.store.rounds.add(at=league.now, ruling="BAN Ann Example")
    league.store.rounds.add(at=league.now, ruling="BAN joann@league.example")
    erased(league)
    texts = [row.ruling for row in league.store.rounds.all() if row.ruling]
    assert texts == ["BAN Former player 1", "BAN joann@league.example"]


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("ann@x.example", True),
        ("Ann <ANN@x.example>, said", True),
        ("write to ann@x.example.", True),
        ("mailto:ann@x.example?subject=hi", True),
        ("'ann@x.example'", True),
        ("joann@x.example", False),
        ("jo.ann@x.example", False),
        ("jo-ann@x.example", False),
        ("a+ann@x.example", False),
        ("ann@x.example.org", False),
        ("ann@x.example-two.org", False),
    ],
)
def test_hostile_erasing_finds_whole_addresses_alone(text: str, is_there: bool) -> None:
    assert bool(address_pattern("ann@x.example").search(text)) is is_there


@pytest.mark.parametrize("name", COMMON)
def test_hostile_erasing_searches_for_no_common_name(name: str) -> None:
    assert not is_distinctive(name, ["Bob Example", "Hawk", "Kestrel"])


@given(st.text(st.sampled_from("abc @.\n>"), max_size=40))
def test_hostile_erasing_replaces_all_that_it_finds(text: str) -> None:
    traces = Traces("Quillon Trebuchet", ["a@b.c"])
    assert not traces.are_in(traces.replaced(f"{text} Quillon\n> Trebuchet a@b.c", "nobody"))


def test_hostile_erasing_by_letter_blanks_nobody_elses_letters(league: League) -> None:
    """What was seen: JOIN as `to` and LEAVE erased all stored letters of everybody."""
    ann, bob = duel(league)
    with league.store.transaction():
        league.store.players.change(1, name="to", **columns("to"))
    kept = [row.id for row in league.store.letters.all(player=2) if row.content]
    sent = [row.id for row in league.store.outbox.all(player=2) if row.content]
    assert "Nothing has been done yet." in words(ann.ask("LEAVE LEAGUE"))
    ann.reply("LEAVE LEAGUE")
    league.work()
    assert league.store.players.get(1).mail == erasing.GONE
    assert all(league.store.letters.get(number).content for number in kept)
    assert all(league.store.outbox.get(number).content for number in sent)
    assert "No news" not in words(bob.ask("STATUS"))
