"""Who plays against whom: letters name two teams or more."""

import pytest

from pbem.host.package_data import TEMPLATES
from pbem.rendering import LeagueFacts, Renderer

RENDERER = Renderer(LeagueFacts("League", "referee@host.example", {}, ()), TEMPLATES)


@pytest.mark.parametrize(
    ("language", "teams", "text"),
    [
        ("en", ["Hawk", "Kestrel"], "Hawk against Kestrel"),
        ("de", ["Hawk", "Kestrel"], "Hawk gegen Kestrel"),
        ("en", ["Ann", "Bob", "Cleo"], "Ann, Bob and Cleo"),
        ("de", ["Ann", "Bob", "Cleo"], "Ann, Bob und Cleo"),
    ],
)
def test_any_number_of_teams_is_named(language: str, teams: list[str], text: str) -> None:
    written = RENDERER.letters(language).from_string("{{ names|against }}|{{ teams|against }}")
    found = written.render(names=teams, teams=[{"name": name} for name in teams])
    assert found == f"{text}|{text}"
