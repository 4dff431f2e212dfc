"""A task group between battles: whom it may meet, what it has done, what a battle leaves."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.campaign import (
    Campaign,
    Change,
    Day,
    Entry,
    Nouns,
    Persona,
    Specimen,
    Standing,
    house_name,
    unequal,
)
from engine.codec import change
from engine.cortex import vessel_types
from engine.cortex.challenge import atmosphere, distance, melee, options, rocks, without
from engine.cortex.model import Battle, Vessel
from engine.cortex.persona_record import FORM, Group, Ship, group_of, persona_of, read_group, worth
from engine.cortex.queries import everybody
from engine.cortex.tables import MOST_VESSELS
from engine.cortex.vessel_types import KINDS, USUAL_CREW
from engine.dice import Dice
from engine.i18n import say
from engine.letter_texts import View
from engine.seats import Seat

MOST_GROUPS = 4
_NAMES = ("House Ravens", "House Herons", "House Kites")
_COUNTS = ("battles", "wins", "felled", "lost")


def enlist(text: str) -> Persona:
    """Return the group in the text after ENLIST; raise as `read_group` does."""
    return persona_of(*read_group(text))


def sheet(persona: Persona) -> View:
    """Return a group's sheet as plain values for a template."""
    group = group_of(persona)
    counts = {key: getattr(group, key) for key in _COUNTS}
    return {
        "name": persona.name,
        "side": persona.side,
        "worth": worth(group),
        "ships": [_ship(one) for one in group.ships],
        "decorations": [],
        "owed": None,
        "dead": False,
        "resigned": group.disbanded,
        "retired": False,
        **counts,
    }


def _ship(one: Ship) -> dict[str, Any]:
    """Return a vessel as it stands on the sheet, with what its last battle left."""
    kind = KINDS[one.kind]
    data = vessel_types.vessel_data(one.name, "", one.kind, one.crew)
    return {
        "name": one.name,
        "kind": one.kind,
        "crew": one.crew,
        "worth": vessel_types.points(one.kind, one.crew),
        "dice": [data[key] for key in vessel_types.DICE],
        "pilot": data["crew"]["pilot"]["skill"],
        "speed": kind.speed,
        "lp": kind.lp,
        "arms": dict(kind.arms),
        "stations": list(kind.crew),
        "fate": one.fate,
        "stun": one.stun,
        "wound": one.wound,
        "damaged": list(one.damaged),
        "spent": dict(one.spent),
    }


def standing(persona: Persona) -> Standing:
    """Return a group's standing: by battles won, then points felled, then the fewest lost."""
    group = group_of(persona)
    figures = {key: getattr(group, key) for key in _COUNTS}
    return Standing((group.wins, group.felled, -group.lost), figures)


def bar(one: Persona, other: Persona) -> str | None:
    """Return why two groups may not meet, or None."""
    return unequal(worth(group_of(one)), worth(group_of(other)))


def too_many(personas: Sequence[Persona]) -> str | None:
    """Return why some groups are more than one team holds, or None."""
    count = sum(len(group_of(persona).ships) for persona in personas)
    if count <= MOST_VESSELS:
        return None
    return say(
        "a team has at most {most} vessels, and these groups have {count}",
        most=MOST_VESSELS,
        count=count,
    )


def crowded(others: Sequence[Persona], new: Persona) -> str | None:
    """Return why a player may have no further group, or None."""
    if sum(not _is_gone(one) for one in others) < MOST_GROUPS:
        return None
    return say("you have {most} groups already", most=MOST_GROUPS)


def available(persona: Persona, day: Day) -> str | None:
    """Return why a group can't fight, or None; between battles the league repairs."""
    if group_of(persona).disbanded:
        return say("{group} is disbanded", group=persona.name)
    return None


def _is_gone(persona: Persona) -> bool:
    return group_of(persona).disbanded


def after(persona: Persona, state: Any, seat: Seat, day: Day, out: Day) -> Change:
    """Return how a battle in which it had a seat changes a group, which is bound to its end.

    What it left stands on the sheet until the next battle; before that all is repaired, and what
    was destroyed is replaced with its crew.
    """
    battle: Battle = state
    # A name may have its group's before it, but the order is that of the group.
    own = [name for name in everybody(battle) if battle.sheets[name].seat == seat]
    team = battle.sheets[own[0]].team
    group = group_of(persona)
    # Only for the sheet: losses that were carried on would decide the next battle (decision 0032).
    ships = tuple(
        _left(ship, battle.vessels[name]) for ship, name in zip(group.ships, own, strict=True)
    )
    won = battle.winner == battle.teams[team].name
    fates = Counter(ship.fate for ship in ships)
    # Who withdrew or jumped got away, and is not counted.
    down = [name for name, one in battle.vessels.items() if one.fate in _FELLED]
    felled = sum(battle.sheets[name].team != team for name in down)
    now = change(
        group,
        ships=ships,
        battles=group.battles + 1,
        wins=group.wins + won,
        felled=group.felled + felled,
        lost=group.lost + fates["destroyed"],
    )
    facts = {
        "won": won,
        "felled": felled,
        "lost": fates["destroyed"],
        "down": fates["disabled"],
    }
    return Change(persona_of(persona.name, now), (Entry("battle", facts=facts),))


_FELLED = ("destroyed", "disabled", "surrendered")


def _left(ship: Ship, vessel: Vessel) -> Ship:
    """Return a vessel of a group as a battle has left it."""
    arms = KINDS[ship.kind].arms
    # What is gone, not what is left: the sheet shows what the league has to load again.
    spent = {arm: count - vessel.guns[arm] for arm, count in arms.items()}
    return change(
        ship,
        fate=vessel.fate,
        stun=vessel.stun,
        wound=vessel.wound,
        damaged=tuple(sorted(vessel.damaged)),
        spent=tuple((arm, count) for arm, count in spent.items() if count),
    )


def resign(persona: Persona) -> Change:
    """Return the change of a group that is disbanded."""
    disbanded = change(group_of(persona), disbanded=True)
    return Change(persona_of(persona.name, disbanded), (Entry("resigned", news=True),))


def sparring(persona: Persona, dice: Dice) -> Persona:
    """Return a bot's group to practise with: as many points, under other names."""
    name = house_name(_NAMES, persona.name, dice)
    ships = (
        Ship(f"House {n}", one.kind, one.crew) for n, one in enumerate(group_of(persona).ships, 1)
    )
    return persona_of(name, Group(tuple(ships)))


def _parts(persona: Persona) -> tuple[str, ...]:
    """Return the names of a group's vessels."""
    return tuple(ship.name for ship in group_of(persona).ships)


def _specimen(what: str, kinds: Sequence[str]) -> Specimen:
    ships = tuple(Ship(f"Vessel {n}", kind, USUAL_CREW) for n, kind in enumerate(kinds, 1))
    return Specimen(what, "regular", persona_of(what, Group(ships)))


_FLEETS = {
    "small": {"interceptor": 12, "fighter": 10, "striker": 7, "gunboat": 5, "frigate": 1},
    "large": {"interceptor": 20, "fighter": 17, "striker": 12, "gunboat": 8, "cruiser": 1},
}
"""How many of each kind are worth about as much, by the size of the group."""

CAMPAIGN = Campaign(
    enlist=enlist,
    form=FORM,
    enlisting="GROUP",
    nouns=Nouns(say("group"), say("groups"), say("no group")),
    sheet=sheet,
    standing=standing,
    bar=bar,
    crowded=crowded,
    too_many=too_many,
    melee=melee,
    available=available,
    gone=_is_gone,
    after=after,
    resign=resign,
    sparring=sparring,
    parts=_parts,
    terms={
        "RANGE": distance,
        "ATMOSPHERE": atmosphere,
        "ROCKS": rocks,
        "OPTIONS": options,
        "WITHOUT": without,
    },
    fleets={
        size: tuple(_specimen(kind, (kind,) * count) for kind, count in groups.items())
        for size, groups in _FLEETS.items()
    },
)
