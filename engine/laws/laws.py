"""The laws: each is a function that looks at one step of a random game."""

import copy
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.codec import decode, encode, plain
from engine.dice import Dice, ListedDice
from engine.errors import EngineError, IllegalOrder, OrderError
from engine.laws.random_games import Step, WildDice, chance_of, pick
from engine.orders.reading import read_translated
from engine.play import fold, seen, take
from engine.ruleset import UNTOLD, AnyRuleset, LegalOrder
from engine.seats import REFEREE, Seat, may_know

ROLLS = 10_000
"""So many times an order is tried to see whether its chance is right."""
_ERROR = 0.025
"""Five standard errors of an even chance after so many rolls; other chances have smaller ones."""


class Broken(Exception):
    """A law that a system breaks; the text says how."""


Check = Callable[[AnyRuleset, Step, Dice], None]


class Law(NamedTuple):
    """One law: its name, what it demands in a sentence, and how one step is checked.

    One step in `every` is checked; more where a check takes long. `lacks` returns what a system
    would need to be tried, "" where it has that.
    """

    name: str
    demands: str
    check: Check
    every: int = 1
    lacks: Callable[[AnyRuleset], str] = lambda rules: ""


def _hold(holds: bool, text: str) -> None:
    if not holds:
        raise Broken(text)


def _same(one: Any, other: Any, text: str) -> None:
    """Find that two values are equal, or name the place where they are not."""
    if one != other:
        raise Broken(f"{text}: {_unlike(plain(one), plain(other))}")


def _unlike(one: Any, other: Any, place: str = "") -> str:
    """Return the first place where two plain values differ, with what stands there."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = {key: (one[key], other[key]) for key in one}
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = dict(enumerate(zip(one, other, strict=True)))
    else:
        return f"{place or 'it'} is {one!r:.80}, and {other!r:.80}"
    key = next(key for key, (mine, theirs) in parts.items() if mine != theirs)
    return _unlike(*parts[key], f"{place}.{key}" if place else str(key))


def _looking(rules: AnyRuleset, state: Any) -> tuple[Seat | None, ...]:
    """Return everyone who may look: each seat, the public and the referee."""
    return (*rules.seats(state), None, REFEREE)


def _offers(rules: AnyRuleset, state: Any) -> list[tuple[Seat, LegalOrder[Any]]]:
    phase = rules.phase(state)
    return [(seat, offer) for seat in phase.owing for offer in rules.offers(state, seat)]


def _same_again(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    kept, text = copy.deepcopy(step.before), encode(step.before)
    dice = ListedDice([roll.result for roll in step.rolls])
    # The dice that fell are listed: a roll more or less than before raises DiceError.
    again = take(rules, step.before, step.orders, dice)
    _same(again.state, step.after, "the same orders and dice led to another state")
    _same(again.events, step.events, "the same orders and dice led to other events")
    _hold(again.rolls == step.rolls, "the same orders rolled other dice")
    unchanged = step.before == kept and encode(step.before) == text
    _hold(unchanged, "resolve has changed the state before in place")


def _folds(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    folded = fold(rules, step.before, step.events)
    text = "apply does not fold the events to the state that resolve returns"
    _same(folded, step.after, text)


def _written(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    for seat, offer in _offers(rules, step.before):
        text = rules.format(offer.order)
        # `parse` reads what is stored, `read` what a player copies out of a letter.
        for name, reads in (("parse", rules.parse), ("read", rules.read)):
            try:
                found = reads(step.before, seat, text)
            except OrderError as error:
                raise Broken(f"{name} refuses {text!r}, which format wrote: {error}") from None
            _hold(found == offer.order, f"{name} takes {text!r} as another order: {found!r}")
        for language, translation in rules.translations.items():
            shown = translation.shown(text)
            # English is read first, as in letters; a translation may be the same word.
            if rules.read(step.before, seat, shown) != offer.order:
                found = read_translated(rules, step.before, seat, shown, translation)
                text = f"{text!r} is shown as {shown!r} in {language}, and read as {found!r}"
                _hold(found == offer.order, text)


def _offered(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    phase = rules.phase(step.before)
    for seat in phase.owing:
        offers = rules.offers(step.before, seat)
        _hold(bool(offers), f"{seat} owes an order, and nothing is offered")
        for offer in offers:
            text = rules.format(offer.order)
            reason = rules.refusal(step.before, seat, offer.order)
            _hold(reason is None, f"{text!r} is offered to {seat} and refused: {reason}")
            fits = offer.chance in (None, UNTOLD) or 0 <= offer.chance <= 100
            _hold(fits, f"the chance of {text!r} is {offer.chance}, which is not a percentage")
            _tried(rules, step.before, seat, offer.order, chance)
        cautious = rules.cautious(step.before, seat)
        reason = rules.refusal(step.before, seat, cautious)
        _hold(reason is None, f"the cautious order {rules.format(cautious)!r} is refused: {reason}")


def _tried(rules: AnyRuleset, state: Any, seat: Seat, order: Any, chance: Dice) -> None:
    try:
        rules.resolve(state, {seat: [order]}, WildDice(chance))
    except EngineError as error:
        raise Broken(f"{rules.format(order)!r} is offered to {seat} and fails: {error}") from None


def _refused(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    """Try the offers of this step on the state after it, where some are against the rules."""
    orders = {rules.format(offer.order): offer.order for _, offer in _offers(rules, step.before)}
    for seat in rules.seats(step.after):
        offered = {rules.format(offer.order) for offer in rules.offers(step.after, seat)}
        for text in sorted(orders.keys() - offered):
            reason = rules.refusal(step.after, seat, orders[text])
            if reason is not None:
                _hold(bool(rules.telling.explain(reason)), f"no words explain {reason!r}")
                _unharmed(rules, step.after, seat, orders[text], reason)


def _unharmed(rules: AnyRuleset, state: Any, seat: Seat, order: Any, reason: str) -> None:
    """Find that a refused order is refused by `resolve` too, before any die is rolled."""
    text, before = rules.format(order), encode(state)
    try:
        # The list is empty, so the first roll raises DiceError: a refused order draws no die.
        rules.resolve(state, {seat: [order]}, ListedDice([]))
    except IllegalOrder as error:
        _hold(error.reason == reason, f"{text!r} is refused as {reason}, then as {error.reason}")
    except EngineError as error:
        raise Broken(f"{text!r} of {seat} is refused ({reason}), but rolls dice: {error}") from None
    else:
        raise Broken(f"{text!r} of {seat} is refused ({reason}), and resolve takes it")
    _hold(encode(state) == before, f"{text!r} of {seat} is refused, and changes the state")


def _secret(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    for seat in (*rules.seats(step.before), None):
        events = seen(rules, step.events, seat)
        known = fold(rules, step.before, events)
        text = f"the view of {seat or 'the public'} shows more than the events it may know"
        _same(rules.view(known, seat), rules.view(step.after, seat), text)
    _imagined(rules, step, chance)
    # The referee orders, rules and takes back: nothing may be hidden from that seat.
    everything = all(may_know(rules.audience(event), REFEREE) for event in step.events)
    _hold(everything, "there is an event that the referee may not know")


def _imagined(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    """Find that bots, and the games that PREVIEW plays out, know no more than their seats."""
    if rules.bots is None or rules.outcome(step.after) is not None:
        return
    for seat in rules.seats(step.after):
        known = fold(rules, step.before, seen(rules, step.events, seat))
        filed = REFEREE not in step.orders and rules.phase(step.before).simultaneous
        if filed or known == step.after:
            continue
        imagine = rules.bots.imagine
        text = f"{seat} may not know the whole state, so bots need imagine: else PREVIEW tells it"
        _hold(imagine is not None, text)
        assert imagine is not None
        seed = chance.roll(10_000, "seed")
        # From what the seat may know, and from the truth, with the same dice: any difference is a
        # leak.
        one, other = (imagine(state, seat, chance_of(seed, "")) for state in (known, step.after))
        _hold(one == other, f"imagine knows for {seat} what only others know")


def _plain(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    state = decode(encode(step.after), rules.state)
    _same(state, step.after, "a state is another one after its way through JSON")
    for event in step.events:
        again = decode(encode(event), rules.event)
        _hold(again == event, f"an event is another one after its way through JSON: {event!r}")
    for seat in _looking(rules, step.after):
        view = rules.view(step.after, seat)
        plain = json.loads(json.dumps(view)) == view
        _hold(plain, f"the view of {seat or 'the public'} holds more than plain values")


def _ended(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    phase = rules.phase(step.after)
    if phase.awaiting is not None:
        _hold(not phase.owing, "a ruling is awaited, and somebody owes an order")
        _hold(phase.outcome is None, "a ruling is awaited, and the game is over")
        _hold(bool(phase.awaiting.rulings), "a ruling is awaited, and none is possible")
        # A moderator answers with one of these texts.
        for text in phase.awaiting.rulings:
            order = rules.parse(step.after, REFEREE, text)
            reason = rules.refusal(step.after, REFEREE, order)
            _hold(rules.format(order) == text, f"the ruling {text!r} is written in another way")
            _hold(reason is None, f"the ruling {text!r} is awaited and refused: {reason}")
    if phase.outcome is None:
        return
    _hold(not phase.owing, "the game is over, and somebody still owes an order")
    for seat in rules.seats(step.after):
        _hold(not rules.offers(step.after, seat), f"the game is over, and {seat} is offered orders")
    teams, winner = rules.teams(step.after), phase.outcome.winner
    _hold(winner is None or winner in teams, f"the winner {winner!r} is not a team")
    _hold(not (winner and phase.outcome.drawn), f"{winner} has won, and the game is drawn")


def _teams(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    seats = rules.seats(step.after)
    _hold(len(set(seats)) == len(seats), "a seat is in two teams")
    _hold(rules.teams(step.before).keys() == rules.teams(step.after).keys(), "a team has gone")
    _hold(len(rules.teams(step.after)) > 1, "there are fewer than two teams")


def _chances(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    """Roll one offer with a chance so often that a wrong chance is found.

    Where all order at once, the offer and END make a whole turn; only turns in which nobody has
    ordered yet are tried.
    """
    succeeded = rules.trials.succeeded
    if succeeded is None:
        return
    told = [
        (s, o) for s, o in _offers(rules, step.before) if o.chance not in (None, UNTOLD, 0, 100)
    ]
    phase = rules.phase(step.before)
    if not told or (phase.simultaneous and set(phase.owing) != set(phase.may)):
        return
    seat, offer = pick(told, chance)
    orders = {seat: [offer.order]}
    if phase.simultaneous:
        # Filed orders are resolved by the referee's END alone, so the roll falls there.
        orders[REFEREE] = [rules.parse(step.before, REFEREE, "END")]
    count = 0
    for _ in range(ROLLS):
        _, events = rules.resolve(step.before, orders, chance)
        count += succeeded(events)
    off = abs(count / ROLLS - (offer.chance or 0) / 100)
    found = f"{100 * count / ROLLS:.1f} % of {ROLLS:,} rolls"
    text = f"{rules.format(offer.order)!r} is offered with {offer.chance} %"
    _hold(off <= _ERROR, f"{text}, and succeeds in {found}")


def _played_by_bots(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    for seat in rules.phase(step.before).owing:
        for strength in rules.strengths:
            order = rules.bot(strength)(step.before, seat, chance)
            reason = rules.refusal(step.before, seat, order)
            text = f"the {strength} bot orders {rules.format(order)!r} for {seat}"
            _hold(reason is None, f"{text}, which is refused: {reason}")


def _drawn(rules: AnyRuleset, step: Step, chance: Dice) -> None:
    if rules.pictures is None:
        return
    for seat in (*rules.seats(step.after), None):
        for picture in rules.pictures.draw(rules.view(step.after, seat), lambda text: text):
            _hold("<svg" in picture.svg, "a picture is not an SVG")
            _hold(bool(picture.alt.strip()), "a picture has no sentence that says what it shows")


def _untried(rules: AnyRuleset) -> str:
    return "" if rules.trials.succeeded else "trials.succeeded"


def _undrawn(rules: AnyRuleset) -> str:
    return "" if rules.pictures else "pictures"


LAWS = (
    Law("repeats", "the same orders and dice lead to the same result", _same_again),
    Law("folds", "apply folds the events of resolve to the state after", _folds),
    Law("reads", "parse and read take what format writes, as the same order", _written),
    Law("offers", "what is offered can be ordered, and so can the cautious order", _offered),
    Law("refuses", "a refused order has a reason in words, and changes nothing", _refused),
    Law("keeps secrets", "a view shows only what its seat has learned", _secret),
    Law("travels", "states, events and views survive JSON", _plain),
    Law("ends", "when the game is over nobody may order, and a team has won or none", _ended),
    Law("teams", "each seat has one team, and there are two teams or more", _teams),
    Law("chances", "a chance is what 10,000 rolls show", _chances, 200, _untried),
    Law(
        "bots", "what a bot orders is legal", _played_by_bots, 8, lambda r: "" if r.bots else "bots"
    ),
    Law("pictures", "each picture is drawn, and has a sentence", _drawn, 8, _undrawn),
)
