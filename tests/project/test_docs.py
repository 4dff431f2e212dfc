"""The documentation names only what exists, and its examples are read as it says."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from engine.errors import OrderError
from engine.orders.reading import read_for
from engine.registry import RULESETS
from engine.ruleset import Near
from engine.starpilot.if_conditions import condition
from engine.starpilot.tables import COMMANDS, STATS
from engine.starpilot.written_orders import SHORT
from pbem.cli import COMMANDS as PROGRAM
from pbem.handlers.offers import challenges
from pbem.routing import find_league_order, router
from pbem.settings.load import SECTIONS
from tests.support.paths import DOCS, ROOT

PLAYER = (ROOT / "docs" / "player.md").read_text("utf-8")
MODERATOR = (ROOT / "docs" / "moderator.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def part(text: str, heading: str) -> str:
    """Return the text under a heading."""
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def first_cells(text: str) -> list[str]:
    """Return what is code in the first cells of a text's tables."""
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def test_each_dependency_is_accounted_for_and_no_other() -> None:
    page = (DOCS / "decisions" / "0001-dependencies.md").read_text("utf-8").split("## Not taken")[0]
    in_the_table = re.findall(r"^\| ([\w-]+).*\|$", page, re.MULTILINE)
    told = {name.casefold() for name in in_the_table + re.findall(r"\*\*([\w-]+)\*\*", page)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    # atheris is for `make fuzz` alone, and has requirements of its own.
    assert told - {"library", "---", "atheris"} == {re.split(r"[\[<>=]", line)[0] for line in lines}


@pytest.mark.parametrize("order", find_league_order.ORDERS, ids=lambda order: order.word)
def test_every_league_order_is_told(order: find_league_order.LeagueOrder) -> None:
    # What player.md says of racetrack is true of each game that is played by its players' names.
    game = challenges.SYSTEMS[0]
    expected = [
        one.replace("racetrack", game) for one in first_cells(part(PLAYER, "League orders"))
    ]
    assert any(order.pattern.fullmatch(example) for example in expected)


@pytest.mark.parametrize("example", first_cells(part(PLAYER, "League orders")))
def test_every_example_of_a_league_order_is_one(example: str) -> None:
    game = challenges.SYSTEMS[0]
    assert isinstance(find_league_order.find(example.replace("racetrack", game)), tuple)


def test_every_battle_order_and_short_form_is_told() -> None:
    page = part(PLAYER, "Battle orders")
    assert set(first_cells(page)) == set(COMMANDS)
    assert all(f"`{short}`" in page for short in SHORT)


def test_every_condition_is_told_and_read() -> None:
    expected = first_cells(part(PLAYER, "STANDING: orders that think"))
    assert all(condition(text) == text for text in expected)
    plain = "UNDETECTED|FIRED ON|LAUNCHED AT|SHOT AT|TARGETED|LOCKED|ADVANTAGE|DISADVANTAGE|NEUTRAL"
    assert {*plain.split("|"), "NEAR", "FAR", "EXTREME", "TURN >= 10"} <= set(expected)
    assert all(stat.upper() in PLAYER for stat in STATS)
    with pytest.raises(OrderError):
        condition("HUNGRY")


@pytest.mark.parametrize("block", re.findall(r"```\n(.*?)```", PLAYER, re.S))
def test_every_block_of_orders_is_read_whole(block: str) -> None:
    lines = [line.strip() for line in block.splitlines()]
    rest = [line for line in lines if not _is_league_order(line)]
    read = [read_for(rules, None, None, "\n".join(rest)) for rules in RULESETS.values()]
    left = [line for line in rest if line.startswith("python3")]
    assert ((), tuple(left)) in [(written.near, written.words) for written in read]


def _is_league_order(line: str) -> bool:
    found = find_league_order.find(line)
    return line.startswith("FOR ") or (found is not None and not isinstance(found, Near))


def test_every_setting_is_told_with_its_default() -> None:
    page = part(MODERATOR, "Settings")
    for name, section in SECTIONS.items():
        table = page.split(f"| `[{name}]` |", 1)[1].split("\n\n", 1)[0]
        keys = [field.name for field in fields(section)]
        assert sorted(first_cells(table)) == sorted(keys), name
        for field in fields(section):
            if isinstance(field.default, str | int | float):
                row = next(row for row in table.splitlines() if f"`{field.name}`" in row)
                assert f"`{_toml(field.default)}`" in row, field.name


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_every_row_of_the_router_is_told() -> None:
    table = part(MODERATOR, "Who wrote it").split("| row of the router |", 1)[1].split("\n\n", 1)[0]
    found = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
    assert found == [row.name for row in router.ROWS]


def test_every_command_is_told() -> None:
    page = README + MODERATOR
    assert [name for name in PROGRAM if f"pbem {name}" not in page] == []


@pytest.mark.parametrize("package", ["engine", "pbem"])
def test_every_room_has_its_place_in_the_architecture(package: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    inside = (ROOT / package).iterdir()
    rooms = {p.stem for p in inside if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert [room for room in rooms if not room.startswith("_") and f"`{room}`" not in text] == []


def test_every_file_is_there_that_is_to_be_changed() -> None:
    """Paths begin at the top, or in pbem."""
    text = (DOCS / "where-to-change.md").read_text("utf-8")
    named = re.findall(r"`(\w+/[\w/]+\.\w+)`", text)
    assert len(named) > 40
    known = {name for name in named if "KIND" in name or "SYSTEM" in name}
    there = {name for name in named if (ROOT / name).exists() or (ROOT / "pbem" / name).exists()}
    assert set(named) - known - there == set()


def test_every_link_between_documents_leads_somewhere() -> None:
    for file in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", file.read_text("utf-8")):
            assert (file.parent / link).exists(), f"{file.name}: {link}"


def anchors(page: Path) -> list[str]:
    """Return what links can name in a page: its headings, as GitHub spells them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def test_every_link_into_a_document_leads_to_one_heading() -> None:
    """Of two headings that are alike a link leads to the first."""
    for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for file, part in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text("utf-8")):
            goal = page.parent / file if file else page
            assert anchors(goal).count(part) == 1, f"{page.name}: {file}#{part}"


COMMANDS_OF_JUDGES = [
    re.split(r" *\| *", line.strip("| "))
    for line in (ROOT / "docs" / "commands.md").read_text("utf-8").splitlines()
    if line.startswith(("| njudge", "| DPjudge"))
]
BATTLE_WORDS = {
    *COMMANDS,
    "STANDING",
    "STANDING NONE",
    "IF",
    "PREVIEW",
    "END",
    "GAME 12",
}


@pytest.mark.parametrize("row", COMMANDS_OF_JUDGES, ids=lambda row: row[1][:30])
def test_every_command_of_the_great_judges_has_its_like(row: list[str]) -> None:
    """Each has an order of ours and a test that is there, or a reason why it does not apply."""
    judges, theirs, ours, shown = row
    assert set(judges.split(", ")) <= {"njudge", "DPjudge"}
    assert theirs
    assert [code for code in re.findall(r"`([^`]+)`", ours) if not _is_ours(code)] == []
    if shown.startswith("does not apply: "):
        return
    assert ours
    file, name = shown.strip("`").split("::")
    assert re.search(rf"^ *def {name}\(", (ROOT / "tests" / file).read_text("utf-8"), re.M)


def _is_ours(code: str) -> bool:
    """Return whether a text is an order, a command of the program, or a setting."""
    program, _, command = code.partition(" ")
    settings = {field.name for section in SECTIONS.values() for field in fields(section)}
    known = code in BATTLE_WORDS | settings or code.startswith("KEY ") or _is_league_order(code)
    return known or (program == "pbem" and command in PROGRAM)


def test_every_owner_of_a_concept_is_there() -> None:
    page = (DOCS / "concepts.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "`" in line]
    assert len(rows) > 40
    for row in rows:
        assert row.count("|") == 5, row
        for path in re.findall(r"`((?:pbem|engine|tests)/[^`]+)`", row):
            assert (ROOT / path).exists(), row
