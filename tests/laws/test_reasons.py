"""The practice player says in at most five words why it gives an order."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.dice import SeededDice
from engine.i18n import Said
from pbem.host.package_data import TEMPLATES
from pbem.i18n import message_catalogue
from tests.laws.systems import SYSTEMS
from tests.laws.test_effects import OURS, some_step
from tests.support.trial_counts import tries

GERMAN = message_catalogue.read([TEMPLATES / "locale"], "de")


@pytest.mark.parametrize("key", OURS)
@settings(deadline=None, max_examples=tries(40, 10))
@given(seed=st.integers(0, 2**32), place=st.integers(0, 200))
def test_each_order_of_the_practice_player_has_a_reason(key: str, seed: int, place: int) -> None:
    rules, state = SYSTEMS[key], some_step(key, seed, place).before
    seats = [seat for seat in rules.to_act(state) if rules.offers(state, seat)]
    assume(seats)
    order = rules.bot("sound")(state, seats[0], SeededDice(b"law", "", 0, b""))
    why = rules.why(state, seats[0], order)
    assert isinstance(why, Said)
    for told in (why, GERMAN.say(why)):
        assert 0 < len(told.split()) <= 5
