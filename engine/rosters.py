"""Groups of characters or vessels that meet: their names in a game, and whether they may meet."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.dice import Dice
from engine.i18n import Said, say
from engine.words import fold


def distinct(owned: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """Return what each member is called in a game, by its owner and its name; no two are equal.

    Members with the same name get their owner's before it.
    """
    common, taken, found = Counter(fold(name) for _, name in owned), set[str](), {}
    for owner, member in owned:
        name = f"{owner} {member}" if common[fold(member)] > 1 else member
        while fold(name) in taken or (name != member and fold(name) in common):
            name += "'"
        taken.add(fold(name))
        found[owner, member] = name
    return found


def house_name(names: Sequence[str], own: str, dice: Dice) -> str:
    """Return one of the house's names by a roll, another than a player's own."""
    free = [name for name in names if fold(name) != fold(own)]
    return free[dice.roll(len(free), "name") - 1]


def unequal(one: int, other: int, times: float = 1.5) -> Said | None:
    """Return why two groups of so many points may not meet, or None.

    One may be worth so many times the other at most.
    """
    least, most = sorted((one, other))
    if most <= times * least:
        return None
    return say("one is worth {most} points and the other {least}", most=most, least=least)
