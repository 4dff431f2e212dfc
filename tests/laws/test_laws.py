"""Laws that every rule system keeps, tried on random games."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.codec import encode
from engine.dice import ListedDice, every_roll
from engine.errors import IllegalOrder
from engine.laws import LAWS, Law, check
from engine.laws.random_games import WildDice, chance_of
from engine.order_translations import DOCTRINES
from engine.orders.doctrines import doctrine_lines
from engine.orders.orders_on_file import choices
from engine.orders.reading import doctrine_orders
from engine.play import order_texts, seen, take
from engine.seats import REFEREE, Seat, may_know
from tests.laws.systems import SAMPLES, SYSTEMS, playout, some_state, tried
from tests.support.trial_counts import tries

SEEDS = st.integers(0, 2**32)
LENGTHS = st.integers(0, 60)


def law(
    few: int = 15, **drawn: st.SearchStrategy[int]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a law: it is tested on every system, with values drawn at random."""

    def marked(test: Callable[..., None]) -> Callable[..., None]:
        tried = settings(deadline=None, max_examples=tries(50, few))(given(**drawn)(test))
        return pytest.mark.parametrize("key", sorted(SYSTEMS))(tried)

    return marked


def test_every_system_has_a_sample() -> None:
    assert set(SAMPLES) == set(SYSTEMS)


@pytest.mark.parametrize("one", LAWS, ids=lambda one: one.name.replace(" ", "-"))
@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_a_law_holds(key: str, one: Law) -> None:
    sampled = one._replace(every=one.every * tries(1, 4))
    finding = check(tried(key), sampled, tries(12, 3))
    assert finding.broken is None, finding.orders
    assert finding.steps


# Orders


@law(seed=SEEDS, steps=LENGTHS)
def test_what_is_not_offered_is_refused(key: str, seed: int, steps: int) -> None:
    """Unless it means the same as what is offered, in other words."""
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)

    def outcome(seat: Seat, order: Any) -> str:
        after, events = ruleset.resolve(state, {seat: [order]}, WildDice(chance_of(seed, "a step")))
        return encode([after, list(events)])

    for seat in ruleset.seats(state):
        offers = [offer.order for offer in ruleset.offers(state, seat)]
        assert bool(offers) == (seat in ruleset.to_act(state))
        offered = {outcome(seat, order) for order in offers}
        for order in SAMPLES[key].orders(state):
            reason = ruleset.refusal(state, seat, order)
            if reason is None:
                assert outcome(seat, order) in offered
            else:
                assert ruleset.telling.explain(reason)
                with pytest.raises(IllegalOrder) as refused:
                    ruleset.resolve(state, {seat: [order]}, ListedDice([]))
                assert refused.value.reason == reason


@law(seed=SEEDS, steps=LENGTHS)
def test_who_has_no_choice_could_only_leave_instead(key: str, seed: int, steps: int) -> None:
    """The referee gives no order for anybody who could want another."""
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    for seat in ruleset.seats(state):
        forced = ruleset.forced(state, seat)
        if forced is not None:
            assert seat in ruleset.to_act(state)
            offered = [offer.order for offer in ruleset.offers(state, seat)]
            others = [ruleset.format(order) for order in offered if order != forced]
            assert len(others) == len(offered) - 1
            # To give up may be possible in several ways, but no two kinds of orders are.
            assert all(map(ruleset.leaves, others))
            assert len({text.split()[0] for text in others}) <= 1


@law(seed=SEEDS, steps=st.integers(0, 20))
def test_the_odds_of_an_order_sum_to_one(key: str, seed: int, steps: int) -> None:
    """Orders with many possible hits are left out: their exact odds take too long."""
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    for seat in ruleset.to_act(state)[:1]:
        for offer in ruleset.offers(state, seat):
            orders = {seat: [offer.order]}
            falls = list(islice(every_roll(lambda d, o=orders: take(ruleset, state, o, d)), 500))
            if len(falls) < 500:
                assert sum(chance for chance, _ in falls) == 1


@law(seed=SEEDS, steps=st.integers(0, 200), doctrine=st.integers(0, len(DOCTRINES) - 1))
# A vessel of Cortex with so many guns that its rule was too long for a line.
@example(seed=158769, steps=0, doctrine=0)
# The line of a dead character of Starfarer, and of a spotter of Cortex, spoilt the one above it.
@example(seed=234414265, steps=20, doctrine=0)
@example(seed=4241649069, steps=43, doctrine=2)
def test_a_doctrine_has_orders_for_the_rest_of_a_game(
    key: str, seed: int, steps: int, doctrine: int
) -> None:
    """Also for a piece that could not act when its player took the doctrine."""
    ruleset, game = SYSTEMS[key], list(islice(playout(key, seed), 400))
    at = game[steps % len(game)].before
    sheets = {
        seat: found.standing
        for seat in ruleset.seats(at)
        if (found := doctrine_orders(ruleset, at, seat, DOCTRINES[doctrine])) is not None
        and found.standing is not None
    }
    for step in game[steps % len(game) :]:
        for seat in set(ruleset.to_act(step.before)) & set(sheets):
            ordered = choices(ruleset, step.before, seat, sheets[seat])
            assert len(ordered) == len(ruleset.owing(step.before, seat))


@law(seed=SEEDS, steps=LENGTHS, doctrine=st.integers(0, len(DOCTRINES) - 1))
def test_a_doctrine_that_is_kept_means_what_was_written(
    key: str, seed: int, steps: int, doctrine: int
) -> None:
    """Whatever its lines are shortened to."""
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    for seat in ruleset.seats(state):
        written = (
            [] if ruleset.doctrines is None else ruleset.doctrines(state, seat, DOCTRINES[doctrine])
        )
        if not written:
            continue
        kept = doctrine_lines(ruleset, state, seat, "\n".join(written), "en")
        meant = doctrine_orders(ruleset, state, seat, "hunter", {"hunter": "\n".join(kept)})
        assert meant == doctrine_orders(ruleset, state, seat, DOCTRINES[doctrine])


# Events and states


@law(few=3, seed=SEEDS)
def test_the_same_orders_and_dice_give_the_same_states(key: str, seed: int) -> None:
    ends = [encode([step.after for step in playout(key, seed)]) for _ in range(2)]
    assert ends[0] == ends[1]


@law(seed=SEEDS, steps=LENGTHS)
def test_the_order_of_arrival_does_not_matter(key: str, seed: int, steps: int) -> None:
    ruleset, state = SYSTEMS[key], some_state(key, seed, steps)
    orders = {s: [ruleset.cautious(state, s)] for s in ruleset.to_act(state)}
    late = dict(reversed(orders.items()))
    assert order_texts(ruleset, orders) == order_texts(ruleset, late)

    def taken(given: dict[Seat, list[Any]]) -> object:
        try:
            return take(ruleset, state, given, WildDice(chance_of(seed, "a step")))
        except IllegalOrder as error:
            return error.reason

    assert taken(orders) == taken(late)


# Views


@law(seed=SEEDS)
def test_a_seat_sees_the_events_that_it_may_know(key: str, seed: int) -> None:
    ruleset = SYSTEMS[key]
    for step in playout(key, seed):
        for seat in (*ruleset.seats(step.after), None, REFEREE):
            events = seen(ruleset, step.events, seat)
            assert events == [e for e in step.events if may_know(ruleset.audience(e), seat)]
        assert seen(ruleset, step.events, REFEREE) == list(step.events)
