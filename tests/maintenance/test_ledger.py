"""The ledger of letters as the moderator sees it: explain, and the shunted letters."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from pbem import cli
from pbem.handlers.request import Verdict
from pbem.routing import router
from pbem.service.service import Service
from pbem.storage import Letter, Outgoing, Token
from tests.support.harness import League, Person
from tests.support.players import REFEREE, letter
from tests.support.program import Run, beside, write_league


@pytest.fixture
def run(league: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on the league; return status, output and errors."""
    section = {"name": "Avalon League", "address": REFEREE}
    file = write_league(tmp_path, {"league": section, "store": {"url": league.store.url}})

    return beside(league.store, file, capsys)


def break_on(monkeypatch: pytest.MonkeyPatch, words: bytes) -> None:
    """Make the router fail at letters with these words."""
    whole = router.handle

    def handle(service: Service, one: Letter, now: datetime) -> Verdict:
        verdict = whole(service, one, now)
        if words in one.content:
            raise ZeroDivisionError("the desk breaks \x1b[31m")
        return verdict

    monkeypatch.setattr(router, "handle", handle)


def rows(out: str) -> list[tuple[str, bool]]:
    """The rows that were asked, and whether each took the letter."""
    return [(row["row"], row["why"] is not None) for row in json.loads(out)["rows"]]


class TestExplain:
    def test_of_a_kept_letter_names_all_rows_up_to_the_one_that_took_it(
        self, league: League, run: Run
    ) -> None:
        league.person("Ann").write("JOIN Ann Example")
        league.work()
        _, out, _ = run("explain", 1, "--json")
        asked = rows(out)
        assert asked[0] == ("delivery status", False)
        assert [name for name, took in asked if took] == ["human", "no player yet"]
        assert asked[-1] == ("no player yet", True)
        assert json.loads(out)["ledger"]["state"] == "answered"

    def test_acts_upon_nothing(self, league: League, ann: Person, run: Run) -> None:
        count = (league.store.count(Outgoing.select()), league.store.count(Token.select()))
        ann.write("HISTORY")
        file = league.maildir.parent / "one.eml"
        file.write_bytes(ann.sent[-1].as_bytes())
        status, out, _ = run("explain", file)
        assert status == 0
        assert "TAKES IT: no valid token and no key" in out
        assert count == (league.store.count(Outgoing.select()), league.store.count(Token.select()))
        assert league.store.count(Letter.select()) == 2

    def test_tells_a_letter_with_a_token_from_one_without(self, ann: Person, run: Run) -> None:
        ann.ask("HELP")
        assert rows(run("explain", 3, "--json")[1])[-1] == ("a player's letter", True)

    def test_of_a_machine_letter_says_why(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one").write_bytes(b"From: b@x.example\nAuto-Submitted: auto-replied\n\nFIRE")
        _, out, _ = run("explain", tmp_path / "one", "--json")
        assert [name for name, took in rows(out) if took] == [
            "auto-submitted",
            "not a person's letter",
        ]

    def test_needs_no_league_for_a_file(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "one").write_bytes(letter("Ann", "FIRE", 1).as_bytes())
        config = ["--config", str(tmp_path / "no.toml")]
        assert cli.main([*config, "explain", str(tmp_path / "one")]) == 0
        assert re.search(r"intake \d+  human +TAKES IT", capsys.readouterr().out)

    def test_of_what_goes_over_a_cap(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one").write_bytes(b"X: " + b"y" * 200_000 + b"\n\n")
        assert rows(run("explain", tmp_path / "one", "--json")[1])[0] == ("over a cap", True)

    def test_of_nothing_is_one_line(self, run: Run) -> None:
        for what in (99, "nowhere.eml"):
            status, out, err = run("explain", what)
            assert (status, out, err.count("\n")) == (2, "", 1)


class TestShunted:
    @pytest.fixture
    def shunted(self, league: League, monkeypatch: pytest.MonkeyPatch) -> Letter:
        break_on(monkeypatch, b"JOIN Cat")
        league.person("Cat").write("JOIN Cat Example")
        for _ in range(3):
            league.work()
        monkeypatch.undo()
        return league.last_letter()

    def test_fault_14_is_listed_and_shown_with_its_traceback(
        self, run: Run, shunted: Letter
    ) -> None:
        _, listed, _ = run("shunted", "list")
        assert listed.startswith(f"{shunted.id}  ")
        _, shown, _ = run("shunted", "show", shunted.id)
        assert "ZeroDivisionError: the desk breaks" in shown
        assert "JOIN Cat Example" in shown
        assert "\x1b" not in listed + shown
        _, told, _ = run("shunted", "show", shunted.id, "--json")
        assert json.loads(told)["traceback"].startswith("Traceback")

    def test_is_answered_after_a_retry(self, league: League, run: Run, shunted: Letter) -> None:
        assert run("shunted", "retry", shunted.id)[0] == 0
        assert "confirm" in league.person("Cat").new()[-1]["Subject"].lower()
        assert league.last_letter().state == "answered"
        assert run("shunted", "list", "--json")[1] == "[]\n"

    def test_is_dropped_with_a_reason_only(self, league: League, run: Run, shunted: Letter) -> None:
        assert run("shunted", "drop", shunted.id)[0] == 2
        assert run("shunted", "drop", shunted.id, "--reason", " a  test")[0] == 0
        dropped = league.last_letter()
        assert (dropped.state, dropped.reason) == ("discarded", "dropped by the moderator: a test")
        [told] = league.person("Cat").new()
        assert "could not be handled" in told["Subject"]

    def test_refuses_letters_that_are_not(self, run: Run) -> None:
        for arguments in (("show", 99), ("retry", 1), ("drop", 1, "--reason", "x"), ("show",)):
            status, out, err = run("shunted", *arguments)
            assert (status, out, err.count("\n")) == (2, "", 1)
