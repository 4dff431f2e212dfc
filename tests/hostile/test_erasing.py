"""Erasing removes what is one's own, and nothing else."""

import re
import sqlite3
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest

from pbem.maintenance import fsck
from pbem.people import erasing, personal_data
from pbem.people.lookalikes import columns
from pbem.storage import Authorship, Letter, Outgoing, Place, Player, Story, stored_games
from pbem.storage.fields import CompressedField
from tests.channels.test_channels import connect
from tests.support.grown_league import Steps, grow
from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, parsed, plain, words

STORY = "The rain over Avalon tasted of copper that night"
SECRET = "Meet me behind the third moon at seven"
BOBS = "My lamp burnt low, and I went to a window to see the stars"
NAMES = ("to", "Referee's", "Bob", "Ann Example", "Quillon Trebuchet")
"""Whatever somebody is called, the same is erased."""
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
OWNED = {
    "token", "further", "block", "watch", "leave", "turnout", "bounce", "subscription", "editorial",
    "blueprint", "story", "nomination", "letter", "outgoing", "authorship", "place",
    "public_letter", "doctrine",
}  # fmt: skip
"""Tables whose rows name the player whose they are."""


def lived(league: League, name: str) -> tuple[Person, Person]:
    """Leave words of Ann everywhere, under a name that the database may hold, and some of Bob's."""
    connect(league, {"paste": {"kind": "folder", "path": "posts", "format": "text"}})
    ann, bob = duel(league)
    with league.store.transaction():
        league.store.run(Player.update(name=name, **columns(name)).where(Player.id == 1))
    ann.reply(f"{STANDING}\nSTORY\n{STORY}.", ann.last_about("G1-"))
    bob.reply(f"{STANDING}\n{BOBS}.", bob.last_about("G1-"))
    league.work()
    ann.ask(f"TELL Kestrel\n{SECRET}.")
    league.work()
    bob.reply("Thank you.", bob.last_about("A letter from"))
    bob.ask(f"TELL Hawk\n{BOBS}, twice.")
    ann.ask(f"PRESS\n{SECRET}, all of you.")
    ann.ask("DOCTRINE lampless FOR Hawk\nELSE: SCAN\nEND")
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
                    row["content"] = CompressedField().python_value(row["content"])
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
        if Authorship.post_name(row["channel"], row["ident"]) in carried:
            found.add(("post", key))
    return found


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
        erasing.erase(league.store, league.store.get(Player, 1))
    personal_data.drop_erased(league.store)
    return league.store.get(Player, 1)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_erasing_takes_one_s_own_and_leaves_others_their_words(
    league: League, name: str
) -> None:
    lived(league, name)
    before = rows(league)
    erased(league)
    after = rows(league)
    assert changed(before, after) <= own(before, 1)
    for table, player in (("letter", 2), ("story", 2), ("outgoing", 2)):
        kept = [key for key, row in before[table].items() if row["player_id"] == player]
        assert all(key in after[table] for key in kept)
    others = [key for key, row in before["letter"].items() if row["player_id"] == 2]
    assert all(after["letter"][key] == before["letter"][key] for key in others)
    assert after["issue"] == before["issue"], "a newsletter that went out stays as it is"
    assert list(fsck.check(league.store)) == []


def test_hostile_erasing_leaves_nothing_that_one_wrote_or_was_written(league: League) -> None:
    lived(league, "Ann Example")
    erased(league)
    left = rows(league)
    for table in (*OWNED - {"place", "nomination"}, "further"):
        for key, row in left[table].items():
            mine = row.get("player_id") == 1 or "ann@" in str(row.get("recipient"))
            assert not mine or (table == "letter" and not row["content"]), (table, key)
    others = [row for row in left["letter"].values() if row["player_id"] == 2]
    quoting = [row["id"] for row in others if SECRET.encode() in row["content"]]
    texts = {t: " ".join(map(str, left[t].values())) for t in left if t not in ("letter", "issue")}
    for secret in (STORY, SECRET, "ann@league.example"):
        assert not [table for table, text in texts.items() if secret in text]
    # Copies of letters that were sent to others may name a person, until they are dropped.
    named = [table for table, text in texts.items() if "Ann Example" in text]
    assert named == ["outgoing"]
    assert quoting, "Bob's own quote of Ann's words is his letter"


@pytest.mark.parametrize("headers", ["", "Auto-Submitted: auto-replied\n"])
def test_hostile_erasing_takes_every_letter_from_one_s_address(
    league: League, headers: str
) -> None:
    ann, _ = duel(league)
    raw = f"From: {ann.address}\nMessage-ID: <own@ann.example>\n{headers}Subject: x\n\n{SECRET}.\n"
    league.drop(raw.encode())
    league.drop(raw.encode())
    league.work()
    assert sum(SECRET.encode() in row.content for row in league.store.each(Letter)) == 2
    erased(league)
    assert not [row for row in league.store.each(Letter) if SECRET.encode() in row.content]
    assert not league.store.count(Letter.select().where(Letter.message_id == "<own@ann.example>"))


def test_hostile_erasing_takes_as_long_in_a_large_league(league: League) -> None:
    """What was seen: 7 s in a league of 2,200 letters, and 75 s in one of 26,700."""
    lived(league, "Ann Example")
    taken = list[int]()
    for number in (1, 2):
        if number == 2:
            grow(league.store, 20 * league.store.count(Letter.select()))
        with Steps(league.store) as steps, league.store.transaction():
            erasing.erase(league.store, league.store.get(Player, number))
        taken.append(steps.taken)
        with Steps(league.store) as steps:
            personal_data.drop_erased(league.store)
        taken.append(steps.taken)
    # The two players have not left the same rows.
    assert taken[2] < 2 * taken[0]
    assert taken[3] < 1.5 * taken[1] + 1000


def test_hostile_erasing_drops_a_portion_in_each_round(league: League) -> None:
    duel(league)
    [first] = league.store.all(
        Letter.select().where(Letter.player == 1).order_by(Letter.id).limit(1)
    )
    with league.store.transaction():
        for n in range(3 * erasing.PORTION):
            values = {**first.__data__, "place": f"copy {n}", "message_id": f"<{n}@ann.example>"}
            league.store.run(Letter.insert(**{k: v for k, v in values.items() if k != "id"}))
        erasing.erase(league.store, league.store.get(Player, 1))
    left = [league.store.count(Letter.select().where(Letter.player == 1, Letter.content != b""))]
    while erasing.owes(league.store):
        with league.store.transaction():
            erasing.drop_portion(league.store)
        left.append(
            league.store.count(Letter.select().where(Letter.player == 1, Letter.content != b""))
        )
    assert max(one - other for one, other in pairwise(left)) == erasing.PORTION
    assert left[-1] == 0


def test_hostile_erasing_leaves_the_stories_of_who_had_the_place_before(league: League) -> None:
    ann, bob = duel(league)
    ann.reply(f"{STANDING}\nSTORY\n{STORY}.", ann.last_about("G1-"))
    league.work()
    [place] = league.store.all(
        Place.select().where(Place.game == 1, Place.player == 1).order_by(Place.id)
    )
    with league.store.transaction():
        stored_games.change_place(league.store, place.id, player=2)
        erasing.erase(league.store, league.store.get(Player, 2))
    assert [
        STORY in story.text for story in league.store.all(Story.select().order_by(Story.id))
    ] == [True]
    assert bob.name


def test_hostile_erasing_drops_what_waits_once_it_is_sent(league: League) -> None:
    ann, _ = duel(league)
    ann.reply(f"TELL Kestrel\n{SECRET}.", ann.last_about("G1-"))
    league.service.attend(league.mailbox, lambda: league.now)
    assert (
        league.store.count(
            Outgoing.select().where(Outgoing.state == "queued", Outgoing.player == 2)
        )
        > 0
    )
    erased(league)
    assert SECRET in dump(league)
    league.send()
    personal_data.clean(league.store, league.settings.privacy, league.now)
    assert SECRET not in dump(league)


def test_hostile_erasing_by_letter_blanks_nobody_elses_letters(league: League) -> None:
    """What was seen: JOIN as `to` and LEAVE erased all stored letters of everybody."""
    ann, bob = duel(league)
    with league.store.transaction():
        league.store.run(Player.update(name="to", **columns("to")).where(Player.id == 1))
    kept = [
        row.id
        for row in league.store.all(Letter.select().where(Letter.player == 2).order_by(Letter.id))
        if row.content
    ]
    sent = [
        row.id
        for row in league.store.all(
            Outgoing.select().where(Outgoing.player == 2).order_by(Outgoing.id)
        )
        if row.content
    ]
    assert "Nothing has been done yet." in words(ann.ask("LEAVE LEAGUE"))
    ann.reply("LEAVE LEAGUE")
    league.work()
    assert league.store.get(Player, 1).mail == erasing.GONE
    assert all(league.store.get(Letter, number).content for number in kept)
    assert all(league.store.get(Outgoing, number).content for number in sent)
    assert "No news" not in words(bob.ask("STATUS"))
