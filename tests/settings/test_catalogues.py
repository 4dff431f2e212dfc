"""A league's own catalogue: read at start, errors reported, and used by new squadrons alone."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.blackskies.league_catalogue import USUAL, catalogue
from pbem.cli import main
from pbem.games.export import export, verify
from pbem.maintenance import backup, founding
from pbem.settings import SettingsError
from pbem.settings.load import load
from tests.support.harness import START, League, open_league
from tests.support.players import REFEREE, words
from tests.support.program import write_league

SHIPPED = founding.EXAMPLE.parent / "blackskies.toml"
FOX = """
[designs.Fox]
weight = "light"
thrusters = ["rear"]
weapons = ["Laser Cannon"]
armour = 0
shields = 0
"""


def league(folder: Path, text: str, name: str = "blackskies.toml") -> Path:
    """A league whose catalogue is a text."""
    (folder / "blackskies.toml").write_text(text)
    head = {"name": "Avalon League", "address": REFEREE}
    return write_league(folder, {"league": head, "catalogues": {"blackskies": name}})


def test_the_file_that_is_shipped_is_the_programs_own_catalogue() -> None:
    assert catalogue(tomllib.loads(SHIPPED.read_text("utf-8"))) == USUAL


def test_a_new_league_has_the_file_and_one_that_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "blackskies.toml").write_text(FOX)
    file = founding.found_league(tmp_path, {})
    assert set(load(file, {}).stock("blackskies").designs) == {"Black Tiger", "Fox"}
    other = founding.found_league(tmp_path / "other", {})
    assert load(other, {}).stock("blackskies") == USUAL


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("[designs.Fox", "blackskies.toml", "blackskies.toml is not TOML: Expected"),
        (FOX, "other.toml", "other.toml can't be read (No such file or directory)"),
        (FOX, "../blackskies.toml", "must be the name of a file next to league.toml"),
        (
            FOX.replace("armour = 0", "armour = 2"),
            "blackskies.toml",
            "blackskies.toml: catalogue.designs.Fox.armour: 2 is not a whole number from 0 to 1",
        ),
        (
            FOX.replace("Laser Cannon", "Lazer"),
            "blackskies.toml",
            "catalogue.designs.Fox.weapons[0]: 'Lazer' is none of Laser Cannon",
        ),
        (
            FOX.replace("shields = 0", "shields = 2"),
            "blackskies.toml",
            "weapons, armour and shields take 3 hardpoints, and a light fighter has 2 (BS-5)",
        ),
        (FOX + "speed = 9\n", "blackskies.toml", "catalogue.designs.Fox.speed means nothing"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, name: str, expected: str
) -> None:
    file = league(tmp_path, text, name)
    assert main(["--config", str(file), "status"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("pbem: [catalogues] blackskies")
    assert expected in line
    assert main(["--config", str(file), "check"]) == 2
    assert expected in capsys.readouterr().err


def test_a_system_without_a_catalogue_is_named(tmp_path: Path) -> None:
    head = {"name": "Avalon League", "address": REFEREE}
    file = write_league(tmp_path, {"league": head, "catalogues": {"starpilot": "x.toml"}})
    with pytest.raises(SettingsError, match="starpilot has none; known are blackskies"):
        load(file, {})


def with_stock(league: League, raw: dict[str, Any]) -> None:
    """Reopen a league with another catalogue."""
    stocks = {"blackskies": catalogue(raw)}
    league.settings = replace(league.settings, stocks=stocks)
    league.service.ports = replace(league.service.ports, settings=league.settings)


def test_a_changed_catalogue_is_felt_by_new_squadrons_alone(tmp_path: Path) -> None:
    with open_league(tmp_path) as league:
        ann, bob = league.person("Ann"), league.person("Bob")
        for person, name in ((ann, "Hawks"), (bob, "Kites")):
            person.join()
            person.ask("DESIGN Wolf: MEDIUM, REAR, Tail Gun, Autocannon")
            person.ask(f"SQUADRON {name} WITH {name[0]}: Gadfly SKILL 2; {name[1]}: Wolf SKILL 2")
        ann.ask("CHALLENGE Kites WITH Hawks FIRST me")
        bob.new()
        bob.ask("ACCEPT 1")
        ann.new()
        with_stock(league, tomllib.loads(FOX))
        assert "there is no design called Gadfly" in words(
            ann.ask("SQUADRON Gnats WITH G: Gadfly SKILL 2")
        )
        assert "Wolf has weapons that are no longer in the catalogue" in words(
            ann.ask("SQUADRON Gnats WITH G: Wolf SKILL 2")
        )
        listed = words(ann.ask("DESIGNS"))
        lost = "Wolf has weapons that are no longer in the catalogue: Tail Gun, Autocannon."
        assert lost in listed
        assert "Gadfly" not in listed
        assert "Gadfly, light: hull 4" in words(ann.ask("SHEET Hawks"))
        for _ in range(2):
            ann.reply("H: STEADY\na: STEADY")
            bob.reply("K: STEADY\ni: STEADY")
            league.work()
        bob.reply("K: SURRENDER\ni: SURRENDER")
        ann.reply("H: STEADY\na: STEADY")
        league.work()
        assert not league.game.running
        with_stock(league, {})
        assert all(finding.ok for finding in verify(export(league.store, league.game)))
        assert "Battles 1, won 1" in words(ann.ask("SHEET Hawks"))


def test_a_backup_takes_the_catalogue_along(tmp_path: Path) -> None:
    file = league(tmp_path, FOX)
    with open_league(tmp_path):
        pass
    made = backup.make(load(file, {}), file, tmp_path / "copies", START)
    new = tmp_path / "new" / "league.toml"
    new.parent.mkdir()
    assert set(backup.unpack_config(made.file, new)) == {"league.toml", "blackskies.toml"}
    assert load(new, {}).stock("blackskies").designs["Fox"].weight == "light"
