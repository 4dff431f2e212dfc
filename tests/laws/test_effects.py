"""What an order is said to bring is what the engine does when it plays it."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.blackskies.events import Flown, Grazed
from engine.blackskies.events import Hit as Struck
from engine.cortex.events import Defaulted, Positioned, Refused
from engine.cortex.queries import unit_of
from engine.dice import Dice, Roll, SeededDice
from engine.i18n import Said
from engine.laws.random_games import Step, chance_of, pick
from engine.letter_texts import Alone
from engine.play import fold, seen
from engine.preview.effects import differences, effect, tried
from engine.ruleset import LegalOrder
from engine.seats import REFEREE, Seat
from engine.starfarer.events import Acted, LimbChecked
from tests.laws.systems import SYSTEMS, playout
from tests.support.trial_counts import tries

SEEDS, PLACES = st.integers(0, 2**32), st.integers(0, 200)
TELLING = sorted(key for key, rules in SYSTEMS.items() if rules.telling.effects)
OURS = ("blackskies", "cortex", "starfarer", "starpilot")
ROLLS = 400
_ERROR = 0.125
"""Five standard errors of an even chance after so many rolls."""


class _ByReason:
    """Dice that fall in the same way for the same reason, whatever else is rolled before."""

    def __init__(self, seed: int) -> None:
        self.rolls: list[Roll] = []
        self._seed, self._times = seed, Counter[str]()

    def roll(self, sides: int, why: str, bounds: Sequence[int] = ()) -> int:
        self._times[why] += 1
        key = f"{why} {self._times[why]}".encode()
        result = SeededDice(b"reason", "", self._seed, key).roll(sides, why)
        self.rolls.append(Roll(sides, result, why))
        return result


def some_step(key: str, seed: int, place: int) -> Step:
    """Return a step of a random game."""
    steps = list(islice(playout(key, seed), 200))
    return steps[place % len(steps)]


def offers(key: str, state: Any) -> list[tuple[Seat, LegalOrder[Any]]]:
    """Return what the seats that are to act may order."""
    rules = SYSTEMS[key]
    return [(seat, one) for seat in rules.to_act(state) for one in rules.offers(state, seat)]


def advised(key: str, state: Any) -> list[tuple[Seat, LegalOrder[Any]]]:
    """Return what the practice player would order for each of those seats."""
    rules, found = SYSTEMS[key], []
    for seat in rules.to_act(state) if "sound" in rules.strengths else ():
        if rules.offers(state, seat):
            order = rules.bot("sound")(state, seat, SeededDice(b"advice", "", 0, b""))
            chance = rules.telling.chance and rules.telling.chance(state, seat, order)
            found.append((seat, LegalOrder(order, chance)))
    return found


def alone(key: str, state: Any, seat: Seat, order: Any, dice: Dice) -> Alone:
    """Carry out an order alone."""
    effects = SYSTEMS[key].telling.effects
    assert effects is not None
    assert effects.alone is not None
    return effects.alone(state, seat, order, dice)


@pytest.mark.parametrize("key", TELLING)
@settings(deadline=None, max_examples=tries(40, 10))
@given(seed=SEEDS, place=PLACES)
def test_every_order_offered_has_an_effect_that_reveals_nothing(
    key: str, seed: int, place: int
) -> None:
    rules, step = SYSTEMS[key], some_step(key, seed, place)
    for seat, offer in offers(key, step.after) + advised(key, step.after):
        known = fold(rules, step.before, seen(rules, step.events, seat))
        told = effect(rules, step.after, seat, offer.order)
        assert isinstance(told, Said)
        assert told.strip()
        assert told == effect(rules, known, seat, offer.order)


@pytest.mark.parametrize("key", OURS)
@settings(deadline=None, max_examples=tries(20, 5))
@given(seed=SEEDS, place=PLACES)
# In Cortex, the second of three shots puts the target out.
@example(seed=203, place=1)
def test_an_order_succeeds_as_often_as_it_is_offered(key: str, seed: int, place: int) -> None:
    state = some_step(key, seed, place).before
    some = offers(key, state) + advised(key, state)
    told = [(seat, offer) for seat, offer in some if offer.chance is not None]
    assume(told)
    seat, offer = pick(told, chance_of(seed, "an offer"))
    tried = [
        alone(key, state, seat, offer.order, SeededDice(b"law", "", number, b""))
        for number in range(ROLLS)
    ]
    # The checks of injured limbs have chances of their own, which stand beside that of the action.
    counted = [one for one in tried if not any(isinstance(e, LimbChecked) for e in one.events)]
    assume(counted)
    share = sum(one.success for one in counted) / len(counted)
    assert abs(share - (offer.chance or 0) / 100) <= _ERROR, SYSTEMS[key].format(offer.order)


_TRIALS = 40


@pytest.mark.parametrize("key", ["blackskies", "cortex", "starfarer"])
@settings(deadline=None, max_examples=tries(60, 15))
@given(seed=SEEDS, place=PLACES)
def test_what_is_said_to_strike_harms_an_opponent(key: str, seed: int, place: int) -> None:
    rules, state = SYSTEMS[key], some_step(key, seed, place).before
    some = offers(key, state) + advised(key, state)
    assume(some)
    seat, offer = pick(some, chance_of(seed, "an offer"))
    seeds = [SeededDice(b"strikes", "", number, b"") for number in range(_TRIALS)]
    played = [alone(key, state, seat, offer.order, dice) for dice in seeds]
    harm = [_harms(key, state, offer.order, one) for one in played if one.success]
    assume(harm)
    # A shot that seldom gets through armour may be left out.
    strikes = tried(rules, state, seat, offer.order).harm > 0
    assert strikes or not all(harm), rules.format(offer.order)
    assert any(harm) or not strikes, rules.format(offer.order)


def _harms(key: str, state: Any, order: Any, played: Alone) -> bool:
    """Return whether an order that was played alone harms somebody else, or launches at them."""
    if key == "starfarer":
        bodies = played.state.bodies
        others = [name for name in bodies if name != order.character]
        return any(bodies[name].shock > state.bodies[name].shock for name in others)
    if key == "blackskies":
        side = 1 - state.elements[order.element].side
        foes = [name for one in state.sides[side].elements for name in state.elements[one].fighters]
        return any(played.state.fighters[n].hull < state.fighters[n].hull for n in foes)
    own = unit_of(state, order.unit) if order.unit in state.sheets else (order.unit,)
    before, now = ({**one.vessels, **one.spotters, **one.sites} for one in (state, played.state))
    return played.state.missiles != state.missiles or any(
        getattr(now[name], field, 0) != getattr(before[name], field, 0)
        for name in before
        for field in ("stun", "wound")
        if name not in own
    )


@pytest.mark.parametrize("key", OURS)
@settings(deadline=None, max_examples=tries(60, 15))
@given(seed=SEEDS, place=PLACES)
def test_what_an_order_does_alone_is_what_the_engine_does(key: str, seed: int, place: int) -> None:
    """With the same dice, and all others doing no more than they do by default."""
    rules, state = SYSTEMS[key], some_fresh_state(key, seed, place)
    seat, offer = pick(offers(key, state), chance_of(seed, "an offer"))
    played = alone(key, state, seat, offer.order, _ByReason(seed))
    _, events = rules.resolve(state, _turn(key, state, seat, offer.order), _ByReason(seed))
    for event in _comparable(key, state, played.events, events):
        assert event in events, (rules.format(offer.order), events)


_FILED = {"blackskies": "pending", "cortex": "orders", "starfarer": "plans", "starpilot": ""}
"""Where each system keeps the orders of an open turn."""


def some_fresh_state(key: str, seed: int, place: int) -> Any:
    """Return a state in which nobody has ordered anything for the turn that is open."""
    rules = SYSTEMS[key]
    states = [step.before for step in islice(playout(key, seed), 200)]
    fresh = [one for one in states if rules.to_act(one) and not getattr(one, _FILED[key], ())]
    assume(fresh)
    return fresh[place % len(fresh)]


def _turn(key: str, state: Any, seat: Seat, order: Any) -> dict[Seat, list[Any]]:
    """Return a step that plays an order, and in which the others wait."""
    rules, given = SYSTEMS[key], {seat: [order]}
    if not rules.phase(state).simultaneous:
        return given
    for other in rules.to_act(state):
        for one in rules.offers(state, other):
            holds = rules.format(one.order).endswith(": HOLD")
            if holds and rules.piece(one.order) != rules.piece(order):
                given.setdefault(other, []).append(one.order)
    return {**given, REFEREE: [rules.parse(state, REFEREE, "END")]}


def _comparable(key: str, state: Any, told: Sequence[Any], events: Sequence[Any]) -> Sequence[Any]:
    """Return what an order did alone, as far as nothing else in the turn has changed it."""
    if key == "starpilot":
        assert list(told) == list(events[: len(told)])
    elif key == "blackskies":
        # Who is hit before its card is played flies it worse, or not at all.
        flown = {one.element for one in events if isinstance(one, Flown)}
        hurt = {one.at for one in events if isinstance(one, Struck)}
        hurt |= {one.fighter for one in events if isinstance(one, Grazed)}
        ones = [one for one in told if isinstance(one, Flown) and one.element in flown]
        return [one for one in ones if hurt.isdisjoint(one.tracks)]
    elif key == "starfarer":
        # A defence from before ends as soon as its character's phase begins; who has too few
        # points for a phase does nothing.
        defended = any(body.evade or body.parry for body in state.bodies.values())
        acted = any(isinstance(one, Acted) and one == told[0] for one in events)
        return told if acted and not defended else ()
    # With Advantage all rolls are other ones, and a rock may put out whoever would have acted.
    elif not any(isinstance(one, Positioned | Refused) for one in events):
        return [one for one in told if not isinstance(one, Defaulted)]
    return ()


@pytest.mark.parametrize("key", OURS)
@settings(deadline=None, max_examples=tries(40, 10))
@given(seed=SEEDS, place=PLACES)
def test_what_is_sure_of_an_effect_happens_each_time(key: str, seed: int, place: int) -> None:
    rules, state = SYSTEMS[key], some_step(key, seed, place).before
    some = offers(key, state)
    assume(some)
    seat, offer = pick(some, chance_of(seed, "an offer"))
    found = differences(rules, state, seat, offer.order)
    dice = SeededDice(b"another", "", seed, b"")
    played = alone(key, state, seat, offer.order, dice)
    assume(found is not None and played.success and not dice.rolls[1:])
    for one in found or ():
        if one.where[0] != "holds" and len(set(map(repr, one.after))) == 1:
            assert _at(played.state, one.where) == one.after[0]


def _at(state: Any, where: Sequence[str]) -> Any:
    for name in where:
        state = state.get(name) if isinstance(state, dict) else getattr(state, name)
    return state
