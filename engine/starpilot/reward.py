"""SPEND and CHOOSE: hero points (HP) exchanged for rewards (SP-33)."""

import re

from engine.campaign import Bid, Change, Day, Entry, Persona
from engine.codec import change
from engine.dice import Dice
from engine.errors import IllegalOrder, UnreadableOrder
from engine.i18n import say, spoken
from engine.starpilot.choice import Choice, format_choice, only_choice, options, read_choice, take
from engine.starpilot.pilot import Owed, Pilot, has_won, is_gone, pilot_of
from engine.starpilot.record_changes import settle
from engine.starpilot.tables import MOST_SPENT, POINTS_UPTO, PROMOTION_UPTO, UPGRADE_UPTO
from engine.telling import View

_NUMBER = re.compile(r"\d{1,9}")


def bid(persona: Persona, points: str, choices: str, day: Day) -> Bid:
    """Return a SPEND of whole HP, with the choices that came with it; raise OrderError."""
    pilot = pilot_of(persona)
    spent = _points(persona.name, pilot, points)
    barred = _bar(persona.name, pilot, day)
    if barred is not None:
        raise IllegalOrder(barred)
    chosen = format_choice(read_choice(pilot, spent, choices))
    text = f"SPEND {spent} FOR {persona.name}" + (f" ON {chosen}" if chosen else "")
    return Bid(text, spent, chosen)


def _points(name: str, pilot: Pilot, written: str) -> int:
    if not _NUMBER.fullmatch(written) or not 1 <= int(written) <= MOST_SPENT:
        raise UnreadableOrder(
            say(
                "{written!r} is not a whole number of HP from 1 to {most}",
                written=written,
                most=MOST_SPENT,
            )
        )
    if int(written) * 10 > pilot.hp:
        raise IllegalOrder(
            say(
                "{name} has {hp} HP unspent, not {written}",
                name=name,
                hp=_spoken(pilot.hp),
                written=written,
            )
        )
    return int(written)


def _spoken(amount: int) -> str:
    """Return tenths of HP as a sentence, so that a translation can have its own decimal mark."""
    whole, tenth = divmod(amount, 10)
    return say("{whole}.{tenth}", whole=whole, tenth=tenth) if tenth else str(whole)


def _bar(name: str, pilot: Pilot, day: Day) -> str | None:
    """Return why a pilot can't spend HP on a day, or None."""
    if is_gone(pilot) or has_won(pilot):
        return say("{name} flies no more, and has no use for rewards", name=name)
    if pilot.owed is not None:
        return say("{name} has a choice to make first, of the last reward", name=name)
    if pilot.spent and pilot.fought <= pilot.spent:
        return say(
            "{name} spent HP on {spent}, and may do so again after a battle"
            " that ends on a later day (SP-33)",
            name=name,
            spent=pilot.spent,
        )
    return None


def reward(persona: Persona, wanted: Bid, dice: Dice, day: Day) -> Change:
    """Return the change of a pilot that spends HP and rolls a d10 on the reward table (SP-33)."""
    before = pilot_of(persona)
    factor = wanted.points + before.rank
    # The rolls after which the reward changes: those between them all mean the same.
    ends = [end // factor for end in (POINTS_UPTO, UPGRADE_UPTO, PROMOTION_UPTO)]
    roll = dice.roll(10, f"reward {persona.name}", ends)
    paid = change(before, hp=before.hp - 10 * wanted.points, spent=day)
    facts = {"hp": wanted.points, "rank": before.rank, "roll": roll, "result": factor * roll}
    entry = Entry("spent", "spent", -10 * wanted.points, facts=facts)
    choice = read_choice(before, wanted.points, wanted.choices)
    pilot, *gained = _gain(paid, wanted.points, factor * roll, choice)
    return settle(persona.name, before, pilot, entry, *gained)


def _gain(
    pilot: Pilot, points: int, result: int, choice: Choice
) -> tuple[Pilot, *tuple[Entry, ...]]:
    """Return the pilot with what the reward table says for a result, and the entries."""
    if UPGRADE_UPTO < result <= PROMOTION_UPTO:
        return (change(pilot, rank=pilot.rank + 1),)
    if result <= POINTS_UPTO:
        owed = Owed("points", points)
    else:
        owed = Owed("stat" if result <= UPGRADE_UPTO else "ship")
    if not options(pilot, owed):
        return pilot, Entry("wasted", facts={"what": owed.what})
    # The choice that came with SPEND counts, unless it names nothing for this kind of reward.
    taken = take(pilot, owed, choice) or take(pilot, owed, only_choice(pilot, owed))
    return taken or (change(pilot, owed=owed),)


def still_owed(pilot: Pilot) -> View | None:
    """Return the reward that waits for a choice, with what there is to choose from."""
    owed = pilot.owed
    if owed is None or is_gone(pilot):
        return None
    return {"what": owed.what, "points": owed.points, "options": options(pilot, owed)}


def choose(persona: Persona, text: str) -> Change:
    """Return the change by a choice from the reward that waits; raise OrderError."""
    pilot = pilot_of(persona)
    if pilot.owed is None or is_gone(pilot):
        raise IllegalOrder(say("{pilot} has no choice to make", pilot=persona.name))
    free = change(pilot, owed=None)
    taken = take(free, pilot.owed, read_choice(pilot, pilot.owed.points, text))
    if taken is None:
        open_ones = options(pilot, pilot.owed)
        raise IllegalOrder(
            say(
                "{text!r} is not among the choices; they are {options}",
                text=text,
                options=spoken(open_ones),
            )
        )
    return settle(persona.name, pilot, *taken)
