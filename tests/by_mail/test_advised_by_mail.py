"""A report of StarPilot says which order the practice player would give, and what it brings."""

import re

import pytest

from engine.dice import SeededDice
from engine.preview.effects import effect
from engine.seats import Seat
from engine.starpilot.rules import STARPILOT
from pbem.games import simultaneous_turns
from pbem.games.session import Session
from tests.support.harness import League, Person
from tests.support.players import plain

HAWK = Seat("Hawk")


@pytest.mark.league(forced_moves=True)
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "(the practice player would order this: the best weapon needs it)"),
        ("de", "(das würde ein Hauspilot befehlen: die beste Waffe braucht es)"),
    ],
)
def test_one_order_is_marked_with_what_it_brings(
    league: League, people: tuple[Person, Person], language: str, told: str
) -> None:
    ann, _ = people
    ann.ask(f"LANGUAGE {language}")
    report = " ".join(plain(ann.ask("REPORT 1")).split())
    assert report.count(told) == 1
    session = Session(league.store, league.game)
    state = session.foreseen(HAWK)
    [advised] = simultaneous_turns.plan(session, HAWK)
    order = advised.order
    bot = STARPILOT.bot("sound")(state, HAWK, SeededDice(b"plan", "", 0, b""))
    assert order == STARPILOT.format(bot)
    if language == "en":
        brings = re.escape(str(effect(STARPILOT, state, HAWK, bot)))
        assert re.search(rf"{order} (\d+ %|no roll) {brings} {re.escape(told)}", report)
