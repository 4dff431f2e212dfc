"""The demo: a whole duel by mail, its letters on disk, and a person against a house pilot."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pbem.demo.duel import demonstrate
from pbem.demo.interactive import play
from pbem.demo.letter import ShownLetter
from pbem.demo.letter_archive import INDEX, MARKER
from pbem.demo.page import first_lines, first_words

pytestmark = pytest.mark.xdist_group("demo")
STANDING = """\
STANDING
IF UNDETECTED: SCAN
IF FIRED ON: JINK
IF LAUNCHED AT: ECM
IF FAR: CLOSE
IF ADVANTAGE: FIRE
ELSE: DOGFIGHT
END"""

PLAYED = (
    "JOIN Cass Hill",
    "",
    "ENLIST Owl FOR league WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Wright 1903S",
    "CHALLENGE Kestrel WITH Owl",
    STANDING,
    "READY",
    "RULES",
)


class Links(HTMLParser):
    """Collects what a page links to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def letters_in(folder: Path) -> dict[str, ShownLetter]:
    return {path.stem: ShownLetter(path.read_bytes()) for path in sorted(folder.glob("*.eml"))}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo in a folder where an earlier one has been, and where a file is not the demo's."""
    folder = tmp_path_factory.mktemp("demo") / "letters"
    folder.mkdir()
    (folder / MARKER).write_text("001-to-referee.eml\nold.txt\n../outside\n")
    (folder / "old.txt").touch()
    (folder / "mine.txt").touch()
    assert demonstrate(folder) == 0
    return folder


def test_the_duel_is_played_to_its_end_and_its_dice_agree(shown: Path) -> None:
    page = (shown / INDEX).read_text("utf-8")
    assert re.search(r"has won|is a draw", page)
    assert "pbem verify says yes; the referee&#x27;s own export is the same." in page
    heard = [one for stem, one in letters_in(shown).items() if stem.endswith("-from-referee")]
    ends = [one for one in heard if "Check the dice yourself" in one.text]
    assert sorted(one.recipient for one in ends) == ["Ann Hale", "Bjørn Falk"]


def test_every_letter_lies_there_three_times_and_the_page_leads_to_all(shown: Path) -> None:
    links = set(Links((shown / INDEX).read_text("utf-8")).found)
    stems = letters_in(shown)
    assert len(stems) >= 20
    assert links == {f"{stem}.{kind}" for stem in stems for kind in ("eml", "txt", "html")}
    assert all((shown / link).stat().st_size for link in links)
    assert [int(stem[:3]) for stem in stems] == list(range(1, len(stems) + 1))


def test_the_page_and_the_letters_need_nothing_from_elsewhere(shown: Path) -> None:
    for path in shown.glob("*.html"):
        links = Links(path.read_text("utf-8")).found
        assert all(re.match(r"mailto:|data:image/png;base64,|[\w.-]+$", link) for link in links), (
            path.name
        )


def test_the_players_write_as_mail_programs_do(shown: Path) -> None:
    sent = [one for stem, one in letters_in(shown).items() if stem.endswith("-to-referee")]
    replies = [one for one in sent if one.header("In-Reply-To")]
    assert len(replies) == len(sent) - 2
    assert all(one.header("Subject").strip().startswith("Re: ") for one in replies)
    assert all("wrote:\n> " in one.text for one in replies)
    assert {bool(one.html) for one in sent} == {True, False}


def test_another_run_replaces_its_own_files_only(shown: Path) -> None:
    assert not (shown / "old.txt").exists()
    assert (shown / "mine.txt").exists()
    listed = set((shown / MARKER).read_text("utf-8").splitlines())
    assert listed == {path.name for path in shown.iterdir()} - {MARKER, "mine.txt"}


def test_a_file_that_is_not_the_demos_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "001-to-referee.eml").write_text("mine")
    assert demonstrate(tmp_path) == 1
    assert (tmp_path / "001-to-referee.eml").read_text() == "mine"
    assert "not the demo's" in capsys.readouterr().err


@pytest.mark.long
def test_a_person_plays_against_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "".join(f"{text}\n.\n" if text else ".\n" for text in PLAYED)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed + "STATUS\n"))
    assert play(tmp_path) == 0
    output = capsys.readouterr().out
    assert "Welcome to Avalon League, Cass Hill" in output
    assert "Your move in 1: " in output
    assert "WHAT HAS HAPPENED" in output
    assert "STARPILOT IN SHORT" in output
    assert "WHO FIGHTS FOR YOU" in output
    assert len(Links((tmp_path / INDEX).read_text("utf-8")).found) >= 60


def test_a_letters_beginning_is_its_own_text() -> None:
    reply = "READY\n\nOn Fri, 20 Nov 2026 at 14:03, The League wrote:\n> more\n"
    assert first_lines(reply) == "READY"
    assert first_lines("\n".join("abcdefghij")) == "a\nb\nc\nd\ne\nf\ng\nh …"
    assert first_words("Dear Ann,\nhello.\n\nYOUR KEY\n\nIt is x.\n") == "Dear Ann, hello. It is x."
