"""A second process that reads letters before they are asked for."""

import subprocess
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem import reading_process, second_process
from pbem.intake import Limits, Reading, read_letter
from pbem.reading_process import PORTION, ReadingProcess
from tests.harness import open_house

LIMITS = Limits(ours=("referee@league.example",))
RAW = {file.read_bytes(): None for file in sorted(Path("tests/letters").glob("*.eml"))}
LETTERS = [(sha256(letter).hexdigest(), letter) for letter in RAW]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Return the processes that are begun; all must have ended."""
    found: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            found.append(self)

    monkeypatch.setattr(second_process.subprocess, "Popen", Noted)
    monkeypatch.setattr(reading_process.os, "cpu_count", lambda: 2)
    yield found
    assert all(process.returncode is not None for process in found)


class Asked(Exception):
    """A letter was read here, not there."""


def here(letter: bytes, limits: Limits) -> Reading:
    """Refuse to read."""
    raise Asked


def there(ahead: ReadingProcess, letter: tuple[str, bytes]) -> Reading:
    """Return a reading of the second process, once it is ready."""
    while True:
        try:
            return ahead.reading(*letter)
        except Asked:
            continue


def test_every_letter_reads_alike_in_the_second_process(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "read_letter", here)
    with ReadingProcess(LIMITS) as ahead:
        ahead.expect(LETTERS)
        for letter in LETTERS:
            assert there(ahead, letter) == read_letter(letter[1], LIMITS)
        with pytest.raises(Asked):
            ahead.reading(*LETTERS[0])
    assert len(begun) == 1


def test_letters_are_read_here_where_the_second_process_was_killed(
    begun: list[subprocess.Popen[bytes]],
) -> None:
    with ReadingProcess(LIMITS) as ahead:
        ahead.expect(LETTERS[:PORTION])
        begun[0].kill()
        ahead.expect(LETTERS)
        for letter in LETTERS:
            assert ahead.reading(*letter) == read_letter(letter[1], LIMITS)


def test_letters_are_read_here_where_no_second_process_can_be_begun(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process.sys, "executable", "no/such/python")
    with ReadingProcess(LIMITS) as ahead:
        ahead.expect(LETTERS)
        assert ahead.reading(*LETTERS[0]) == read_letter(LETTERS[0][1], LIMITS)
    assert not begun


def test_few_letters_or_one_processor_begin_no_second_process(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ReadingProcess(LIMITS) as ahead:
        ahead.expect(LETTERS[: PORTION - 1])
    monkeypatch.setattr(reading_process.os, "cpu_count", lambda: 1)
    with ReadingProcess(LIMITS) as ahead:
        ahead.expect(LETTERS)
        assert ahead.reading(*LETTERS[0]) == read_letter(LETTERS[0][1], LIMITS)
    assert not begun


def test_a_backlog_is_answered_by_what_the_second_process_has_read(
    tmp_path: Path, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_here: list[bytes] = []

    def noted(letter: bytes, limits: Limits) -> Reading:
        read_here.append(letter)
        time.sleep(0.01)  # or else all are answered before the second process has begun
        return read_letter(letter, limits)

    monkeypatch.setattr(reading_process, "read_letter", noted)
    with open_house(tmp_path, limits={"letters_a_day": 1000}) as house:
        ann = house.person("Ann")
        for number in range(300):
            ann.write(f"JOIN Ann\nThis is letter {number}.")
        house.work()
        assert house.store.letters.count(state="received") == 0
    assert len(begun) == 1
    assert len(read_here) < 300


def test_a_round_that_fails_ends_the_second_process(
    tmp_path: Path, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_house(tmp_path) as house:
        for number in range(250):
            house.person("Ann").write(f"JOIN Ann\nThis is letter {number}.")
        monkeypatch.setattr(house.store, "unmoved", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            house.work()
    assert len(begun) == 1
