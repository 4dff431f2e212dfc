"""What is kept about a person is shown and erased whole, and the battles still verify."""

import json
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.games.export import verify
from pbem.maintenance import fsck
from pbem.maintenance.rebuild import rebuild
from pbem.people import persons
from pbem.settings.sections import PrivacySettings
from pbem.storage import StoreDown, models
from tests.harness import House, Person, duel, open_house
from tests.players import STANDING, plain, words
from tests.test_channels import connect

STORY = "The rain over Avalon tasted of copper that night"
SECRET = "Meet me behind the third moon at seven"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as opened:
        yield opened


def lived(house: House) -> tuple[Person, Person]:
    """Leave traces of Ann everywhere: a finished duel, a running one, letters, a post."""
    connect(house, {"paste": {"kind": "folder", "path": "posts", "format": "text"}})
    ann, bob = duel(house)
    ann.reply(f"{STANDING}\n{STORY}.", ann.last_about("G1-"))
    bob.reply(STANDING, bob.last_about("G1-"))
    house.work()
    while house.game.running:
        house.later(80)
        house.work()
    house.service.ports.posts.flush(house.now)
    ann.ask(f"TELL Kestrel\n{SECRET}.")
    house.work()
    bob.reply("Thank you.", bob.last_about("A letter from"))
    ann.ask(f"PRESS\n{SECRET}, all of you.")
    house.work()
    ann.ask("ENLIST Merlin FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S")
    ann.ask("PRACTICE WITH Merlin")
    return ann, bob


def bytes_of(house: House) -> bytes:
    """Return all that is in the database's files, with its values as text."""
    folder = house.settings.home
    return b"".join(file.read_bytes().lower() for file in folder.glob("league.db*"))


def traces(house: House) -> list[str]:
    """Return what is still found of Ann in the database's files or in any letter kept."""
    raw = bytes_of(house)
    for content in (*house.store.letters.all(), *house.store.outbox.all()):
        text = plain_of(content.content)
        raw += text.encode().lower()
    flat = b" ".join(raw.replace(b"=\r\n", b"").replace(b">", b" ").replace(b"|", b" ").split())
    secrets = ("ann@league.example", "Ann Example", STORY, SECRET)
    return [one for one in secrets if one.lower().encode() in flat]


def plain_of(raw: bytes) -> str:
    from tests.players import parsed

    return plain(parsed(raw)) if raw else ""


def leave(house: House, ann: Person) -> None:
    """Have Ann leave, and confirm it."""
    asked = ann.ask("LEAVE LEAGUE")
    assert "Nothing has been done yet." in words(asked)
    assert len(traces(house)) == 4
    ann.reply("LEAVE LEAGUE", asked)


def test_nothing_is_left_of_who_leaves(house: House) -> None:
    ann, bob = lived(house)
    exported = house.service.export(house.store.games.get(1))
    leave(house, ann)
    [*_, farewell] = ann.new()
    assert farewell["Subject"].endswith("Farewell from Avalon League")
    house.work()
    assert traces(house) == []
    assert house.store.players.get(ann_id(house)).name == f"Former player {ann_id(house)}"
    assert house.service.export(house.store.games.get(1)) == exported
    assert all(finding.ok for finding in verify(exported))
    assert list(fsck.check(house.store)) == []
    assert not any(game.running for game in house.store.games.all())
    assert "how to join" in answer_of_a_stranger(ann)
    assert "no pilot or player" in words(bob.ask("TELL Hawk\nWhere are you?"))


def ann_id(house: House) -> int:
    """Return the number under which Ann joined."""
    return 1


def answer_of_a_stranger(ann: Person) -> str:
    ann.write("STATUS")
    return str(ann.new()[-1]["Subject"])


def test_a_running_duel_is_forfeited_and_its_opponent_told(house: House) -> None:
    ann, bob = duel(house)
    ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    house.work()
    assert not house.game.running
    assert "the victory is Kestrel's" in bob.new()[-1]["Subject"]


def test_fault_61_nobody_leaves_by_mistake(house: House) -> None:
    ann, _ = duel(house)
    asked = ann.ask("LEAVE LEAGUE")
    ann.reply("No, no!", asked)
    house.work()
    assert "Nothing has been done yet." in words(ann.ask("LEAVE LEAGUE", ann.last_about("Welcome")))
    house.later(24 * 8)
    assert "was not accepted" in ann.ask("LEAVE LEAGUE", asked)["Subject"]
    assert house.store.players.get(ann_id(house)).confirmed


def test_letters_are_dropped_in_time_and_the_ledger_stays(house: House) -> None:
    ann, _ = duel(house)
    house.store.letters.change(1, state="shunted", error="it stumbled")
    before = house.store.letters.count()
    persons.clean(house.store, PrivacySettings(keep_letters_days=10), house.now)
    for _ in range(11):
        house.later(24)
        house.work()
    persons.clean(house.store, PrivacySettings(keep_letters_days=0), house.now)
    assert all(letter.content for letter in house.store.letters.all())
    house.later(24)
    persons.clean(house.store, PrivacySettings(keep_letters_days=10), house.now)
    assert [letter.id for letter in house.store.letters.all() if letter.content] == [1]
    assert house.store.letters.count() == before
    assert not any(
        row.content for row in house.store.outbox.all(made__lt=house.now - timedelta(days=10))
    )
    house.store.letters.change(1, state="answered", error="")
    assert [one for one in fsck.check(house.store) if one.part != "book"] == []
    with pytest.raises(StoreDown, match="letters were dropped"):
        rebuild(house.settings, house.settings.home / "new.db")
    models.database.initialize(house.store.database)  # rebuild has opened others
    ann.reply("READY", ann.last_about("G1-"))
    assert house.work().handled == 1


def test_who_never_confirmed_is_forgotten(house: House) -> None:
    dan = house.person("Dan")
    dan.write("JOIN Dan Example")
    house.work()
    for _ in range(15):
        house.later(24)
        house.work()
    assert house.store.players.count() == 0


class TestOnTheShell:
    @pytest.fixture
    def shell(self, house: House, monkeypatch: pytest.MonkeyPatch) -> Path:
        config = house.settings.home / "league.toml"
        config.write_text('[league]\nname = "A"\naddress = "referee@league.example"\n')
        monkeypatch.setenv("PBEM_CONFIG", str(config))
        return config

    def test_all_is_shown(
        self, house: House, shell: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lived(house)
        assert main(["person", "show", "Hawk", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["addresses"] == ["ann@league.example"]
        assert [game["seat"] for game in shown["games"]] == ["Hawk", "Merlin"]
        assert f"{STORY}." in shown["stories"][0]["text"]
        assert shown["letters_in"]
        assert shown["letters_out"]
        assert main(["person", "show", "ann@league.example"]) == 0
        assert "name: Ann Example" in capsys.readouterr().out

    def test_erasing_asks_and_then_leaves_nothing(
        self, house: House, shell: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lived(house)
        assert main(["person", "erase", "Eve"]) == 2
        assert main(["person", "erase", "Ann Example"]) == 2
        assert "say --yes" in capsys.readouterr().err
        assert main(["person", "erase", "Ann Example", "--yes", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"erased": 1, "left": "Former player 1"}
        assert traces(house) == []
        with sqlite3.connect(house.settings.home / "league.db") as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
