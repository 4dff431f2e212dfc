"""A squadron between battles: whom it may meet, what it has done, partners for practice."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from engine.blackskies.blueprints import BLUEPRINTS
from engine.blackskies.challenge import LINEUP, asteroids, line_up, melee
from engine.blackskies.design import shown
from engine.blackskies.league_catalogue import FLEET
from engine.blackskies.model import Battle
from engine.blackskies.persona_record import (
    FORM,
    WINS_TO_RETIRE,
    Squadron,
    Wing,
    available,
    flown,
    has_won,
    is_gone,
    persona_of,
    read_squadron,
    squadron_of,
    worth,
    worths,
)
from engine.blackskies.tables import MOST_ELEMENTS
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
from engine.codec import change, plain
from engine.dice import Dice
from engine.i18n import say
from engine.letter_texts import View
from engine.seats import Seat

MOST_SQUADRONS = 4
_SKILL, _SPEED = 2, 6
_NAMES = ("House Hawks", "House Herons", "House Kites")


def enlist(text: str) -> Persona:
    """Return the squadron in the text after ENLIST; raise as `read_squadron` does."""
    return persona_of(*read_squadron(text))


def sheet(persona: Persona) -> View:
    """Return a squadron's sheet as plain values for a template."""
    squadron = squadron_of(persona)
    counts = {key: getattr(squadron, key) for key in ("battles", "wins", "kills", "lost")}
    return {
        "name": persona.name,
        "side": persona.side,
        "worth": worth(squadron),
        "wings": [
            plain(wing) | {"weight": design.weight, "worth": points}
            for wing, design, points in zip(
                squadron.wings, flown(squadron), worths(squadron), strict=True
            )
        ],
        "designs": [shown(design) for design in dict.fromkeys(flown(squadron))],
        "deck": list(squadron.deck),
        "decorations": [],
        "owed": None,
        "dead": False,
        "resigned": squadron.disbanded,
        "retired": has_won(persona),
        "retires": WINS_TO_RETIRE,
        **counts,
    }


def standing(persona: Persona) -> Standing:
    """Return a squadron's standing: by battles won, then kills, then the fewest losses."""
    squadron = squadron_of(persona)
    figures = {key: getattr(squadron, key) for key in ("battles", "wins", "kills", "lost")}
    return Standing((squadron.wins, squadron.kills, -squadron.lost), figures)


def bar(one: Persona, other: Persona) -> str | None:
    """Return why two squadrons may not meet, or None: one may be worth twice the other at most."""
    return unequal(worth(squadron_of(one)), worth(squadron_of(other)), times=2)


def too_many(personas: Sequence[Persona]) -> str | None:
    """Return why some squadrons are more than one side holds, or None (BS-7)."""
    count = sum(len(squadron_of(persona).wings) for persona in personas)
    if count <= MOST_ELEMENTS:
        return None
    return say(
        "a side has at most {most} elements, and these squadrons have {count}",
        most=MOST_ELEMENTS,
        count=count,
    )


def crowded(others: Sequence[Persona], new: Persona) -> str | None:
    """Return why a player may have no further squadron, or None."""
    # A squadron that has retired with honour does not stand in the way of a new one.
    active = [one for one in others if not (is_gone(one) or has_won(one))]
    if len(active) < MOST_SQUADRONS:
        return None
    return say("you have {most} squadrons already", most=MOST_SQUADRONS)


def after(persona: Persona, state: Any, seat: Seat, day: Day, out: Day) -> Change:
    """Return how a battle in which it had a seat changes a squadron, which is bound to its end."""
    battle: Battle = state
    elements = [element for element in battle.elements.values() if element.seat == seat]
    fighters = [battle.fighters[name] for element in elements for name in element.fighters]
    squadron = squadron_of(persona)
    won = bool(elements) and battle.winner == battle.sides[elements[0].side].name
    kills = sum(fighter.kills for fighter in fighters)
    # Who withdrew or surrendered comes back for the next battle.
    lost = sum(fighter.fate == "destroyed" for fighter in fighters)
    now = change(
        squadron,
        battles=squadron.battles + 1,
        wins=squadron.wins + won,
        kills=squadron.kills + kills,
        lost=squadron.lost + lost,
    )
    fought = Entry("battle", facts={"won": won, "kills": kills, "lost": lost})
    # Only the battle that reaches the number retires it: the entry must not come twice.
    honoured = (Entry("retired", news=True),) if now.wins == WINS_TO_RETIRE and won else ()
    return Change(persona_of(persona.name, now), (fought, *honoured))


def resign(persona: Persona) -> Change:
    """Return the change of a squadron that is disbanded."""
    disbanded = change(squadron_of(persona), disbanded=True)
    return Change(persona_of(persona.name, disbanded), (Entry("resigned", news=True),))


def sparring(persona: Persona, dice: Dice) -> Persona:
    """Return a bot's squadron to practise with: the same designs and skills, under other names."""
    squadron = squadron_of(persona)
    name = house_name(_NAMES, persona.name, dice)
    # Letters, because fighters have numbers: "House 1 1" would be hard to hear.
    wings = tuple(
        change(wing, name=f"House {letter}")
        for letter, wing in zip(ascii_uppercase, squadron.wings, strict=False)
    )
    return persona_of(name, Squadron(wings, designs=squadron.designs))


def _parts(persona: Persona) -> tuple[str, ...]:
    """Return the names of a squadron's elements."""
    return tuple(wing.name for wing in squadron_of(persona).wings)


def _specimen(design: str, fighters: int) -> Specimen:
    wing = Wing("Lead", design, (_SKILL,) * fighters, _SPEED)
    return Specimen(design, str(fighters), persona_of(design, Squadron((wing,))))


CAMPAIGN = Campaign(
    enlist=enlist,
    form=FORM,
    enlisting="SQUADRON",
    nouns=Nouns(say("squadron"), say("squadrons"), say("no squadron")),
    blueprints=BLUEPRINTS,
    sheet=sheet,
    standing=standing,
    bar=bar,
    crowded=crowded,
    too_many=too_many,
    melee=melee,
    available=available,
    gone=is_gone,
    after=after,
    resign=resign,
    sparring=sparring,
    parts=_parts,
    lining=LINEUP,
    line_up=line_up,
    terms={"ASTEROIDS": asteroids},
    fleets={
        weight: tuple(
            _specimen(name, fighters)
            for fighters in (1, 2)
            for name, design in FLEET.items()
            if design.weight == weight
        )
        for weight in ("light", "medium", "heavy")
    },
)
