"""STANDING NONE by letter: it clears the rules on file, and is no mistyped STANDINGS."""

import pytest

from tests.support.each_system import SYSTEMS, asked, filed, first_reports
from tests.support.harness import League
from tests.support.players import words


@pytest.mark.league(systems=SYSTEMS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("language", "doctrine", "none", "amiss"),
    [
        ("en", "STANDING sound", "STANDING NONE", "Not understood"),
        ("de", "DAUERBEFEHLE solide", "DAUERBEFEHLE KEINE", "Nicht verstanden"),
    ],
)
def test_the_rules_on_file_are_cleared(
    language: str, doctrine: str, none: str, amiss: str, system: str, league: League
) -> None:
    ann, _ = first_reports(league, system, language)
    asked(ann, doctrine)
    assert filed(league)["rules"]
    answer = words(asked(ann, none))
    assert amiss.lower() not in answer.lower()
    assert filed(league)["rules"] == []
