"""A turn from orders to events; only this module and `fire` roll dice in a battle."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.blackskies import events as ev
from engine.blackskies.apply import apply
from engine.blackskies.design import weight_of
from engine.blackskies.fire import shoot_all
from engine.blackskies.geometry import Point, course, norm, path, within
from engine.blackskies.legal import REASONS, manoeuvre, needed, refusal
from engine.blackskies.model import (
    Battle,
    Element,
    Fate,
    Order,
    active,
    all_elements,
    design_of,
    points,
    stands,
    to_order,
)
from engine.blackskies.tables import ASTEROID_DIE, ASTEROID_DIFFICULTY, PILOT_DIE
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.events import Event, Play
from engine.seats import Seat, referee_last

Resolution = tuple[Battle, tuple[Event, ...]]


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> Resolution:
    """Return the battle after one step, and its events, which `apply` folds to the same battle.

    A step rolls who moves first, files orders, closes a turn, or is the referee's ruling. Orders of
    several seats are filed in order of the seats' names, whichever arrived first, and the referee's
    come last. Without orders, who moves first is rolled, or a turn is closed for which no order is
    missing. Raise IllegalOrder where an order is not legal now.
    """
    play = Play(battle, dice, apply)
    if not orders:
        _own_step(play)
    # END may come in the same step as the orders, and must see all of them.
    for seat in referee_last(orders):
        for order in orders[seat]:
            reason = refusal(play.battle, seat, order)
            if reason is not None:
                raise IllegalOrder(REASONS[reason], reason=reason)
            if order.command in _RULINGS:
                _RULINGS[order.command](play, order)
            else:
                play.record(ev.Ordered(seat, order))
    return play.battle, tuple(play.events)


def _own_step(play: Play[Battle]) -> None:
    """Roll who moves first (BS-8), or close a turn."""
    battle = play.battle
    if battle.over:
        raise IllegalOrder(REASONS["over"], reason="over")
    # Rolled once, before the first turn; it never changes (BS-8).
    if battle.first is None:
        one, other = battle.sides
        roll = play.dice.roll(6, f"who moves first, 1-3 {one.name}, 4-6 {other.name}", (3,))
        play.record(ev.Begun(int(roll > 3), roll))
    # Whether to wait for a silent player is the referee's to say (BS-10).
    elif to_order(battle):
        raise IllegalOrder("orders are missing; only the referee's END closes the turn now")
    else:
        _close(play, Order())


_LEAVING: Mapping[str, Fate] = {"surrender": "surrendered", "withdraw": "withdrawn"}


def _close(play: Play[Battle], ruling: Order) -> None:
    """Close the turn: who leaves, then card by card, then the end or the next turn (BS-11)."""
    battle = play.battle
    # Read before Closed, which empties them.
    orders = battle.pending
    play.record(ev.Closed(battle.turn))
    # Before the first card, so that nobody shoots at an element that has left (BS-24).
    for name in all_elements(battle):
        order = orders.get(name)
        if order is not None and order.command in _LEAVING:
            play_alone(play, order)
    # `battle` is that of before: decks never change within a turn (BS-9).
    for name in _cards(battle):
        # The rest of the cards are not played once a side is alone (BS-25).
        if _is_decided(play.battle):
            break
        # An earlier card of this turn may have destroyed the element.
        if active(play.battle, name):
            _play(play, name, orders.get(name) or Order(name))
    _finish(play)


def play_alone(play: Play[Battle], order: Order) -> None:
    """Carry out one order of a turn: an element leaves, or its card is played."""
    if order.command in _LEAVING:
        play.record(ev.Left(order.element, _LEAVING[order.command]))
    else:
        _play(play, order.element, order)


def _cards(battle: Battle) -> Iterator[str]:
    """Yield the elements in the order of their cards, without placeholders (BS-9, BS-11)."""
    assert battle.first is not None
    one, other = battle.sides[battle.first], battle.sides[1 - battle.first]
    for pair in zip(one.deck, other.deck, strict=True):
        yield from (name for name in pair if name is not None)


def _is_decided(battle: Battle) -> bool:
    """Return whether a side has no active fighter (BS-25)."""
    return not (stands(battle, 0) and stands(battle, 1))


def _finish(play: Play[Battle]) -> None:
    """End the battle, or open the next turn (BS-25)."""
    battle = play.battle
    if _is_decided(battle):
        play.record(ev.Over(_winner(battle), "alone"))
    elif battle.turn == battle.last:
        play.record(ev.Over(_winner(battle), "turns"))
    else:
        # The turn's cards go back to the bottom in order, so the deck stays the same (BS-9).
        play.record(ev.Opened(battle.turn + 1))


def _winner(battle: Battle) -> str | None:
    """Return the side that is left alone, or has more points, or None (BS-27)."""
    one, other = battle.sides
    left = stands(battle, 0), stands(battle, 1)
    # A side that is left alone wins, whatever the points say (BS-27).
    score = left if left[0] != left[1] else points(battle)
    return None if score[0] == score[1] else one.name if score[0] > score[1] else other.name


def _play(play: Play[Battle], name: str, order: Order) -> None:
    """Play an element's card in the steps of BS-12."""
    element, card = play.battle.elements[name], manoeuvre(order)
    fighters = [fighter.name for fighter in active(play.battle, name)]
    # Every fighter rolls before anything moves, the lead first (BS-12).
    out = {f for f in fighters if not _check(play, element, f, card.difficulty, False)}
    # The lead's check decides for the whole element; each failure silences its own guns (BS-14).
    mastered = fighters[0] not in out
    acceleration = weight_of(design_of(play.battle, element)).acceleration
    flight = course(element, acceleration, card, order.by, mastered)
    # The wingman flies the lead's course from where it is itself.
    tracks = {f.name: flight.track(f.q, f.r) for f in active(play.battle, name)}
    play.record(
        ev.Flown(
            element=name,
            card=card.card,
            option=card.option,
            by=order.by,
            mastered=mastered,
            speed=flight.speed,
            slowed=flight.slowed,
            heading=flight.heading,
            retrograde=flight.retrograde,
            tracks=tracks,
        )
    )
    # All the lead's asteroids come first, then the wingman's (BS-23).
    if play.battle.asteroids:
        for fighter, (start, _, _) in tracks.items():
            met = _met(play.battle, path(start, flight.legs, flight.speed))
            _dodge_all(play, element, fighter, met, out)
    if not order.hold_fire:
        # The flight has changed the element: `element` above is out of date.
        shoot_all(play, play.battle.elements[name], order, card.penalty, out)


def _check(
    play: Play[Battle],
    element: Element,
    name: str,
    difficulty: int,
    failed: bool,
    asteroid: int | None = None,
) -> bool:
    """Return whether a piloting check is passed; no die is rolled where none can matter (BS-13)."""
    battle = play.battle
    need = needed(design_of(battle, element), battle.fighters[name], difficulty, failed)
    if need <= 1:
        return True
    # More than the die has is a failure without a roll.
    roll = None
    if need <= PILOT_DIE:
        roll = play.dice.roll(PILOT_DIE, f"{name} piloting", (need - 1,))
    passed = roll is not None and roll >= need
    play.record(ev.Checked(name, need, roll, passed, asteroid))
    return passed


def _met(battle: Battle, flown: Sequence[Point]) -> list[int]:
    """Return the numbers of the asteroids that a path meets, in setup order (BS-23)."""
    return [
        number
        # Half-inch steps, so that a fast fighter cannot jump over a small asteroid.
        for number, rock in enumerate(battle.asteroids)
        if any(within(norm(q - rock.q, r - rock.r), rock.radius) for q, r in flown)
    ]


def _dodge_all(
    play: Play[Battle],
    element: Element,
    name: str,
    met: Sequence[int],
    out: set[str],
) -> None:
    """Roll for the asteroids that a fighter meets, until it is destroyed (BS-23)."""
    for number in met:
        # A failed check makes the next one harder, and silences the guns (BS-14).
        if not _check(play, element, name, ASTEROID_DIFFICULTY, name in out, number):
            out.add(name)
            if _graze(play, element, name, number):
                return


def _graze(play: Play[Battle], element: Element, name: str, number: int) -> bool:
    """Hit an asteroid; return whether the fighter is destroyed."""
    battle = play.battle
    roll = play.dice.roll(ASTEROID_DIE, f"asteroid damage to {name}")
    # Shields do not help against rock (BS-23).
    damage = max(roll - design_of(battle, element).armour, 0)
    hull = max(battle.fighters[name].hull - damage, 0)
    play.record(ev.Grazed(name, number, roll, damage, hull, element.seat))
    if not hull:
        play.record(ev.Destroyed(name, None))
    return not hull


def _draw(play: Play[Battle], order: Order) -> None:
    """End the battle without a winner; why is the referee's to say."""
    play.record(ev.Over(None, "ruled"))


def _forfeit(play: Play[Battle], order: Order) -> None:
    """Surrender with all elements of a seat at once."""
    battle = play.battle
    for name in all_elements(battle):
        # Elements that are out already keep their fate: a second event would overwrite it.
        if battle.elements[name].seat == order.element and active(battle, name):
            play.record(ev.Left(name, "surrendered"))
    # Otherwise the turn goes on: the elements that are left still get orders and cards.
    if _is_decided(play.battle):
        _finish(play)


_RULINGS: Mapping[str, Callable[[Play[Battle], Order], None]] = {
    "end": _close,
    "draw": _draw,
    "forfeit": _forfeit,
}
