"""Faults planted in a rule system on purpose: each is found by the law that it breaks."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from engine.blackskies import events as skies_events
from engine.errors import IllegalOrder
from engine.laws import LAWS, Law, check
from engine.registry import RULESETS
from engine.ruleset import AnyRuleset, Bots, Outcome, Pictures
from engine.seats import Seat
from engine.starpilot.events import Moved, Tried
from engine.starpilot.model import Order
from pbem.commands.rule_systems import words

PILOTS, SKIES = RULESETS["starpilot"], RULESETS["blackskies"]
Fault = Callable[[], AnyRuleset]
_LAWS = {law.name: law for law in LAWS}


def resolving(change_result: Callable[[Any, Any], tuple[Any, Any]]) -> AnyRuleset:
    """Return StarPilot with another end of each step."""
    return replace(PILOTS, resolve=lambda s, o, d: change_result(*PILOTS.resolve(s, o, d)))


def forgetful() -> AnyRuleset:
    calls = count()

    def resolve(state: Any, orders: Any, dice: Any) -> Any:
        after, events = PILOTS.resolve(state, orders, dice)
        return after, events[: len(events) - next(calls) % 2]

    return replace(PILOTS, resolve=resolve)


def in_place() -> AnyRuleset:
    def resolve(state: Any, orders: Any, dice: Any) -> Any:
        result = PILOTS.resolve(state, orders, dice)
        state.pilots.pop(next(iter(state.pilots)))
        return result

    return replace(PILOTS, resolve=resolve)


def extra_die() -> AnyRuleset:
    def resolve(state: Any, orders: Any, dice: Any) -> Any:
        dice.roll(6, "nothing")
        return PILOTS.resolve(state, orders, dice)

    return replace(PILOTS, resolve=resolve)


def lenient() -> AnyRuleset:
    def resolve(state: Any, orders: Any, dice: Any) -> Any:
        try:
            return PILOTS.resolve(state, orders, dice)
        except IllegalOrder:
            return state, ()

    return replace(PILOTS, resolve=resolve)


def offering(change_offers: Callable[[Any, Any], Any]) -> AnyRuleset:
    """Return StarPilot with other offers to whoever has any."""

    def offers(state: Any, seat: Seat) -> Any:
        found = PILOTS.offers(state, seat)
        return change_offers(found, seat) if found else found

    return replace(PILOTS, offers=offers)


def viewing(rules: AnyRuleset, more: Callable[[Any], Any]) -> AnyRuleset:
    """Return a system whose views show something more."""
    return replace(rules, view=lambda s, seat: {**rules.view(s, seat), "more": more(s)})


def phased(change_phase: Callable[[Any, Any], Any]) -> AnyRuleset:
    """Return StarPilot with other phases."""
    return replace(PILOTS, phase=lambda s: change_phase(PILOTS.phase(s), s))


def telling(**parts: Any) -> AnyRuleset:
    """Return StarPilot with other words."""
    return replace(PILOTS, telling=replace(PILOTS.telling, **parts))


def _over(phase: Any, change_it: Callable[[Any], Any]) -> Any:
    return phase if phase.outcome is None else change_it(phase)


FAULTS: dict[str, tuple[str, Fault]] = {
    "chance decides more than dice": ("repeats", forgetful),
    "the state before is changed": ("repeats", in_place),
    "an event is not applied": (
        "folds",
        lambda: replace(
            PILOTS, apply=lambda s, e: s if isinstance(e, Moved) else PILOTS.apply(s, e)
        ),
    ),
    "an event is left out": ("folds", lambda: resolving(lambda s, e: (s, e[:-1]))),
    "an event that never happened": ("folds", lambda: resolving(lambda s, e: (s, (*e, e[-1])))),
    "a number is not written": (
        "reads",
        lambda: replace(SKIES, format=lambda o: SKIES.format(o).rstrip("0123456789 ")),
    ),
    "a word is written that nobody reads": (
        "reads",
        lambda: replace(PILOTS, format=lambda o: PILOTS.format(o).replace("SCAN", "SWEEP")),
    ),
    "an order is taken for a story": (
        "reads",
        lambda: replace(
            PILOTS, read=lambda s, seat, t: None if t == "SCAN" else PILOTS.read(s, seat, t)
        ),
    ),
    "an order is taken for another": (
        "reads",
        lambda: replace(
            PILOTS, parse=lambda s, seat, t: PILOTS.parse(s, seat, t.replace("SCAN", "EJECT"))
        ),
    ),
    "an offer is refused": (
        "offers",
        lambda: replace(
            PILOTS,
            refusal=lambda s, seat, o: (
                "no lock" if o.command == "SCAN" else PILOTS.refusal(s, seat, o)
            ),
        ),
    ),
    "an order is offered that is none": (
        "offers",
        lambda: offering(lambda found, seat: [*found, found[0]._replace(order=Order("LAUNCH"))]),
    ),
    "a chance above 100": (
        "offers",
        lambda: offering(lambda found, seat: [one._replace(chance=130) for one in found]),
    ),
    "nothing is offered to who must order": ("offers", lambda: offering(lambda found, seat: [])),
    "the cautious order is illegal": (
        "offers",
        lambda: replace(PILOTS, cautious=lambda s, seat: Order("LAUNCH")),
    ),
    "a refusal without words": ("refuses", lambda: telling(explain=lambda reason: "")),
    "a refused order is taken": ("refuses", lenient),
    "a refused order rolls a die": ("refuses", extra_die),
    "two reasons for one refusal": (
        "refuses",
        lambda: replace(
            PILOTS, refusal=lambda s, seat, o: PILOTS.refusal(s, seat, o) and "some other reason"
        ),
    ),
    "a view shows cards that are face down": (
        "keeps secrets",
        lambda: viewing(SKIES, lambda s: sorted(s.pending)),
    ),
    "everybody may know an order that is secret": (
        "keeps secrets",
        lambda: replace(
            SKIES,
            audience=lambda e: (
                frozenset() if isinstance(e, skies_events.Closed) else SKIES.audience(e)
            ),
        ),
    ),
    "a view that is not a plain value": ("travels", lambda: viewing(PILOTS, lambda s: (1, 2))),
    "an event that is not listed": ("travels", lambda: replace(PILOTS, event=Tried)),
    "a game without an end": ("ends", lambda: phased(lambda p, s: p._replace(outcome=None))),
    "a winner who is nobody": (
        "ends",
        lambda: phased(lambda p, s: _over(p, lambda p: p._replace(outcome=Outcome("Me", False)))),
    ),
    "orders are awaited after the end": (
        "ends",
        lambda: phased(
            lambda p, s: _over(p, lambda p: p._replace(owing={Seat(n): ("",) for n in s.pilots}))
        ),
    ),
    "a seat in two teams": (
        "teams",
        lambda: replace(
            PILOTS, teams=lambda s: dict.fromkeys(("a", "b"), tuple(map(Seat, s.pilots)))
        ),
    ),
    "a chance that is told too high": (
        "chances",
        lambda: offering(
            lambda found, seat: [
                one if one.chance is None else one._replace(chance=min(99, one.chance + 10))
                for one in found
            ]
        ),
    ),
    "a bot that cheats": (
        "bots",
        lambda: replace(PILOTS, bots=Bots(choose={"sharp": lambda s, seat, d: Order("LAUNCH")})),
    ),
    "a picture without words": (
        "pictures",
        lambda: replace(
            PILOTS,
            pictures=Pictures(
                draw=lambda view, word: tuple(
                    one._replace(alt="")
                    for one in (PILOTS.pictures.draw(view, word) if PILOTS.pictures else ())
                )
            ),
        ),
    ),
    "an event that no template tells": ("words", lambda: replace(PILOTS, key="blackskies")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    name, plant = FAULTS[fault]
    rules = plant()
    law = _LAWS[name] if name in _LAWS else Law(name, "", words(rules))
    # Every step is looked at, so that few games are enough.
    finding = check(rules, law._replace(every=20 if law.every > 100 else 1), 6)
    assert finding.broken is not None
    assert finding.broken
    assert len(finding.orders) <= 60


def test_there_are_enough_faults_of_every_kind() -> None:
    assert len(FAULTS) >= 25
    assert {name for name, _ in FAULTS.values()} == {*_LAWS, "words"}


def test_the_smallest_game_is_told() -> None:
    """Each later search is for a shorter game only."""
    late = replace(PILOTS, view=lambda s, seat: {"quiet": (s.quiet,) if s.quiet > 3 else 0})
    finding = check(late, _LAWS["travels"], 3)
    assert finding.broken
    assert 3 <= len(finding.orders) <= 5
