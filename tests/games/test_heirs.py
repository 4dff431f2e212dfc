"""The name that is suggested after a pilot whose fighting is over."""

import pytest

from pbem.games import persona_rules
from pbem.people import personas
from tests.support.harness import League
from tests.support.players import HAWK


@pytest.mark.parametrize(
    ("taken", "expected"),
    [(["Hawk"], "Hawk 2"), (["Hawk 2"], "Hawk 3"), (["Hawk 2", "Hawk 3", "Hawk"], "Hawk 4")],
)
def test_an_heir_has_the_next_number_that_is_free(
    league: League, monkeypatch: pytest.MonkeyPatch, taken: list[str], expected: str
) -> None:
    monkeypatch.setattr(persona_rules, "is_over", lambda row: True)
    for number, name in enumerate(taken):
        person = league.person(f"Player{'abc'[number]}")
        person.join()
        person.ask(HAWK.replace("Hawk", name))
    row = personas.named(league.store, taken[0])
    assert row is not None
    assert persona_rules.heir(league.store, row) == expected
