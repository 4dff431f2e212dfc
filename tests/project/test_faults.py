"""Every row of docs/faults.md has its tests, which carry its number in their names."""

import re

from tests.support.paths import ROOT

ROWS = 62
_TEST = re.compile(r"^ *def test_fault_(\d\d(?:_\d\d)*)_", re.M)
_ROW = re.compile(r"^\| (\d+) \|.*\| ([^|]*) \|$", re.M)


def carried() -> dict[int, set[str]]:
    """Return the files that hold tests of each row."""
    found: dict[int, set[str]] = {row: set() for row in range(1, ROWS + 1)}
    for file in (ROOT / "tests").rglob("test_*.py"):
        for numbers in _TEST.findall(file.read_text("utf-8")):
            for row in map(int, numbers.split("_")):
                found[row].add(file.name)
    return found


def test_every_row_has_its_tests_and_names_their_files() -> None:
    text = _ROW.findall((ROOT / "docs" / "faults.md").read_text("utf-8"))
    assert [int(row) for row, _ in text] == list(range(1, ROWS + 1))
    found = carried()
    for row, files in text:
        named = set(re.findall(r"`(test_\w+\.py)`", files))
        assert named, f"row {row} has no test"
        assert named <= found[int(row)], f"row {row} names files without a test of its number"
