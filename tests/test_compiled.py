"""Templates that are kept compiled between runs of the program."""

import os
import shutil
from pathlib import Path

import pytest

from pbem.office import TEMPLATES
from pbem.press import LeagueFacts, Press
from pbem.press import compiled as room
from pbem.press.compiled import Compiled, kept_in, make_room

LEAGUE = LeagueFacts("Avalon", "referee@league.example", {})
FACTS = {"player": {"name": "Ann"}, "reply": {"token": "a" * 16, "address": "r@x.example"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder that a daemon makes."""
    made = tmp_path / "kept"
    make_room(made)
    return made


def page(folder: Path | None, templates: Path = TEMPLATES, language: str = "en") -> str:
    """Fill in a letter."""
    return Press(LEAGUE, templates, folder).page("refused", None, language, **FACTS).text


def kept(folder: Path) -> dict[str, int]:
    """Give the files that were kept, and when each was written."""
    return {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_kept_says_the_same(folder: Path, language: str) -> None:
    plain, first = page(None, language=language), page(folder, language=language)
    written = kept(folder)
    assert page(folder, language=language) == first == plain
    assert kept(folder) == written
    assert written


def test_a_template_that_was_changed_is_compiled_anew(tmp_path: Path, folder: Path) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(TEMPLATES, templates)
    before = page(folder, templates)
    letter = templates / "letters" / "refused.j2"
    letter.write_text(letter.read_text("utf-8").replace("letter", "epistle"), "utf-8")
    assert "epistle" not in before
    assert "epistle" in page(folder, templates)


def test_another_program_compiles_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, before = page(folder), kept(folder)
    monkeypatch.setattr(room, "_compiler", lambda: "another")
    assert page(folder) == text
    after = kept(folder)
    assert after.keys() == before.keys()
    assert all(after[name] > before[name] for name in before)


def test_what_is_damaged_is_compiled_anew(folder: Path) -> None:
    text = page(folder)
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[:60])
    assert page(folder) == text


def test_a_folder_that_takes_nothing_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    make_room(tmp_path / "file")
    assert page(tmp_path / "file") == page(tmp_path / "none") == page(None)
    full = Compiled(str(tmp_path / "gone"), "%s")
    press = Press(LEAGUE, TEMPLATES)
    made = press.letters("en")
    made.bytecode_cache = full
    assert made.get_template("letters/notice.j2").name == "letters/notice.j2"


def test_nothing_of_anybody_elses_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept_in(folder, "letters") is not None
    assert folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(room.os, "geteuid", lambda: os.getuid() + 1)
    assert kept_in(folder, "letters") is None
