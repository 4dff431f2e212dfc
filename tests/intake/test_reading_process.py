"""A second process that reads large letters."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import child_process, round_tasks
from pbem.intake import Limits, read_letter
from pbem.reading_process import ReadingFailed, ReadingProcess
from pbem.routing.incoming import SMALL
from tests.support.harness import open_league
from tests.support.paths import LETTERS
from tests.support.players import letter

LIMITS = Limits(ours=("referee@league.example",))
ALL = [file.read_bytes() for file in sorted(LETTERS.glob("*.eml"))]
LARGE = b"Subject: x\r\n\r\n" + b"word " * SMALL


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Return the processes that are begun; all must have ended."""
    found: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            found.append(self)

    monkeypatch.setattr(child_process.subprocess, "Popen", Noted)
    yield found
    assert all(process.returncode is not None for process in found)


def test_every_letter_reads_alike_in_the_second_process(
    begun: list[subprocess.Popen[bytes]],
) -> None:
    with ReadingProcess(LIMITS) as reader:
        assert [reader.read(one) for one in ALL] == [read_letter(one, LIMITS) for one in ALL]
    assert len(begun) == 1


@pytest.mark.parametrize(("more", "processes"), [(0, 0), (1, 1)])
def test_only_a_large_letter_begins_a_second_process(
    tmp_path: Path, begun: list[subprocess.Popen[bytes]], more: int, processes: int
) -> None:
    with open_league(tmp_path) as league:
        small = letter("Ann", "JOIN Ann Example", 1).as_bytes()
        league.drop(small.ljust(SMALL + more))
        league.work()
        assert league.last_letter().state == "answered"
    assert len(begun) == processes


def test_outside_the_block_the_process_ends_with_each_letter(
    begun: list[subprocess.Popen[bytes]],
) -> None:
    reader = ReadingProcess(LIMITS)
    for number in (1, 2):
        assert reader.read(LARGE) == read_letter(LARGE, LIMITS)
        assert begun[number - 1].returncode is not None
    assert len(begun) == 2


def test_another_process_follows_one_that_was_killed(
    begun: list[subprocess.Popen[bytes]],
) -> None:
    with ReadingProcess(LIMITS) as reader:
        reader.read(LARGE)
        begun[0].kill()
        with pytest.raises(ReadingFailed):
            reader.read(LARGE)
        assert reader.read(LARGE) == read_letter(LARGE, LIMITS)
    assert len(begun) == 2


def test_letters_are_read_here_where_no_second_process_can_be_begun(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process.sys, "executable", "no/such/python")
    with ReadingProcess(LIMITS) as reader:
        assert reader.read(LARGE) == read_letter(LARGE, LIMITS)
    assert not begun


def test_a_round_that_fails_ends_the_second_process(
    tmp_path: Path, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_league(tmp_path) as league:
        league.person("Ann").write("JOIN Ann\n" + "This is a letter. " * SMALL)
        monkeypatch.setattr(round_tasks, "of_letters", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            league.work()
    assert len(begun) == 1
