"""What is kept about a person is shown and erased whole, and the battles still verify."""

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.games.export import verify
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.people import personal_data
from pbem.settings.sections import PrivacySettings
from pbem.storage import Game, Letter, Outgoing, Player, StoreDown, Token
from tests.channels.test_channels import connect
from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, plain, words

STORY = "The rain over Avalon tasted of copper that night"
SECRET = "Meet me behind the third moon at seven"


def lived(league: League) -> tuple[Person, Person]:
    """Leave traces of Ann everywhere: a finished duel, a running one, letters, a post."""
    connect(league, {"paste": {"kind": "folder", "path": "posts", "format": "text"}})
    ann, bob = duel(league)
    ann.reply(f"{STANDING}\nSTORY\n{STORY}.", ann.last_about("G1-"))
    bob.reply(STANDING, bob.last_about("G1-"))
    league.work()
    while league.game.running:
        league.later(80)
        league.work()
    league.service.ports.posts.flush_all(league.now)
    ann.ask(f"TELL Kestrel\n{SECRET}.")
    league.work()
    bob.write("Thank you, but what did you mean?")
    ann.ask(f"PRESS\n{SECRET}, all of you.")
    league.work()
    ann.ask("ENLIST Merlin FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    ann.ask("PRACTICE WITH Merlin")
    return ann, bob


def bytes_of(league: League) -> bytes:
    """Return all that is in the database's files, with its values as text."""
    folder = league.settings.home
    raw = b"".join(file.read_bytes() for file in folder.glob("league.db*"))
    return b"".join([raw, *inflated(raw)]).lower()


def inflated(raw: bytes) -> Iterator[bytes]:
    """Yield what compressed letters hold, as far as they lie in some bytes in one piece."""
    for match in re.finditer(rb"x\x9c", raw):
        stream = zlib.decompressobj()
        with suppress(zlib.error):
            for at in range(match.start(), match.start() + 2**15, 256):
                yield stream.decompress(raw[at : at + 256])


def traces(league: League) -> list[str]:
    """Return what is still found of Ann in the database's files or in any letter kept."""
    raw = bytes_of(league)
    for content in (
        *league.store.all(Letter.select().order_by(Letter.id)),
        *league.store.all(Outgoing.select().order_by(Outgoing.id)),
    ):
        text = plain_of(content.content)
        raw += text.encode().lower()
    flat = b" ".join(raw.replace(b"=\r\n", b"").replace(b">", b" ").replace(b"|", b" ").split())
    secrets = ("ann@league.example", STORY, SECRET)
    return [one for one in secrets if one.lower().encode() in flat]


def plain_of(raw: bytes) -> str:
    from tests.support.players import parsed

    return plain(parsed(raw)) if raw else ""


def leave(league: League, ann: Person) -> None:
    """Have Ann leave, and confirm it."""
    asked = ann.ask("LEAVE LEAGUE")
    assert "Nothing has been done yet." in words(asked)
    assert len(traces(league)) == 3
    ann.reply("LEAVE LEAGUE", asked)


def test_nothing_is_left_of_who_leaves(league: League) -> None:
    ann, bob = lived(league)
    exported = league.service.export(league.store.get(Game, 1))
    leave(league, ann)
    [*_, farewell] = ann.new()
    assert farewell["Subject"].endswith("Farewell from Avalon League")
    league.work()
    league.later(24)
    league.work()
    assert traces(league) == []
    assert league.store.get(Player, ann_id(league)).name == f"Former player {ann_id(league)}"
    assert league.service.export(league.store.get(Game, 1)) == exported
    assert all(finding.ok for finding in verify(exported))
    assert list(fsck.check(league.store)) == []
    assert not any(game.running for game in league.store.all(Game.select().order_by(Game.id)))
    assert "how to join" in answer_of_a_stranger(ann)
    assert "no pilot or player" in words(bob.ask("TELL Hawk\nWhere are you?"))


def ann_id(league: League) -> int:
    """Return the number under which Ann joined."""
    return 1


def answer_of_a_stranger(ann: Person) -> str:
    ann.write("STATUS")
    return str(ann.new()[-1]["Subject"])


def test_a_running_duel_is_forfeited_and_its_opponent_told(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    league.work()
    assert not league.game.running
    assert "Hawk has surrendered: game 1 is over" in bob.new()[-1]["Subject"]


def test_fault_61_nobody_leaves_by_mistake(league: League) -> None:
    ann, _ = duel(league)
    asked = ann.ask("LEAVE LEAGUE")
    ann.reply("No, no!", asked)
    league.work()
    assert "Nothing has been done yet." in words(ann.ask("LEAVE LEAGUE", ann.last_about("Welcome")))
    league.later(24 * 8)
    assert "was not accepted" in ann.ask("LEAVE LEAGUE", asked)["Subject"]
    assert league.store.get(Player, ann_id(league)).confirmed


def test_letters_are_dropped_in_time_and_the_ledger_stays(league: League) -> None:
    ann, _ = duel(league)
    ten_days = PrivacySettings(keep_letters_days=10, keep_sent_days=10)
    league.store.run(Letter.update(state="shunted", error="it stumbled").where(Letter.id == 1))
    before = league.store.count(Letter.select())
    personal_data.clean(league.store, ten_days, league.now)
    for _ in range(11):
        league.later(24)
        league.work()
    personal_data.clean(
        league.store, PrivacySettings(keep_letters_days=0, keep_sent_days=0), league.now
    )
    assert all(letter.content for letter in league.store.all(Letter.select().order_by(Letter.id)))
    league.later(24)
    personal_data.clean(league.store, ten_days, league.now)
    assert [
        letter.id
        for letter in league.store.all(Letter.select().order_by(Letter.id))
        if letter.content
    ] == [1]
    assert league.store.count(Letter.select()) == before
    assert not any(
        row.content
        for row in league.store.all(
            Outgoing.select()
            .where(Outgoing.made < league.now - timedelta(days=10))
            .order_by(Outgoing.id)
        )
    )
    league.store.run(Letter.update(state="answered", error="").where(Letter.id == 1))
    assert [one for one in fsck.check(league.store) if one.part != "book"] == []
    with pytest.raises(StoreDown, match="letters were dropped"):
        rebuild(league.settings, league.settings.home / "new.db")
    ann.reply("READY", ann.last_about("G1-"))
    assert league.work().handled == 1


def test_who_never_confirmed_is_forgotten(league: League) -> None:
    dan = league.person("Dan")
    dan.write("JOIN Dan Example")
    league.work()
    for _ in range(15):
        league.later(24)
        league.work()
    assert league.store.count(Player.select()) == 0


def test_tokens_go_some_time_after_they_expired(league: League) -> None:
    duel(league)
    league.rule("PAUSE 1")
    before = {row.token for row in league.store.all(Token.select().order_by(Token.token))}
    of_the_battle = {
        row.token
        for row in league.store.all(Token.select().where(Token.game == 1).order_by(Token.token))
    }

    def left(*hours: float) -> set[str]:
        for each in hours:
            league.later(each)
            league.work()
        return before & {
            row.token for row in league.store.all(Token.select().order_by(Token.token))
        }

    assert left(24 * 59, *([24] * 14)) == before
    assert left(24, 24, 24) == of_the_battle != set()
    league.rule("DRAW 1")
    assert left(24 * 60, *([24] * 17)) == set()


class TestOnTheShell:
    @pytest.fixture
    def shell(self, league: League, monkeypatch: pytest.MonkeyPatch) -> Path:
        config = league.settings.home / "league.toml"
        config.write_text('[league]\nname = "A"\naddress = "referee@league.example"\n')
        monkeypatch.setenv("PBEM_CONFIG", str(config))
        return config

    def test_all_is_shown(
        self, league: League, shell: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lived(league)
        assert main(["person", "show", "Hawk", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["addresses"] == ["ann@league.example"]
        assert [game["seat"] for game in shown["games"]] == ["Hawk", "Merlin"]
        assert f"{STORY}." in shown["stories"][0]["text"]
        assert shown["letters_in"]
        assert shown["letters_out"]
        assert main(["person", "show", "ann@league.example"]) == 0
        out = capsys.readouterr().out
        assert "name: Ann Example" in out
        assert "\ngames:\n  game 1; seat Hawk\n" in out
        assert "{" not in out

    def test_erasing_asks_and_then_leaves_nothing(
        self, league: League, shell: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lived(league)
        assert main(["person", "erase", "Eve"]) == 2
        assert main(["person", "erase", "Ann Example"]) == 2
        assert "say --yes" in capsys.readouterr().err
        assert main(["person", "erase", "Ann Example", "--yes", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"erased": 1, "left": "Former player 1"}
        assert traces(league) == []
        with sqlite3.connect(league.settings.home / "league.db") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
