"""Designs of fighters that players make and a league's catalogue holds."""

from collections.abc import Mapping, Sequence

from engine.blackskies.design import Design, data_of, design, shown, shown_weapon, spent, weight_of
from engine.blackskies.design_text import FORM, read_design, takes, written
from engine.blackskies.league_catalogue import USUAL, Catalogue, catalogue
from engine.blackskies.persona_record import (
    available,
    persona_of,
    price,
    read_squadron,
    squadron_of,
)
from engine.blackskies.tables import MOST_SKILL, WEIGHTS
from engine.campaign import Blueprint, Blueprints, Persona
from engine.errors import SetupError, UnreadableOrder
from engine.i18n import say
from engine.letter_texts import View
from engine.names import fold

MOST_DESIGNS = 24
"""The most designs that a player may have at once (house rule)."""


def stock(value: object) -> Catalogue:
    """Return a league's catalogue, the usual one for None; raise SetupError.

    A name that no player could write in an order is refused, too.
    """
    if value is None:
        return USUAL
    found = catalogue(value)
    arms = Catalogue(found.weapons, {})
    # A weapon's name is tried in a design, since players write it nowhere else.
    trials = [Design("A", "heavy", (), (weapon,), 0, 0) for weapon in found.weapons.values()]
    for kind, made, name in (
        *(("weapons", one, one.weapons[0].name) for one in trials),
        *(("designs", one, one.name) for one in found.designs.values()),
    ):
        try:
            # Written as a player would, and read again: the only sure test of a name.
            fits = read_design(written(made).partition(" ")[2], arms) == made
        except UnreadableOrder:
            fits = False
        if not fits:
            raise SetupError(f"catalogue.{kind}.{name}: nobody could write that name in an order")
    return found


def _read(text: str, known: Catalogue) -> Blueprint:
    made = read_design(text, known)
    return Blueprint(made.name, data_of(made, {arm: arm.name for arm in made.weapons}))


def _made(blueprint: Blueprint, known: Catalogue) -> Design:
    """Return the design of a blueprint; raise SetupError where the catalogue lacks a weapon."""
    return design(blueprint.name, blueprint.record, known.weapons, blueprint.name)


def _enlist(text: str, known: Catalogue, own: Sequence[Blueprint]) -> Persona:
    """Return a new squadron, which may fly its player's designs and the catalogue's."""
    usable, lost = dict[str, Design](), []
    for blueprint in own:
        try:
            usable[blueprint.name] = _made(blueprint, known)
        except SetupError:
            lost.append(blueprint.name)
    # The player's come first in hints, and win where a name is in both.
    both: Mapping[str, Design] = {**usable, **known.designs, **usable}
    return persona_of(*read_squadron(text, both, lost))


def _flies(persona: Persona, blueprint: Blueprint) -> bool:
    """Return whether a squadron that still fights flies a design of this name."""
    if available(persona, "") is not None:
        return False
    names = {fold(wing.design) for wing in squadron_of(persona).wings}
    return fold(blueprint.name) in names


def _crowded(own: Sequence[Blueprint]) -> str | None:
    if len(own) < MOST_DESIGNS:
        return None
    return say("you have {most} designs already; DESIGN DROP ends one", most=MOST_DESIGNS)


def _sheet(blueprint: Blueprint, known: Catalogue) -> View:
    try:
        return _shown(_made(blueprint, known))
    except SetupError:
        return {"name": blueprint.name, "lost": True, "record": blueprint.record}


def _shown(made: Design) -> View:
    """Return a design with what it costs, and the order that makes it."""
    most, used = weight_of(made).hardpoints, spent(made)
    points = [price(made, skill) for skill in range(1, MOST_SKILL + 1)]
    facts = {"order": written(made), "used": used, "left": most - used, "points": points}
    return {"lost": False, **shown(made), **facts}


def _view(known: Catalogue) -> View:
    """Return a catalogue, the lighter designs first."""
    rank = list(WEIGHTS)
    designs = sorted(known.designs.values(), key=lambda one: rank.index(one.weight))
    return {
        "designs": [_shown(one) for one in designs],
        "weapons": [shown_weapon(weapon) for weapon in known.weapons.values()],
    }


BLUEPRINTS = Blueprints(
    word="DESIGN",
    form=FORM,
    takes=takes,
    stock=stock,
    read=_read,
    enlist=_enlist,
    uses=_flies,
    crowded=_crowded,
    sheet=_sheet,
    view=_view,
    stocked=lambda known: tuple(known.designs),
)
