"""A squad between fights: whom it may meet, what a fight leaves, who heals it, partners."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.campaign import (
    Campaign,
    Change,
    Day,
    Entry,
    FreeForAll,
    Healing,
    Nouns,
    Persona,
    Specimen,
    Standing,
    house_name,
    unequal,
)
from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.i18n import all_of, say
from engine.letter_texts import View
from engine.names import match_name
from engine.seats import Seat
from engine.starfarer import equipment
from engine.starfarer.challenge import between, field, melee, options
from engine.starfarer.equipment import ARCHETYPES
from engine.starfarer.model import UNHURT, Battle, characters_of
from engine.starfarer.persona_record import (
    FORM,
    Member,
    Squad,
    persona_of,
    read_squad,
    squad_of,
    worth,
)
from engine.starfarer.tables import MEDIUM, MOST_CHARACTERS, TEAMS
from engine.starfarer.view import hurt_areas
from engine.starfarer.wounds import worst

MOST_SQUADS = 4
_NAMES = ("House Ravens", "House Herons", "House Kites")


def enlist(text: str) -> Persona:
    """Return the squad in the text after ENLIST; raise as `read_squad` does."""
    return persona_of(*read_squad(text))


def sheet(persona: Persona) -> View:
    """Return a squad's sheet as plain values for a template."""
    squad = squad_of(persona)
    counts = {key: getattr(squad, key) for key in _COUNTS}
    return {
        "name": persona.name,
        "side": persona.side,
        "worth": worth(squad),
        "members": [_member(one) for one in squad.members],
        "decorations": [],
        "owed": None,
        "dead": False,
        "resigned": squad.disbanded,
        "retired": False,
        **counts,
    }


_COUNTS = ("fights", "wins", "felled", "lost")


def _member(one: Member) -> dict[str, Any]:
    """Return a character as it stands on the sheet, with what its last fight left."""
    kind = ARCHETYPES[one.archetype]
    return {
        "name": one.name,
        "archetype": one.archetype,
        "kit": list(one.kit),
        "worth": equipment.points(one.archetype, one.kit),
        "traits": list(kind.traits),
        "initiative": kind.initiative,
        "skills": dict(kind.skills),
        "hurt": hurt_areas(one.wounds),
        "shock": one.shock,
        "fell": one.dead,
    }


def standing(persona: Persona) -> Standing:
    """Return a squad's standing: by fights won, then opponents felled, then the fewest losses."""
    squad = squad_of(persona)
    figures = {key: getattr(squad, key) for key in _COUNTS}
    return Standing((squad.wins, squad.felled, -squad.lost), figures)


def bar(one: Persona, other: Persona) -> str | None:
    """Return why two squads may not meet, or None."""
    # By points, so that squads of other kinds and sizes may meet as equals.
    return unequal(worth(squad_of(one)), worth(squad_of(other)))


def too_many(personas: Sequence[Persona]) -> str | None:
    """Return why some squads are more than one team holds, or None."""
    count = sum(len(squad_of(persona).members) for persona in personas)
    if count <= MOST_CHARACTERS:
        return None
    return say(
        "a team has at most {most} characters, and these squads have {count}",
        most=MOST_CHARACTERS,
        count=count,
    )


def crowded(others: Sequence[Persona], new: Persona) -> str | None:
    """Return why a player may have no further squad, or None."""
    if sum(not _is_gone(one) for one in others) < MOST_SQUADS:
        return None
    return say("you have {most} squads already", most=MOST_SQUADS)


def available(persona: Persona, day: Day) -> str | None:
    """Return why a squad can't fight, or None; see `healing` for leagues that do not heal."""
    if squad_of(persona).disbanded:
        return say("{squad} is disbanded", squad=persona.name)
    return None


def _is_gone(persona: Persona) -> bool:
    return squad_of(persona).disbanded


def after(persona: Persona, state: Any, seat: Seat, day: Day, out: Day) -> Change:
    """Return how a fight in which it had a seat changes a squad, which is bound to its end.

    The wounds and the shock that it left stand on the sheet until the next fight (SF-40).
    """
    battle: Battle = state
    own = characters_of(battle, seat)
    squad = squad_of(persona)
    won = bool(own) and battle.winner == battle.teams[battle.sheets[own[0]].team].name
    bodies = {name: battle.bodies[name] for name in own}
    # A name may have its squad's before it, but the order is that of the squad.
    members = tuple(
        # For the sheet: before the next fight all are whole again (decision 0031).
        change(one, wounds=body.wounds, shock=body.shock, dead=body.fate == "dead")
        for one, body in zip(squad.members, bodies.values(), strict=True)
    )
    felled = sum(battle.felled.get(name, 0) for name in own)
    lost = sum(one.dead for one in members)
    now = change(
        squad,
        members=members,
        fights=squad.fights + 1,
        wins=squad.wins + won,
        felled=squad.felled + felled,
        lost=squad.lost + lost,
    )
    fates = Counter(body.fate for body in bodies.values())
    facts = {"won": won, "felled": felled, "lost": lost, "down": fates["unconscious"]}
    return Change(persona_of(persona.name, now), (Entry("fight", facts=facts),))


def resign(persona: Persona) -> Change:
    """Return the change of a squad that is disbanded."""
    disbanded = change(squad_of(persona), disbanded=True)
    return Change(persona_of(persona.name, disbanded), (Entry("resigned", news=True),))


def sparring(persona: Persona, dice: Dice) -> Persona:
    """Return a bot's squad to practise with: as many points, under other names."""
    squad = squad_of(persona)
    name = house_name(_NAMES, persona.name, dice)
    # Without the wounds that are on the player's sheet: the bot's squad is whole.
    members = (
        Member(f"House {n}", one.archetype, one.kit) for n, one in enumerate(squad.members, 1)
    )
    return persona_of(name, Squad(tuple(members)))


def _parts(persona: Persona) -> tuple[str, ...]:
    """Return the names of a squad's characters."""
    return tuple(member.name for member in squad_of(persona).members)


def _specimen(archetype: str, count: int) -> Specimen:
    kit = ARCHETYPES[archetype].kit
    members = tuple(Member(f"Member {n}", archetype, kit) for n in range(1, count + 1))
    return Specimen(archetype, str(count), persona_of(archetype, Squad(members)))


def ailing(persona: Persona) -> str | None:
    """Return why a squad can't fight before somebody is healed: a wound of Medium, or a death."""
    bad = [
        one.name
        for one in squad_of(persona).members
        # Lighter wounds need no healer: SF-40 lists those of Medium or worse.
        if one.dead or max(map(worst, one.wounds)) >= MEDIUM
    ]
    if not bad:
        return None
    return say(
        "{squad} waits for the moderator to heal {names}", squad=persona.name, names=all_of(bad)
    )


def healed(persona: Persona, name: str) -> Change:
    """Return a squad after one of its members is healed, or all of them where the name is empty.

    A member who died is replaced by another with the same name. Raise IllegalOrder if nobody is
    hurt, or nobody hurt has that name.
    """
    squad = squad_of(persona)
    hurt = [o.name for o in squad.members if o.dead or o.shock > 0 or o.wounds != UNHURT]
    found = match_name(name, hurt) if name else None
    # An empty name means everybody, so that one order heals a whole squad.
    names = hurt if not name else [found] if found else []
    if not names:
        raise IllegalOrder(
            say("nobody of {squad} is called {name} and hurt", squad=persona.name, name=name)
            if name
            else say("nobody of {squad} is hurt", squad=persona.name)
        )
    return Change(
        persona_of(persona.name, _whole(squad, names)), (Entry("healed", facts={"names": names}),)
    )


def _whole(squad: Squad, names: list[str]) -> Squad:
    members = tuple(
        change(one, wounds=UNHURT, shock=0, dead=False) if one.name in names else one
        for one in squad.members
    )
    return change(squad, members=members)


CAMPAIGN = Campaign(
    enlist=enlist,
    form=FORM,
    enlisting="SQUAD",
    nouns=Nouns(say("squad"), say("squads"), say("no squad")),
    sheet=sheet,
    standing=standing,
    bar=bar,
    crowded=crowded,
    too_many=too_many,
    melee=melee,
    free_for_all=FreeForAll(TEAMS[1], between),
    healing=Healing(ailing, healed),
    available=available,
    gone=_is_gone,
    after=after,
    resign=resign,
    sparring=sparring,
    parts=_parts,
    terms={"FIELD": field, "OPTIONS": options},
    fleets={
        size: tuple(_specimen(archetype, count) for archetype in ARCHETYPES)
        for size, count in (("alone", 1), ("pairs", 2))
    },
)
