"""What a letter says besides orders: what can be flown, what can't, and how it stands."""

from collections.abc import Iterator, Sequence

from engine.blackskies.design import weight_of
from engine.blackskies.events import Destroyed, Grazed, Hit, Left
from engine.blackskies.geometry import course
from engine.blackskies.grammar import words
from engine.blackskies.legal import manoeuvre, may_withdraw, offers
from engine.blackskies.model import Battle, Order, active, all_elements, design_of
from engine.blackskies.tables import IN_RETROGRADE, MANOEUVRES, NEAR, NEEDS
from engine.blackskies.view_types import Move
from engine.events import Event
from engine.i18n import Said, listed, say
from engine.letter_texts import Barred, Gist, Tally, by_side
from engine.seats import Seat


def moves(battle: Battle, name: str) -> list[Move]:
    """Return what an element can fly; cards to the left stand for those to the right."""
    element = battle.elements[name]
    acceleration = weight_of(design_of(battle, element)).acceleration
    found: dict[tuple[int, str], Move] = {}
    for order, chance in offers(battle, name):
        text = words(order)
        # Listed by its card to the left, with `both`.
        if order.command != "fly" or order.card is None or text.endswith("RIGHT"):
            continue
        flown = course(element, acceleration, manoeuvre(order), order.by, True)
        move = found.setdefault(
            (order.card, order.option or ""),
            {
                "order": text,
                "most": order.by,
                "both": text.endswith("LEFT"),
                "card": order.card,
                "option": order.option or "",
                "chance": chance,
                "speeds": [],
            },
        )
        # Offers come with rising `by`, so the last one is the most.
        move["most"] = order.by
        if flown.slowed not in move["speeds"]:
            move["speeds"].append(flown.slowed)
    return list(found.values())


def barred(battle: Battle, seat: Seat) -> list[Barred[Order]]:
    """Return what a seat's elements can't be ordered now; what none of them can, without names."""
    if battle.over:
        return []
    elements, found = battle.elements, dict[Said, dict[Order, list[str]]]()
    mine = [name for name in all_elements(battle) if elements[name].seat == seat]
    own = [name for name in mine if active(battle, name)]
    for name in own:
        for order, why in _barred(battle, name):
            found.setdefault(why, {}).setdefault(order, []).append(name)
    return [barred for why, orders in found.items() for barred in _grouped(why, orders, own)]


def _grouped(
    why: Said, orders: dict[Order, list[str]], own: Sequence[str]
) -> Iterator[Barred[Order]]:
    """Yield what no element can be ordered, and then by element the rest, its first with a name."""
    shared = tuple(order for order, names in orders.items() if len(names) == len(own))
    if shared:
        yield Barred(shared, why)
    for name in own:
        lone = [order for order, names in orders.items() if name in names and order not in shared]
        if lone:
            # Only the first with a name: a letter writes the name once, before all of them.
            first = Order(name, lone[0].command, lone[0].card, lone[0].option)
            yield Barred((first, *lone[1:]), why)


def _barred(battle: Battle, name: str) -> Iterator[tuple[Order, Said]]:
    """Yield the orders that an element can't carry out, without its name, and why."""
    element = battle.elements[name]
    thrusters = design_of(battle, element).thrusters
    for card, option in MANOEUVRES:
        order = Order("", "fly", card, option)
        if words(order).endswith("RIGHT"):
            continue
        lacks = NEEDS[card]
        # In the order of the refusals: lacking thrusters come before retrograde motion.
        if lacks is not None and lacks not in thrusters:
            yield order, _LACKING[lacks]
        elif element.retrograde and card not in IN_RETROGRADE:
            yield order, say("it flies tail first; BOOTLEGGER, or speed 0, ends that")
    if not may_withdraw(battle, element):
        yield Order("", "withdraw"), say("an enemy is within {inches} inches", inches=NEAR)


_LACKING = {
    "rear": say("no rear thrusters"),
    "side": say("no side thrusters"),
    "forward": say("no forward thrusters"),
}


def gist(battle: Battle, events: Sequence[Event], seat: Seat) -> Gist:
    """Return what some events did to the sides, and how many fighters each has left."""
    ours = next(e.side for e in battle.elements.values() if e.seat == seat)
    damage = _damage(battle, events, ours)
    told = [*by_side(_losses(battle, events, ours), _losses(battle, events, 1 - ours)), *damage]
    news = listed(told[:2]) if told else say("nobody was hit") if events else ""
    counts = [
        sum(len(active(battle, name)) for name in battle.sides[side].elements)
        for side in (ours, 1 - ours)
    ]
    stands = say(
        "turn {turn}, {own} against {foes}", turn=battle.turn, own=counts[0], foes=counts[1]
    )
    return Gist(news, "" if battle.over else stands)


def _losses(battle: Battle, events: Sequence[Event], side: int) -> list[Said]:
    """Return whom a side has lost: the destroyed first, then those who left."""
    elements = battle.sides[side].elements
    fighters = {one for name in elements for one in battle.elements[name].fighters}
    lost = [e.fighter for e in events if isinstance(e, Destroyed) and e.fighter in fighters]
    told = []
    if lost:
        told = [Tally("{names} destroyed", "{count} fighters destroyed").of(lost)]
    for event in events:
        if isinstance(event, Left) and event.element in elements:
            yields = event.fate == "surrendered"
            said = say("{name} surrendered", name=event.element)
            told.append(said if yields else say("{name} withdrew", name=event.element))
    return told


def _damage(battle: Battle, events: Sequence[Event], ours: int) -> list[Said]:
    """Return the damage that was done to the other side and taken from it."""
    side_of = {e.seat: e.side for e in battle.elements.values()}
    hits = [event for event in events if isinstance(event, Hit | Grazed)]
    if not hits:
        return []
    # Damage by asteroids counts, too, although nobody fired.
    taken = sum(event.damage for event in hits if side_of[event.seat] == ours)
    given = sum(event.damage for event in hits) - taken
    return [say("{given} damage done, {taken} taken", given=given, taken=taken)]
