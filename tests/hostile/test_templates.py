"""What templates become is kept in no file, so nobody can put anything else in its place."""

from pathlib import Path

from jinja2 import Environment

from pbem.channels.markup import PostFormat
from pbem.host.package_data import TEMPLATES
from pbem.rendering import Compiled, LeagueFacts, Renderer
from tests.support.players import REFEREE
from tests.support.program import pbem, write_league

FACTS = {"player": {"name": "Ann"}, "reply": {"token": "a" * 16, "address": "r@x.example"}}


def test_hostile_templates_no_folder_of_byte_code_is_made_or_read(tmp_path: Path) -> None:
    """Whoever can write to the league's folder, or above it, runs no code by it."""
    planted = tmp_path / ".templates"
    planted.mkdir(mode=0o777)
    maildir = {"path": str(tmp_path / "in"), "out": str(tmp_path / "out")}
    for part in ("cur", "new", "tmp"):
        (tmp_path / "in" / part).mkdir(parents=True)
    section = {"name": "Avalon League", "address": REFEREE}
    config = write_league(tmp_path, {"league": section, "maildir": maildir})
    (tmp_path / "in" / "new" / "1").write_text("From: ann@x.example\nSubject: hi\n\nJOIN Ann\n")
    done = pbem("--config", config, "once")
    assert done.returncode == 0, done.stderr
    assert (
        len(list((tmp_path / "out").rglob("*.eml")) + list((tmp_path / "out").glob("new/*"))) == 1
    )
    assert list(planted.iterdir()) == []


def test_hostile_templates_what_is_compiled_stays_in_the_process() -> None:
    renderer = Renderer(LeagueFacts("Avalon", REFEREE, {}), TEMPLATES)
    renderer.page("refused", None, "de", **FACTS)
    made: list[Environment] = [renderer.letters("en"), renderer.letters("de")]
    made.append(renderer._board(PostFormat("bbcode"), "en", None))
    assert all(type(one.bytecode_cache) is Compiled for one in made)
