"""Bots of three strengths, to practise against: easy, sound and sharp; and what the silent do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.blackskies.bot_forecast import (
    SURE,
    Flight,
    Pose,
    distance,
    effort,
    flight_of,
    flown,
    guesses,
    harm,
    party,
)
from engine.blackskies.legal import manoeuvre, may_withdraw, needed, offers
from engine.blackskies.matrix_game import Matrix, Meeting, mixture, tries, turned
from engine.blackskies.model import Battle, Order, active, unordered
from engine.blackskies.tables import PILOT_DIE, STEADY
from engine.dice import Dice
from engine.i18n import say
from engine.seats import Seat

_WHIM = 3
"""An easy bot does anything that comes to mind in one turn of this many."""


class _Foe(NamedTuple):
    """An enemy's element: where it may be when our card is played, and after the turn."""

    flight: Flight
    then: list[Pose]
    after: list[Pose]


def easy(battle: Battle, seat: Seat, dice: Dice) -> Order:
    """Return a beginner's order: head for the nearest enemy's present place, or do just
    anything."""
    name = unordered(battle, seat)[0]
    # Beginners fly the basic cards only: Straight, Left and Right.
    cards = [order for order in _cards(battle, name) if (order.card or 0) <= 3]
    if dice.roll(_WHIM, "whim") == 1:
        return cards[dice.roll(len(cards), "anything") - 1]
    own = flight_of(battle, name)
    foes = [foe.now for foe in _enemies(battle, own)]
    return min(cards, key=lambda order: _reach(flown(own, manoeuvre(order), order.by), foes))


def sound(battle: Battle, seat: Seat, dice: Dice) -> Order:
    """Return the order of a bot that looks a turn ahead: get behind the nearest enemy.

    The enemy is expected to fly straight on.
    """
    name = unordered(battle, seat)[0]
    own = flight_of(battle, name)
    return _looking_ahead(battle, own, _enemies(battle, own))


def why(battle: Battle, seat: Seat, order: Order) -> str:
    """Return in at most five words why a sound bot gives an order."""
    if order.command == "withdraw":
        return say("nothing left to fight with")
    harmless = flight_of(battle, order.element).harmless
    return say("away from their guns") if harmless else say("good shots, and few back")


def _looking_ahead(battle: Battle, own: Flight, enemies: Sequence[Flight]) -> Order:
    nearest = min(enemies, key=lambda foe: distance(own.now, foe.now))
    return _best(battle, own, [_foreseen(battle, own, nearest, _straight)])


def sharp(battle: Battle, seat: Seat, dice: Dice) -> Order:
    """Return the order of a bot that mixes its cards, so that nobody can foresee them.

    It expects the nearest enemy to be sound in a third of the cases, and in the others to know
    how often it flies each card itself.
    """
    own = flight_of(battle, unordered(battle, seat)[0])
    foes = sorted(_enemies(battle, own), key=lambda foe: distance(own.now, foe.now))
    if own.harmless:
        return _best(battle, own, [_foreseen(battle, own, foe, guesses) for foe in foes])
    mine, theirs, matrix = game(battle, own, foes[0])
    often = shares(battle, own, foes[0], theirs, matrix)
    # The bot's own dice, so that nobody can foresee the card, and a replay finds it again.
    fallen = dice.roll(sum(often), "card")
    return mine[next(n for n in range(len(mine)) if sum(often[: n + 1]) >= fallen)]


def game(battle: Battle, own: Flight, foe: Flight) -> tuple[list[Order], list[Order], Matrix]:
    """Return the cards of two elements, and what each of one's is worth against each of the
    other's."""
    mine, theirs = tries(battle, own), tries(battle, foe)
    one, other = party(battle, own, foe), party(battle, foe, own)
    if _plays_before(battle, own, foe):
        matrix = Meeting(one, other).matrix(mine, theirs)
    else:
        # A meeting is seen from the side that plays first: it fires before the other has moved.
        matrix = turned(Meeting(other, one).matrix(theirs, mine))
    return [each.order for each in mine], [each.order for each in theirs], matrix


def shares(
    battle: Battle, own: Flight, foe: Flight, theirs: Sequence[Order], matrix: Matrix
) -> list[int]:
    """Return how often a sharp bot flies each of its cards in such a game."""
    sound_one = _looking_ahead(battle, foe, [own])
    return mixture(matrix, theirs.index(sound_one) if sound_one in theirs else None)


BY_STRENGTH: Mapping[str, Callable[[Battle, Seat, Dice], Order]] = {
    "easy": easy,
    "sound": sound,
    "sharp": sharp,
}


def cost(battle: Battle, strength: str) -> int:
    """Return about what an order of a bot costs at most, in units of a Budget."""
    if strength == "sharp":
        return 40_000
    return 700 if strength == "easy" else 1500


def _cards(battle: Battle, name: str) -> list[Order]:
    return [order for order, _ in offers(battle, name) if order.command == "fly"]


def _enemies(battle: Battle, own: Flight) -> list[Flight]:
    names = battle.sides[1 - own.element.side].elements
    return [flight_of(battle, name) for name in names if active(battle, name)]


def _straight(flight: Flight) -> list[Pose]:
    return [flown(flight, STEADY)]


def _foreseen(
    battle: Battle, own: Flight, foe: Flight, guess: Callable[[Flight], list[Pose]]
) -> _Foe:
    """Return where an enemy may be; it has moved before our card only if its card comes first."""
    after = guess(foe)
    return _Foe(foe, after if _plays_before(battle, foe, own) else [foe.now], after)


def _plays_before(battle: Battle, one: Flight, other: Flight) -> bool:
    """Return whether an element's card is played before another's (BS-11)."""
    places = [battle.sides[f.element.side].deck.index(f.element.name) for f in (one, other)]
    if places[0] != places[1]:
        return places[0] < places[1]
    # In the same round of cards the side that moves first plays its own first (BS-11).
    return one.element.side == battle.first


def _best(battle: Battle, own: Flight, foes: Sequence[_Foe]) -> Order:
    """Return the card with the best prospects; an element without weapons leaves if it can."""
    name = own.element.name
    # It can do no more harm, and full hull that withdraws gives the enemy no points (BS-26).
    if own.harmless and may_withdraw(battle, own.element):
        return Order(name, "withdraw")
    return max(_cards(battle, name), key=lambda order: _prospects(battle, own, order, foes))


def _prospects(battle: Battle, own: Flight, order: Order, foes: Sequence[_Foe]) -> int:
    """Return the worth of a card: harm done less harm taken, by the lead's chance to master it."""
    card, lead = manoeuvre(order), active(battle, own.element.name)[0]
    passes = min(PILOT_DIE + 1 - needed(own.design, lead, card.difficulty), PILOT_DIE)
    # After a failed check it flies the substitute and does not fire (BS-14, BS-15).
    found = 0
    if passes > 0:
        pose = flown(own, card, order.by)
        found += passes * (_dealt(own, pose, foes, card.penalty) + _suffered(own, pose, foes))
    if passes < PILOT_DIE:
        found += (PILOT_DIE - max(passes, 0)) * _suffered(own, flown(own, card, None, False), foes)
    return found


def _dealt(own: Flight, pose: Pose, foes: Iterable[_Foe], penalty: int) -> int:
    """Return the harm to the enemy that it can harm most."""
    return max(
        sum(harm(own, pose, foe.flight, there, penalty) for there in foe.then) // len(foe.then)
        for foe in foes
    )


def _suffered(own: Flight, pose: Pose, foes: Sequence[_Foe]) -> int:
    """Return the harm that enemies may do after their moves, and the cost of a bad
    place; below 0."""
    taken = sum(
        sum(harm(foe.flight, there, own, pose) for there in foe.after) // len(foe.after)
        for foe in foes
    )
    reach = _reach(pose, [there for foe in foes for there in foe.after])
    # A harmless element is better far away; any other wants a good shot soon.
    return -taken // 2 + (reach if own.harmless else -reach) * SURE // 100


def _reach(pose: Pose, foes: Iterable[Pose]) -> int:
    """Return how far it is from a pose to the next good shot, the turns that it takes included."""
    return min(effort(pose, foe) for foe in foes)


def cautious(battle: Battle, seat: Seat) -> Order:
    """Return Straight, steady for the next element that a seat has not ordered yet (BS-10)."""
    return Order(unordered(battle, seat)[0], "fly", STEADY.card, STEADY.option)
