"""What heals a squad between fights where the league does not: a person's ruling (SF-40)."""

from engine.campaign import Change, Entry, Healing, Persona
from engine.codec import change
from engine.errors import IllegalOrder
from engine.i18n import all_of, say
from engine.starfarer.model import UNHURT
from engine.starfarer.squad import Member, Squad, persona_of, squad_of
from engine.starfarer.tables import MEDIUM
from engine.starfarer.wounds import worst
from engine.words import match_name


def ailing(persona: Persona) -> str | None:
    """Return why a squad can't fight before somebody is healed: a wound of Medium, or a death."""
    bad = [one.name for one in squad_of(persona).members if _is_bad(one)]
    if not bad:
        return None
    return say(
        "{squad} waits for the moderator to heal {names}", squad=persona.name, names=all_of(bad)
    )


def _is_bad(member: Member) -> bool:
    return member.dead or max(map(worst, member.wounds)) >= MEDIUM


def _is_hurt(member: Member) -> bool:
    return member.dead or member.shock > 0 or member.wounds != UNHURT


def healed(persona: Persona, name: str) -> Change:
    """Return a squad after one of it, or all where the name is empty, are healed.

    Who died is replaced by another of that name. Raise IllegalOrder where nobody is to be healed.
    """
    squad = squad_of(persona)
    hurt = [one.name for one in squad.members if _is_hurt(one)]
    found = match_name(name, hurt) if name else None
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


HEALING = Healing(ailing, healed)
