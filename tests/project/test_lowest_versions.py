"""The lowest versions of libraries that pyproject.toml admits do what each library is for."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.own_environment import built, installed, pins
from tests.support.paths import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.services,
    pytest.mark.timeout(900),
    pytest.mark.xdist_group("lowest"),
]
TOOLS = ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis", "trustme")
TRIED = """
by_mail/test_first_fight.py channels/mail/test_mailbox.py channels/test_irc.py commands/test_demo.py
engine/test_orders.py engine/test_words.py games/test_deadline_calendar.py games/test_pictures.py
intake/test_alternatives.py project/test_man_page.py rendering/test_columns.py
rendering/test_letters_snapshots.py rendering/test_persona_sheets.py service/test_reload.py
storage/test_migration.py storage/test_offers_migration.py storage/test_store.py
storage/test_stored_formats.py
""".split()
"""Tests in which each library does what it is for."""
ON_POSTGRESQL = ["storage/test_postgres.py::TestThatIsLost"]


def lowest() -> Iterator[tuple[str, str]]:
    """Yield the lowest version of each library that a league or its demo needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    for line in (*project["dependencies"], *extras["demo"], *extras["postgres"]):
        named = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", line)
        assert named, f"{line} has no lower bound"
        yield named[1], named[2]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with these versions, and the tests' own tools."""
    folder = tmp_path_factory.mktemp("lowest")
    tools = [f"{name}=={pins()[name]}" for name in TOOLS]
    return installed(folder, dict(lowest()), f"{built(folder)}[demo,postgres]", *tools)


@pytest.mark.parametrize(
    ("marks", "tried"),
    [("not long and not services", TRIED), ("not long and services", ON_POSTGRESQL)],
    ids=["by themselves", "with PostgreSQL"],
)
def test_the_lowest_versions_work(python: Path, marks: str, tried: list[str]) -> None:
    done = subprocess.run(
        [python, "-m", "pytest", "-p", "no:cacheprovider", "-m", marks]
        + [f"tests/{name}" for name in tried],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert " passed" in done.stdout
