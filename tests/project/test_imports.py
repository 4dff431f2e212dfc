"""Imports point one way, those for type checking included."""

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.channels.mail.maildir import deliver, make_maildir
from tests.support.players import letter
from tools.imports import graph_of, longest, rings


def test_no_module_is_reached_from_itself() -> None:
    assert rings(graph_of("engine", "pbem")) == []


def test_a_ring_is_found_and_named_once() -> None:
    graph = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert rings(graph) == [{"a", "b", "c"}]


@pytest.mark.parametrize(("shortcut", "chain"), [("c", ["a", "b", "c"]), ("", ["b", "c"])])
def test_the_longest_chain_goes_the_long_way(shortcut: str, chain: list[str]) -> None:
    below = frozenset({"b", shortcut}) if shortcut else frozenset[str]()
    assert longest({"a": below, "b": frozenset("c"), "c": frozenset()}) == chain


_FOR_A_TASK = frozenset(
    "PIL babel chardet confusable_homoglyphs icalendar markdown_it rapidfuzz reportlab resvg_py "
    "selectolax tqdm".split()
)


def test_an_idle_daemon_holds_no_library_that_few_letters_need() -> None:
    code = "import sys, pbem.commands.daemon; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "peewee" in done.stdout.split()
    assert not _FOR_A_TASK & {*done.stdout.split()}


_ABSENT = ("psycopg", "pymap", "pysasl", "proxyprotocol", "aiosmtpd")


def without_extras(code: str) -> subprocess.CompletedProcess[str]:
    """Run some code as if only what the program needs at least were installed."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({_ABSENT!r}))"
    code = f"{blocked}; from pbem.cli import main; {code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


def test_a_league_runs_without_what_is_optional(tmp_path: Path) -> None:
    for box in ("in", "out"):
        make_maildir(tmp_path / box)
    (tmp_path / "league.toml").write_text(
        '[league]\nname = "League"\naddress = "referee@league.example"\n'
        '[maildir]\npath = "in"\nout = "out"\n'
    )
    deliver(tmp_path / "in", letter("Ann", "JOIN Ann Example", 1).as_bytes())
    done = without_extras(
        f"assert main(['init', {str(tmp_path / 'new')!r}, '--yes']) == 0;"
        f"assert main(['--config', {str(tmp_path)!r}, 'check']) == 0;"
        "import pbem.service.daemon;"
        f"sys.exit(main(['--config', {str(tmp_path)!r}, 'once']))"
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert len([*(tmp_path / "out" / "new").iterdir()]) == 1


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["demo"], "pbem[demo]"),
        (
            ["init", "FOLDER", "--yes", "--set", "store.url=postgres://p@localhost/p"],
            "pbem[postgres]",
        ),
    ],
)
def test_a_command_names_the_extra_that_it_needs(
    words: list[str], extra: str, tmp_path: Path
) -> None:
    words = [word.replace("FOLDER", str(tmp_path)) for word in words]
    done = without_extras(f"sys.exit(main({words!r}))")
    assert done.returncode == 2, done.stderr
    assert f"pip install '{extra}'" in done.stderr
    assert done.stderr.count("\n") == 1
