"""What a moderator looks up: status, players, games, letters; and names where numbers serve."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.commands.common import UsageError
from pbem.commands.lists import _since as since
from pbem.games import overview
from pbem.i18n.days import in_utc
from pbem.storage import stored_games
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import HAWK, address_of, words
from tests.support.program import pbem

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
LEAGUE = '[league]\nname = "Avalon"\naddress = "referee@league.example"\n'


class Desk:
    """A league with a duel, and its commands as a moderator types them."""

    def __init__(self, league: League, people: tuple[Person, Person], file: Path) -> None:
        self.league, self.people, self._file = league, people, file

    def text(self, *arguments: object) -> str:
        done = pbem("--config", self._file, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    def rows(self, *arguments: object) -> Any:
        return json.loads(self.text(*arguments, "--json"))

    def refused(self, *arguments: object) -> str:
        done = pbem("--config", self._file, *arguments)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
        return done.stderr.decode()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "league.toml").write_text(LEAGUE)
    with open_league(tmp_path) as league:
        yield Desk(league, duel(league), tmp_path / "league.toml")


def going_on(league: League) -> dict[str, list[str]]:
    """Return what goes on at the league's own time; the shell asks the clock of the machine."""
    found = overview.sections(league.store, league.settings, league.now, in_utc, 50)
    return {section.heading: list(section.lines) for section in found}


def test_status_lists_what_goes_on(desk: Desk) -> None:
    desk.league.rule("EXTEND 1 48h BECAUSE the mail was down")
    told = desk.text("status")
    assert "Running games:\n  game 1, StarPilot 3.1: Hawk against Kestrel; turn 1, due 2026-" in (
        told
    )
    assert "waits for Ann Example (Hawk) and Bob Example (Kestrel)\n" in told
    assert "game 1: the deadline is now" in told
    assert "the mail was down" in told
    assert set(desk.rows("status")["going_on"]) >= {"Running games", "Latest rulings"}


def test_new_players_are_told(desk: Desk) -> None:
    desk.league.later(24 * 15)
    desk.league.person("Cleo").join()
    [cleo] = going_on(desk.league)["New players"]
    assert cleo.startswith("Cleo Example, since 2026-11-17")


def test_status_names_the_late(desk: Desk) -> None:
    for _ in range(2):
        desk.league.later(73)
        desk.league.work()
    [game] = going_on(desk.league)["Running games"]
    assert "deadlines missed in a row: " in game


def test_status_names_who_fell_silent(desk: Desk) -> None:
    _, bob = desk.people
    desk.league.rule("EXTEND 1 30d")
    desk.league.later(24 * 13)
    bob.ask("SCAN")
    desk.league.later(24 * 2)
    [silent] = going_on(desk.league)["Silent, though a game goes on"]
    assert silent.startswith("Ann Example, since 2026-11-02")


def test_open_challenges_and_patrols_are_told(desk: Desk) -> None:
    cleo, dora = desk.league.person("Cleo"), desk.league.person("Dora")
    for person, pilot in ((cleo, "Finch"), (dora, "Kite")):
        person.join()
        person.ask(HAWK.replace("Hawk", pilot))
    cleo.ask("PATROL WITH Finch")
    dora.ask("CHALLENGE ANYBODY WITH Kite")
    duel_offer, patrol = going_on(desk.league)["Open challenges"]
    assert "Kite against anybody" in duel_offer
    assert patrol.startswith("Finch is on patrol since")


def test_status_tells_what_waits_for_the_moderator(desk: Desk) -> None:
    desk.league.rule("OPEN Hawk")
    told = desk.text("status")
    assert "What waits for you:\n" in told
    assert "  in game 1 the place of Hawk is open" in told


def test_a_damaged_game_hides_nothing_else(desk: Desk) -> None:
    stored_games.change_game(desk.league.store, 1, state="{")
    assert "Silent, though a game goes on" in desk.text("status")
    assert desk.text("games") == "No battle runs; --all lists all.\n"


def test_players_are_listed_with_what_they_lead_and_play(desk: Desk) -> None:
    [ann] = [line for line in desk.text("players").splitlines() if "Ann Example" in line]
    assert address_of("Ann") in ann
    assert "leads Hawk  plays game 1" in ann
    desk.league.rule("BAN Kestrel")
    [bob] = [row for row in desk.rows("players") if row["name"] == "Bob Example"]
    assert bob["state"] == "banned"


def test_games_are_listed_by_player(desk: Desk) -> None:
    assert "game 1, StarPilot 3.1: Hawk against Kestrel" in desk.text("games")
    [row] = desk.rows("games", "--player", "Ann Example")
    assert row["waits_for"][0] == {"player": "Ann Example", "seat": "Hawk", "missed_in_a_row": 0}
    desk.league.rule("DRAW Hawk")
    assert desk.text("games") == "No battle runs; --all lists all.\n"
    assert "won by nobody" in desk.text("games", "--all", "--player", "Kestrel")
    assert "nobody here has 'Dora'" in desk.refused("games", "--player", "Dora")


def test_letters_are_listed_by_player_and_time(desk: Desk) -> None:
    ann, _ = desk.people
    ann.ask("SCAN")
    lines = desk.text("letters", "--player", "Hawk", "--since", "2026-01-01").splitlines()
    [last] = [line for line in lines if "  in  " in line][-1:]
    letter = desk.league.last_letter()
    assert f"  in  {letter.id}  answered  human  Hello" in last or f"  in  {letter.id}  " in last
    assert any("  out  " in line and "Hawk" in line for line in lines)
    assert not any(address_of("Bob") in line for line in lines)
    # What the list names is what `explain` takes.
    assert "TAKES IT" in desk.text("explain", letter.id)
    assert "as the league is today" in desk.text("explain", letter.id)
    assert "--since tomorrow: write today, yesterday" in desk.refused(
        "letters", "--since", "tomorrow"
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("today", "2026-11-24T00:00:00+00:00"),
        ("Yesterday", "2026-11-23T00:00:00+00:00"),
        ("36h", "2026-11-23T00:00:00+00:00"),
        ("3 days ago", "2026-11-21T12:00:00+00:00"),
        ("2w", "2026-11-10T12:00:00+00:00"),
        ("2026-11-20", "2026-11-20T00:00:00+00:00"),
        ("2026-11-20 08:00+01:00", "2026-11-20T08:00:00+01:00"),
    ],
)
def test_since_takes_days_as_people_say_them(written: str, expected: str) -> None:
    assert since(written, NOON).isoformat() == expected


def test_since_refuses_what_is_no_time() -> None:
    with pytest.raises(UsageError, match="--since soon"):
        since("soon", NOON)


@pytest.mark.parametrize("name", ["1", "G1", "Hawk", "kestrel", "Ann Example"])
def test_a_name_serves_where_a_games_number_does(desk: Desk, name: str) -> None:
    assert "game: G1\n" in desk.text("game", name)
    assert "game 1: the deadline is now" in desk.text("gm", "EXTEND", name, "2", "days")


def test_a_name_in_several_games_is_asked_about(desk: Desk) -> None:
    ann, _ = desk.people
    ann.ask("PRACTICE WITH Hawk")
    assert "Hawk is in games 1, 2; write the number of one of them" in desk.refused("game", "Hawk")


@pytest.mark.league(moderator=address_of("Mona"))
@pytest.mark.parametrize(
    ("language", "expected"), [("en", "Running games"), ("de", "Laufende Spiele")]
)
def test_the_moderator_asks_by_mail(
    league: League, people: tuple[Person, Person], language: str, expected: str
) -> None:
    mona = league.person("Mona")
    mona.join()
    mona.ask(f"LANGUAGE {language}")
    told = words(mona.ask(f"KEY {mona.key}\nGM STATUS"))
    assert expected.upper() in told
    assert "Hawk against Kestrel" in told.replace(" gegen ", " against ")
    assert "Ann Example (Hawk)" in told
    ann, _ = people
    assert "for the league's moderator" in words(ann.ask(f"KEY {ann.key}\nGM STATUS"))
