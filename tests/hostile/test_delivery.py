"""What servers write above a letter: new trace lines, loops, and a first line that is a field."""

import json
from pathlib import Path

import pytest

from pbem.intake import Limits, digest, read_letter
from pbem.storage import Letter
from tests.support.harness import League
from tests.support.players import REFEREE, letter
from tests.support.program import Run, beside, write_league

PLAIN = (
    b"From: ann@players.example\r\nTo: r@x.example\r\nMessage-ID: <1@x>\r\nSubject: x\r\n"
    b"\r\nSCAN\r\n"
)


def test_hostile_5_a_redelivery_with_another_received_line_is_the_same_letter(
    league: League,
) -> None:
    raw = letter("Ann", "JOIN Ann Example", 1).as_bytes()
    for server in (b"mx1", b"mx2"):
        league.drop(b"Received: by " + server + b".example; today\n" + raw)
        league.work()
        league.later(0.1)
    assert [one.klass for one in league.store.all(Letter.select().order_by(Letter.id))] == [
        "human",
        "duplicate",
    ]
    assert len(league.person("Ann").letters) == 1


@pytest.mark.parametrize(
    "field",
    [b"Received: by mx", b"Return-Path: <a@x>", b"Delivered-To: r@x", b"Authentication-Results: y"],
)
def test_hostile_5_what_servers_write_makes_no_other_letter(field: bytes) -> None:
    assert digest(field + b"\r\n" + PLAIN) == digest(PLAIN.replace(b"\r\n", b"\n"))


@pytest.mark.parametrize("part", [b"SCAN", b"Subject: x", b"ann@", b"To: r"])
def test_hostile_5_what_the_writer_wrote_does(part: bytes) -> None:
    assert digest(PLAIN.replace(part, part + b"k")) != digest(PLAIN)


def test_hostile_5_our_own_mark_is_read() -> None:
    limits = Limits(ours=("referee@league.example",))
    raw = b"X-PBEM-Loop: referee@league.example\r\n" + PLAIN
    assert read_letter(raw, limits).klass == "autoreply"
    assert read_letter(raw.replace(b"league", b"other"), limits).klass == "human"


@pytest.mark.parametrize(("hops", "klass"), [(49, "human"), (50, "autoreply")])
def test_hostile_5_fifty_hops_are_a_loop(hops: int, klass: str) -> None:
    assert read_letter(b"Received: by x\r\n" * hops + PLAIN).klass == klass


@pytest.mark.parametrize("line", [b"From : ann@players.example", b"From \t: ann@players.example"])
def test_hostile_5_a_first_line_that_is_a_field_is_one(line: bytes) -> None:
    reading = read_letter(line + b"\nSubject: x\n\nSCAN")
    assert (reading.sender, reading.text) == ("ann@players.example", "SCAN")
    twice = read_letter(line + b"\nFrom: bob@players.example\nSubject: x\n\nSCAN")
    assert (twice.klass, twice.sender) == ("refused", None)


def test_hostile_5_a_line_of_an_mbox_is_still_none() -> None:
    assert read_letter(b"From ann Mon Nov 2 12:00 2026\n" + PLAIN).text == "SCAN"


@pytest.fixture
def run(league: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    section = {"name": "Avalon League", "address": REFEREE}
    file = write_league(tmp_path, {"league": section, "store": {"url": league.store.url}})
    return beside(league.store, file, capsys)


def test_hostile_1_a_letter_that_waits_can_be_shown_and_dropped(league: League, run: Run) -> None:
    league.person("Cat").write("JOIN Cat Example")
    for _ in league.service.keep(league.mailbox, league.now):
        pass
    assert "JOIN Cat" in run("shunted", "show", 1)[1]
    assert run("shunted", "drop", 1, "--reason", "a bomb")[0] == 0
    league.work()
    dropped = league.last_letter()
    assert (dropped.state, dropped.klass) == ("discarded", "dropped")
    assert league.person("Cat").new() == []


def test_hostile_1_a_letter_that_was_answered_is_shown_but_not_dropped(
    league: League, run: Run
) -> None:
    league.person("Cat").write("JOIN Cat Example")
    league.work()
    assert run("shunted", "drop", 1, "--reason", "x")[0] == 2
    assert json.loads(run("shunted", "show", 1, "--json")[1])["letter"] == 1
