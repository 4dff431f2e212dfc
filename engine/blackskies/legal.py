"""What an element may be ordered: why an order is refused, and the orders that a letter offers."""

from functools import lru_cache

from engine.blackskies.design import Design, weight_of
from engine.blackskies.geometry import norm, within
from engine.blackskies.model import (
    Battle,
    Element,
    Fighter,
    Order,
    active,
    design_of,
    enemies,
    is_crippled,
    unordered,
)
from engine.blackskies.tables import (
    CARDS,
    IN_RETROGRADE,
    MANOEUVRES,
    NEAR,
    NEEDS,
    PILOT_DIE,
    STEADY,
    Manoeuvre,
)
from engine.i18n import say
from engine.ruleset import LegalOrder
from engine.seats import REFEREE, Seat

REASONS = {
    "over": say("the battle is over"),
    "wrong turn": say("that turn is not the open one"),
    "unknown element": say("no such element is yours"),
    "out of the battle": say("that element is out of the battle"),
    "unknown command": say("there is no such command"),
    "enemy near": say(
        "WITHDRAW is only for elements with no enemy within {near} inches", near=NEAR
    ),
    "bad card": say("name a card from 1 to 12"),
    "no thrusters": say("these fighters lack the thrusters for that card"),
    "retrograde": say("tail first only STEADY, ACCELERATE, DECELERATE and BOOTLEGGER can be flown"),
    "bad option": say("that card has no such option; ACCELERATE goes up to the acceleration"),
    "bad target": say("TARGETS names enemy fighters and elements"),
}
"""The reason codes of refused orders, in the order in which they are tested, each in words."""

LASTING = frozenset({"bad card", "no thrusters", "bad option", "bad target"})
"""The reasons that no later turn removes."""

RULINGS = ("end", "draw", "forfeit")
"""What only the referee's seat may order."""


def refusal(battle: Battle, seat: Seat, order: Order) -> str | None:
    """Return the reason code why an order is not legal now, or None if it is."""
    # In the order of the rules' codes: replays list the first reason that applies.
    if battle.over:
        return "over"
    if battle.first is None or order.turn not in (None, battle.turn):
        return "wrong turn"
    if seat == REFEREE and order.command in RULINGS:
        return _refused_ruling(battle, order)
    element = battle.elements.get(order.element)
    if element is None or element.seat != seat:
        return "unknown element"
    if not active(battle, element.name):
        return "out of the battle"
    if order.command == "fly":
        return _refused_card(battle, element, order)
    # Looked at when it is ordered, and not again when the turn is closed (BS-24).
    if order.command == "withdraw":
        return None if may_withdraw(battle, element) else "enemy near"
    return None if order.command == "surrender" else "unknown command"


def _refused_ruling(battle: Battle, order: Order) -> str | None:
    """Return why a ruling is refused: a forfeit needs a seat that is still in the battle."""
    if order.command != "forfeit":
        return None
    theirs = [e.name for e in battle.elements.values() if e.seat == order.element]
    if not theirs:
        return "unknown element"
    return None if any(active(battle, name) for name in theirs) else "out of the battle"


def _refused_card(battle: Battle, element: Element, order: Order) -> str | None:
    if order.card is None or order.card not in CARDS:
        return "bad card"
    design = design_of(battle, element)
    if NEEDS[order.card] not in (None, *design.thrusters):
        return "no thrusters"
    if element.retrograde and order.card not in IN_RETROGRADE:
        return "retrograde"
    if (order.card, order.option) not in MANOEUVRES or not _fits(design, order):
        return "bad option"
    # Targets may be out of the battle already: they are passed over when the card is played.
    known = {name for name, e in battle.elements.items() if e.side != element.side}
    # An element stands for its lead, then its wingman (BS-22), so both kinds of name are targets.
    known.update(n for name in tuple(known) for n in battle.elements[name].fighters)
    return None if known.issuperset(order.targets) else "bad target"


def _fits(design: Design, order: Order) -> bool:
    """Return whether `by` is there for ACCELERATE, in its limits, and for nothing else."""
    if order.option != "accelerate":
        return order.by is None
    return order.by is not None and 1 <= order.by <= weight_of(design).acceleration


def may_withdraw(battle: Battle, element: Element) -> bool:
    """Return whether no active enemy is near an active fighter of an element (BS-24)."""
    # Every fighter of the element counts, not only the lead (BS-24).
    own = active(battle, element.name)
    return not any(
        within(norm(foe.q - one.q, foe.r - one.r), NEAR)
        for _, foe in enemies(battle, element.side)
        for one in own
    )


def manoeuvre(order: Order | None) -> Manoeuvre:
    """Return the manoeuvre of a legal order to fly; Straight, steady where there is
    none (BS-10)."""
    if order is None or order.command != "fly" or order.card is None:
        return STEADY
    return MANOEUVRES[order.card, order.option]


def needed(design: Design, fighter: Fighter, difficulty: int, failed: bool = False) -> int:
    """Return what a d6 must show to pass a check (BS-13)."""
    # Crippled doubles the difficulty, and a failed check on this card doubles it again (BS-13).
    doublings = is_crippled(design, fighter.hull) + failed
    return (difficulty << doublings) - fighter.skill


def chance_of(need: int) -> int | None:
    """Return a check's chance in percent, None where no die is needed to pass."""
    return None if need <= 1 else max(0, round(100 * (PILOT_DIE + 1 - need) / PILOT_DIE))


def chance(battle: Battle, seat: Seat, order: Order) -> int | None:
    """Return the chance in percent that the lead masters a card; None where no die decides."""
    element = battle.elements.get(order.element)
    fighters = active(battle, order.element) if element is not None else []
    if element is None or order.command != "fly" or not fighters:
        return None
    design, difficulty = design_of(battle, element), manoeuvre(order).difficulty
    return chance_of(needed(design, fighters[0], difficulty))


def legal(battle: Battle, seat: Seat) -> list[LegalOrder[Order]]:
    """Return the legal orders of a seat's elements that have none yet, each with its chance.

    TARGETS and HOLD FIRE, which may be added to each, are left out.
    """
    return [offer for name in unordered(battle, seat) for offer in offers(battle, name)]


def offers(battle: Battle, name: str) -> list[LegalOrder[Order]]:
    """Return an element's legal orders, each with its chance."""
    element = battle.elements[name]
    # The chance is the lead's: its check alone decides what the element flies (BS-14).
    design, lead = design_of(battle, element), active(battle, name)[0]
    crippled = is_crippled(design, lead.hull)
    found = list(
        _cards(
            name,
            design.thrusters,
            weight_of(design).acceleration,
            element.retrograde,
            lead.skill,
            crippled,
        )
    )
    if may_withdraw(battle, element):
        found.append(LegalOrder(Order(name, "withdraw"), None))
    return [*found, LegalOrder(Order(name, "surrender"), None)]


# Offers are asked for again and again, by letters and by bots that look ahead.
@lru_cache(maxsize=1024)
def _cards(
    name: str,
    thrusters: tuple[str, ...],
    acceleration: int,
    retrograde: bool,
    skill: int,
    crippled: bool,
) -> tuple[LegalOrder[Order], ...]:
    """Return the cards that may be flown; equal elements share one cached value."""
    found = []
    for card, option in MANOEUVRES:
        if NEEDS[card] not in (None, *thrusters) or (retrograde and card not in IN_RETROGRADE):
            continue
        # As in `needed`, but from the values alone that equal elements share in the cache.
        need = MANOEUVRES[card, option].difficulty * (1 + crippled) - skill
        for by in range(1, acceleration + 1) if option == "accelerate" else (None,):
            found.append(LegalOrder(Order(name, "fly", card, option, by), chance_of(need)))
    return tuple(found)
