"""How often the database is asked for what a daemon does most, so that nobody raises it unseen."""

from collections import Counter

import pytest

from benchmarks.statements import Statement, measure

MOST = {"filed": 27, "fought": 43, "status": 41, "free": 38, "idle": 14}
FURTHER = 16
"""The most for each further letter that is filed in one batch."""


@pytest.fixture(scope="module")
def found() -> dict[str, list[Statement]]:
    """Return the statements of each thing that is measured."""
    return measure()


def told(statements: list[Statement]) -> str:
    """Return what was asked how often, and by whom."""
    asked = Counter(
        (one.text.partition(" WHERE ")[0], (one.asked_by or ["a test"])[0]) for one in statements
    )
    return "\n".join(f"{count:3} {who}: {text}" for (text, who), count in asked.most_common())


@pytest.mark.parametrize("name", MOST)
def test_few_statements(found: dict[str, list[Statement]], name: str) -> None:
    assert len(found[name]) <= MOST[name], told(found[name])


def test_few_statements_for_each_further_letter(found: dict[str, list[Statement]]) -> None:
    more = len(found["two filed"]) - len(found["filed"])
    assert more <= FURTHER, told(found["two filed"])
